// The dialog of a list's e-mail address: shows, copies and renews it, with mail usage and a confirmation. It is drawn
// by web/dialogs/list-mail.tsx. A lazy part.
import { unreachable } from '#core/assert.ts';
import type { Row } from '#sync/rows/row.ts';
import type { MailAddress } from '#wire/mail.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { ListMailAction } from './list-mail-view.ts';

const UNCONFIRMED = 'Lists get mail once you verify your own email address. Choose “Verify” in “Account.”';

export class ListMailDialog implements OpenDialog {
  readonly type = 'listMail';
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

  submit({ action }: ListMailAction): void {
    this.#said = null;
    if (this.#isBusy) return;
    switch (action) {
      case 'copy':
        void this.#copy();
        break;
      case 'again':
        void this.#ask(false);
        break;
      case 'account':
        this.#program.run('account.safety');
        return;
      case 'new':
        this.#isAsking = true;
        break;
      case 'keep':
        this.#isAsking = false;
        break;
      case 'renew':
        void this.#ask(true);
        break;
      default:
        unreachable(action);
    }
    this.refresh();
  }

  leave(): void {
    // Nothing typed has to be kept.
  }

  refresh(): void {
    if (!this.#program.dialog.isOf(this)) return;
    this.#program.dialog.show({
      type: 'listMail',
      mail: {
        list: nameOf(this.#list) || 'Untitled',
        address: this.#known?.address ?? null,
        use: this.#known?.use ?? null,
        owner: this.#known?.use === null ? this.#owner() : null,
        problem: this.#problem,
        endsInAccount: this.#endsInAccount,
        asksForNew: this.#isAsking,
        busy: this.#isBusy,
        said: this.#said,
      },
    });
  }

  /** The name of who owns the list. */
  #owner(): string {
    const members = this.#program.replica.members(this.#list.scope);
    return members.find(({ fields }) => fields.role === 'owner')?.fields.name || 'its owner';
  }

  async #copy(): Promise<void> {
    const isCopied = await this.#program.platform.copyText(this.#known?.address ?? '');
    this.#program.act(() => {
      this.#said = isCopied
        ? { text: 'Copied the address.', isError: false }
        : {
            text: 'Your browser blocked the copy. Select the address and copy it by hand.',
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
