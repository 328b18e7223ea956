// The dialog of a list's e-mail address: shown, copied, made anew, with how much mail arrived and what is asked. How it is
// drawn is web/dialogs/list-mail.tsx. A lazy chunk.
import type { Row } from '#sync/row.ts';
import type { MailAddress } from '#wire/mail.ts';
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';
import { nameOf } from '../row-facts.ts';

const UNCONFIRMED =
  'Your own e-mail address is not verified yet: until then lists receive no mail. “Account” has “Verify”, which sends you a link.';

export class ListMailDialog implements OpenDialog {
  readonly isTyping = false;
  readonly #program: Program;
  readonly #list: Row;
  #known: Pick<MailAddress, 'address' | 'use'> | null = null;
  #problem: string | null = null;
  #endsInAccount = false;
  #isAsking = false;
  #isBusy = false;
  #said: { readonly text: string; readonly isError: boolean } | null = null;

  constructor(program: Program, list: Row) {
    this.#program = program;
    this.#list = list;
    void this.#ask(false);
  }

  submit({ action = '' }: Readonly<Record<string, string>>): void {
    this.#said = null;
    if (this.#isBusy) return;
    if (action === 'copy') void this.#copy();
    else if (action === 'again') void this.#ask(false);
    else if (action === 'account') {
      this.#program.run('account.safety');
      return;
    } else if (action === 'new') this.#isAsking = true;
    else if (action === 'keep') this.#isAsking = false;
    else if (action === 'renew') void this.#ask(true);
    this.refresh();
  }

  leave(): void {
    // Nothing was typed.
  }

  refresh(): void {
    if (this.#program.openDialog !== this) return;
    this.#program.dialog.set({
      type: 'listMail',
      mail: {
        list: nameOf(this.#list) || 'Untitled',
        address: this.#known?.address ?? null,
        use: this.#known?.use ?? null,
        problem: this.#problem,
        endsInAccount: this.#endsInAccount,
        asksForNew: this.#isAsking,
        busy: this.#isBusy,
        said: this.#said,
      },
    });
  }

  async #copy(): Promise<void> {
    const isCopied = await this.#program.platform.copyText(this.#known?.address ?? '');
    this.#program.act(() => {
      this.#said = isCopied
        ? { text: 'The address is on the clipboard.', isError: false }
        : {
            text: 'The browser did not let it be copied. Select the address and copy it by hand.',
            isError: true,
          };
      this.refresh();
    });
  }

  async #ask(isNew: boolean): Promise<void> {
    this.#isBusy = true;
    const { scope, id } = this.#list;
    const answer = await this.#program.platform.account.mailAddress({ scope, list: id }, isNew);
    this.#program.act(() => {
      this.#isBusy = false;
      if ('message' in answer) {
        if (this.#known) this.#said = { text: answer.message, isError: true };
        else {
          this.#endsInAccount = answer.type === 'unconfirmed';
          this.#problem = this.#endsInAccount ? UNCONFIRMED : answer.message;
        }
      } else {
        this.#known = answer;
        this.#problem = null;
        this.#endsInAccount = false;
        if (isNew)
          this.#said = { text: 'This is the new address. The old one no longer works.', isError: false };
      }
      this.#isAsking = false;
      this.refresh();
    });
  }
}
