// What the dialog of a task's files draws.
import type { Id } from '#core/ids.ts';
import type { SendState } from './port.ts';

export interface AttachmentView {
  readonly id: Id;
  readonly name: string;
  /** "1.2 MB". */
  readonly size: string;
  /** Address of the picture; null when it is none, or not here. */
  readonly picture: string | null;
  /** Null: the server has it. */
  readonly unsent: SendState | null;
}

export interface FilesView {
  /** Of the task. */
  readonly title: string;
  readonly items: readonly AttachmentView[];
  /** The picture that is open. */
  readonly shown: AttachmentView | null;
  readonly busy: boolean;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}
