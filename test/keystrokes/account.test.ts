// The account's dialogs: signing up, in and out.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AccountFailure, AccountPort } from '#client/app/app.ts';
import { Desk } from './desk.ts';

class Account implements AccountPort {
  email: string | null = null;
  readonly calls: string[] = [];
  failure: AccountFailure | null = null;

  signUp = (email: string) => this.#answer(`up ${email}`);
  signIn = (email: string) => this.#answer(`in ${email}`);
  signInByPasskey = () => this.#answer('in by passkey');
  safety = () => Promise.resolve({ type: 'offline' as const, message: 'There is no server.' });
  sharing = () => Promise.reject(new Error('There is no server.'));
  live = () => Promise.reject(new Error('There is no server.'));
  sealing = () => Promise.reject(new Error('There is no server.'));
  useOther = () => void this.calls.push('use other');
  refuseOther = () => this.#answer('refuse other').then(() => undefined);
  signOut = () => this.#answer('out');
  stayHere = () => void this.calls.push('stay here');
  readonly isKept = false;
  sessions = () => Promise.resolve([]);
  devices = () => Promise.resolve([]);
  mailAddress = () => Promise.resolve({ type: 'offline' as const, message: 'There is no server.' });
  emptyTrash = () => Promise.resolve({ removed: 0, left: 0 });
  history = () => Promise.resolve({ entries: [], next: null });
  revoke = (id: string) => this.#answer(`revoke ${id}`);

  #answer(call: string): Promise<AccountFailure | null> {
    this.calls.push(call);
    return Promise.resolve(this.failure);
  }
}

describe('account', () => {
  test('[FLOW-5] forms are checked, sent once, and show what is wrong', async () => {
    const account = new Account();
    const desk = new Desk('> A', { account });
    desk.app.run('account.signUp');
    assert.equal(desk.app.view.focus.get().pane, 'dialog');
    const send = (email: string, password: string) =>
      desk.app.answer('signUp', { action: 'send', values: { email, password } });
    send(' ', 'x');
    assert.deepEqual(desk.app.view.dialog.get(), {
      type: 'signUp',
      busy: false,
      error: 'Enter an email',
      field: 'email',
    });
    send('ida@example.org', 'short');
    assert.match(JSON.stringify(desk.app.view.dialog.get()), /12 to 72 characters\. Yours has 5/);
    account.failure = { type: 'taken', message: 'There is an account already.' };
    send('ida@example.org', 'long enough for all');
    send('ida@example.org', 'long enough for all');
    assert.deepEqual(desk.app.view.dialog.get(), { type: 'signUp', busy: true, error: null });
    await desk.settle();
    assert.deepEqual(account.calls, ['up ida@example.org']);
    assert.deepEqual(desk.app.view.dialog.get(), {
      type: 'signUp',
      busy: false,
      error: 'There is an account already.',
      field: 'email',
    });
    account.failure = null;
    send('ida@example.org', 'long enough for all');
    await desk.settle();
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.message, 'Your account is ready.');
  });

  test('[FLOW-5] signing out with changes waiting asks first', async () => {
    const account = new Account();
    account.email = 'ida@example.org';
    const desk = new Desk('> A', { account });
    desk.engine.setSync({ type: 'onDevice', waiting: 3, online: false });
    desk.app.run('account.signOut');
    assert.deepEqual(desk.app.view.dialog.get(), { type: 'signOut', waiting: 3, copies: 0 });
    desk.app.closeDialog();
    assert.deepEqual(account.calls, []);
    desk.app.run('account.signOut');
    desk.app.answer('signOut', { action: 'leave' });
    await desk.settle();
    assert.deepEqual(account.calls, ['out']);
    assert.equal(desk.message, 'Signed out.');
    desk.engine.setSync({ type: 'synced' });
    desk.app.run('account.signOut');
    await desk.settle();
    assert.deepEqual(account.calls, ['out', 'out']);
  });

  test('[FLOW-6] whoever signs out is not told that the session is over, unless that fails', async () => {
    const account = new Account();
    account.email = 'ida@example.org';
    const desk = new Desk('> A', { account });
    const said: string[] = [];
    desk.app.view.announcement.subscribe(() => said.push(desk.app.view.announcement.get().text));
    account.failure = { type: 'offline', message: 'The server cannot be reached.' };
    desk.app.run('account.signOut');
    await desk.settle();
    desk.engine.setSync({ type: 'signedOut', waiting: 0 });
    await desk.settle();
    desk.engine.setSync({ type: 'synced' });
    account.signOut = () => {
      // The server says so before it has answered.
      desk.engine.setSync({ type: 'signedOut', waiting: 0 });
      return Promise.resolve(null);
    };
    desk.app.run('account.signOut');
    await desk.settle();
    assert.deepEqual(said, [
      'The server cannot be reached.',
      'You’ve been signed out. Keep working, and sign in to sync.',
      'Signed out.',
    ]);
  });

  test('[FLOW-5] what needs an account says so', () => {
    const desk = new Desk('> A');
    desk.app.run('account.sessions');
    assert.equal(desk.message, 'Sign in first.');
    desk.app.run('no.such');
    assert.equal(desk.message, 'This version has no command “no.such”. Reload the app for a newer one.');
  });
});
