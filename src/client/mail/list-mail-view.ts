// View of the dialog of a list's e-mail address.
import type { MailUse } from '#wire/mail.ts';

/** An action in the dialog of a list's e-mail address. */
export type ListMailAction = {
  /**
   * `again`: asks the server once more. `new`: asks whether the old address may end; `keep` and `renew` answer that.
   */
  readonly action: 'copy' | 'again' | 'account' | 'new' | 'keep' | 'renew';
};

/** The dialog of a list's e-mail address. */
export interface ListMailView {
  readonly list: string;
  /** Null: not received yet, or there is none. */
  readonly address: string | null;
  /** Usage over all lists of the account; null: not received yet, or it counts for the owner. */
  readonly use: MailUse | null;
  /** Who owns the list, and for whom its mail counts; null: the person. */
  readonly owner: string | null;
  /** Why there is no address; null: there is one. */
  readonly problem: string | null;
  /** The problem can be solved in the account dialog. */
  readonly endsInAccount: boolean;
  /** The dialog asks whether the old address may end. */
  readonly asksForNew: boolean;
  readonly busy: boolean;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}
