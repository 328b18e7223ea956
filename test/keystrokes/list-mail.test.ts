// The email address of a list, shown by its key: what it shows, what can be done with it, and why there may be none.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId } from '#core/ids.ts';
import type { AccountPort, MailQuery } from '#client/app/app.ts';
import type { ListMailAction, ListMailView } from '#client/mail/list-mail-view.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';

const USE = { messages: 12, bytes: 3_400_000 };

class Mailed {
  readonly asked: { readonly of: MailQuery; readonly isNew: boolean }[] = [];
  isAway = false;
  readonly desk: Desk;

  constructor(account: Partial<AccountPort> = {}) {
    this.desk = new Desk('> A', {
      sync: { type: 'synced' },
      isConfirmed: true,
      account: {
        ...noAccount,
        email: 'ida@example.org',
        mailAddress: (of, isNew) => {
          this.asked.push({ of, isNew });
          const address = `inbox-${isNew ? 'new' : 'old'}@in.example.org`;
          return Promise.resolve(
            this.isAway
              ? { type: 'offline', message: 'The server cannot be reached.' }
              : { address, use: USE },
          );
        },
        ...account,
      },
    });
  }

  get view(): ListMailView | null {
    const dialog = this.desk.app.view.dialog.get();
    return dialog?.type === 'listMail' ? dialog.mail : null;
  }

  async shown(): Promise<ListMailView> {
    this.desk.press('Mod+E');
    await this.desk.until(() => this.view !== null && !this.view.busy);
    return this.view!;
  }

  async answer(action: ListMailAction['action']): Promise<ListMailView> {
    this.desk.app.answer('listMail', { action });
    await this.desk.settle();
    return this.view!;
  }
}

describe('the e-mail address of a list', () => {
  test('[MAIL-22] is shown by its key, with what arrived, and copied', async () => {
    const mailed = new Mailed();
    const shown = await mailed.shown();
    assert.deepEqual(mailed.asked, [{ of: { scope: SCOPE, list: inboxId(SCOPE) }, isNew: false }]);
    assert.deepEqual([shown.list, shown.address, shown.use], ['Inbox', 'inbox-old@in.example.org', USE]);
    const copied = await mailed.answer('copy');
    assert.equal(mailed.desk.clipboard, 'inbox-old@in.example.org');
    assert.equal(copied.said?.text, 'Copied the address.');
    mailed.desk.refusesCopies = true;
    assert.equal((await mailed.answer('copy')).said?.isError, true);
  });

  test('[SHARE-313] of somebody else’s list says for whom mail counts', async () => {
    const address = 'trip@in.example.org';
    const mailed = new Mailed({ mailAddress: () => Promise.resolve({ address, use: null }) });
    const shown = await mailed.shown();
    assert.deepEqual([shown.address, shown.use, shown.owner], [address, null, 'its owner']);
    assert.equal((await new Mailed().shown()).owner, null);
  });

  test('[MAIL-22] is made anew after a question', async () => {
    const mailed = new Mailed();
    await mailed.shown();
    assert.equal((await mailed.answer('new')).asksForNew, true);
    assert.equal((await mailed.answer('keep')).address, 'inbox-old@in.example.org');
    assert.equal(mailed.asked.length, 1, 'the server was not asked');
    await mailed.answer('new');
    const renewed = await mailed.answer('renew');
    assert.deepEqual([renewed.address, renewed.asksForNew], ['inbox-new@in.example.org', false]);
    mailed.isAway = true;
    await mailed.answer('new');
    const kept = await mailed.answer('renew');
    assert.deepEqual(
      [kept.address, kept.said],
      ['inbox-new@in.example.org', { text: 'The server cannot be reached.', isError: true }],
    );
  });

  test('[MAIL-22] says why there is none, and tries again', async () => {
    const mailed = new Mailed();
    mailed.isAway = true;
    assert.equal((await mailed.shown()).problem, 'The server cannot be reached.');
    mailed.isAway = false;
    assert.equal((await mailed.answer('again')).address, 'inbox-old@in.example.org');
  });

  test('[MAIL-22] leads to the account where one’s own address is not verified', async () => {
    const mailed = new Mailed({
      mailAddress: () => Promise.resolve({ type: 'unconfirmed', message: 'Confirm it.' }),
    });
    const shown = await mailed.shown();
    assert.match(shown.problem ?? '', /once you verify.*“Verify” in “Account.”/);
    assert.equal(shown.endsInAccount, true);
    mailed.desk.app.answer('listMail', { action: 'account' });
    await mailed.desk.until(() => mailed.desk.app.view.dialog.get()?.type === 'safety');
    assert.equal(mailed.desk.app.view.dialog.get()?.type, 'safety');
  });

  test('[MAIL-22] without a server, an account or tasks of its own a list has none', () => {
    const { desk } = new Mailed();
    const said = () => {
      desk.app.run('list.email');
      return desk.message;
    };
    desk.engine.setSync({ type: 'onDevice', waiting: 1, online: false });
    assert.equal(said(), 'Can’t reach the server. Try again when you’re online.');
    desk.app.run('folder.create', { name: 'Work' });
    desk.press('F6', 'End');
    assert.equal(said(), 'Folders don’t have an email address. Open one of its lists.');
    const alone = new Desk('> A');
    alone.app.run('list.email');
    assert.equal(alone.message, 'Sign in first. Email arrives at the server.');
  });
});
