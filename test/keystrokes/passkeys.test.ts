// The account's dialog where the device has no answer to the question for a passkey.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failed, ok } from '#core/result.ts';
import type { SafetyPort } from '#client/safety/port.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';

const MESSAGE = 'No passkey was used. Try again.';

/** An account whose server answers, on a device that makes no passkey. */
const port = {
  hasPasskeys: true,
  state: () => Promise.resolve(ok({ codes: false, passkeys: [], tokens: 0 })),
  addPasskey: () => Promise.resolve(failed({ type: 'refused', message: MESSAGE })),
} as unknown as SafetyPort;

describe('passkeys', () => {
  test('[ACC-5] a passkey that was not made is said where its name was asked for, and can be tried again', async () => {
    const account = { ...noAccount, email: 'ida@example.org', safety: () => Promise.resolve(port) };
    const desk = new Desk('> A task', { account });
    const safety = () => {
      const dialog = desk.app.view.dialog.get();
      return dialog?.type === 'safety' ? dialog.safety : null;
    };
    desk.app.run('account.safety');
    await desk.until(() => safety()?.state !== null && safety() !== null);
    desk.app.answer('safety', { action: 'passkey' });
    desk.app.answer('safety', { action: 'addPasskey', values: { name: 'Laptop' } });
    assert.equal(safety()?.busy, true);
    await desk.until(() => safety()?.busy === false);
    assert.deepEqual(safety()?.step, { type: 'passkey', error: MESSAGE });
  });

  test('[KEY-77] a form whose field is empty is not sent, and says what to type', async () => {
    const asked: string[] = [];
    const silent = {
      ...port,
      state: () => Promise.resolve(ok({ codes: false, passkeys: [], tokens: 0, isVerified: false })),
      askEmail: (email: string) => Promise.resolve(ok(email)),
      promo: () => Promise.resolve(ok(null)),
      proveEmail: () => Promise.resolve(asked.push('proveEmail')),
      redeemPromo: () => Promise.resolve(asked.push('redeemPromo')),
      setPassword: () => Promise.resolve(asked.push('setPassword')),
    } as unknown as SafetyPort;
    const account = { ...noAccount, email: 'ida@example.org', safety: () => Promise.resolve(silent) };
    const desk = new Desk('> A task', { account });
    const step = () => {
      const dialog = desk.app.view.dialog.get();
      return dialog?.type === 'safety' ? dialog.safety.step : null;
    };
    const errorOf = () => {
      const now = step();
      return now !== null && 'error' in now ? now.error : null;
    };
    desk.app.run('account.safety');
    await desk.until(() => {
      const dialog = desk.app.view.dialog.get();
      return dialog?.type === 'safety' && dialog.safety.state !== null;
    });
    desk.app.answer('safety', { action: 'verifyEmail' });
    await desk.until(() => step()?.type === 'emailCode');
    for (const code of ['', '  ']) {
      desk.app.answer('safety', { action: 'proveEmail', values: { code } });
      assert.equal(errorOf(), 'Type the code from the email.');
    }
    desk.app.answer('safety', { action: 'password' });
    desk.app.answer('safety', { action: 'setPassword', values: { password: '' } });
    assert.equal(errorOf(), 'Type a new password.');
    desk.app.answer('safety', { action: 'promo' });
    await desk.until(() => step()?.type === 'promo');
    desk.app.answer('safety', { action: 'redeem', values: { code: '' } });
    assert.equal(errorOf(), 'Type a promo code.');
    assert.deepEqual(asked, []);
  });
});
