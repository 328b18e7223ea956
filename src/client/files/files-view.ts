// View of the dialog of a task's files.
import type { Id } from '#core/ids.ts';
import type { SendState } from './port.ts';

/** One attached file. */
export interface AttachmentView {
  readonly id: Id;
  readonly name: string;
  /** "1.2 MB". */
  readonly size: string;
  /** Address of the picture; null when the file is no picture, or not on this device. */
  readonly picture: string | null;
  /** Null: the server has it. */
  readonly unsent: SendState | null;
}

/** An action in the dialog of a task's files. */
export type FilesAction =
  | { readonly action: 'attach' }
  /** From the picture to the list. */
  | { readonly action: 'back' }
  | { readonly action: 'open' | 'save' | 'remove' | 'retry'; readonly id: Id };

/** The dialog of a task's files: its attachments, or one picture. */
export interface FilesView {
  /** Title of the task. */
  readonly title: string;
  readonly items: readonly AttachmentView[];
  /** The picture that is open. */
  readonly shown: AttachmentView | null;
  readonly busy: boolean;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}
