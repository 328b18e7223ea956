// The account's dialog where the device has no answer to the question for a passkey.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failed, ok } from '#core/result.ts';
import type { SafetyPort } from '#client/safety/port.ts';
import { Desk, noAccount } from './desk.ts';

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
});
