// View of the comments of a task, and what can be done in it.
import type { Id } from '#core/ids.ts';
import type { PersonView } from '../sharing/sharing-view.ts';

/** A piece of a comment: words, or the name of a person. */
export interface CommentPieceView {
  readonly text: string;
  readonly isPerson: boolean;
  /** The person is the one who reads it. */
  readonly isMe: boolean;
}

/** One comment. */
export interface CommentView {
  readonly id: Id;
  readonly author: PersonView;
  /** "You", or the name, "Ann (left)". */
  readonly by: string;
  readonly pieces: readonly CommentPieceView[];
  /** "Nov 27, 2026, 5:00 PM". */
  readonly at: string;
  readonly isEdited: boolean;
  readonly isMine: boolean;
  readonly canRemove: boolean;
}

/** The dialog of a task's comments. */
export interface CommentsView {
  /** Title of the task. */
  readonly title: string;
  /** Oldest first. */
  readonly items: readonly CommentView[];
  /** The comment that keys are about; null: none, they are about the text. */
  readonly active: Id | null;
  /** The comment that is being changed. */
  readonly editing: Id | null;
  readonly text: string;
  readonly caret: number;
  /** People whose names begin as what is typed behind an at sign; empty: none is being named. */
  readonly people: readonly PersonView[];
  /** Index of the one that Enter takes. */
  readonly person: number;
  /** What is said below the text. */
  readonly hint: string;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}

/** An action in the dialog of comments. */
export type CommentsAction =
  | { readonly action: 'type'; readonly text: string; readonly caret: number }
  /** Enter: takes the name, begins to change the chosen comment, or sends. */
  | { readonly action: 'enter' }
  | { readonly action: 'send' }
  | { readonly action: 'up' | 'down' | 'name' | 'removeActive' }
  | { readonly action: 'edit' | 'remove'; readonly id: Id }
  | { readonly action: 'mention'; readonly account: number };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly comments: {
      readonly view: { readonly comments: CommentsView };
      readonly action: CommentsAction;
    };
  }
}
