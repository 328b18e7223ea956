// What the dialog of a list's e-mail address shows.
import type { MailUse } from '#wire/mail.ts';

export interface ListMailView {
  readonly list: string;
  /** Null: the server has not said it yet, or there is none. */
  readonly address: string | null;
  /** Of all lists of the account. */
  readonly use: MailUse | null;
  /** Why there is no address. */
  readonly problem: string | null;
  /** The problem ends in the dialog of the account. */
  readonly endsInAccount: boolean;
  /** Whether the old address may end is being asked. */
  readonly asksForNew: boolean;
  readonly busy: boolean;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}
