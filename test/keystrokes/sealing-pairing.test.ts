// How a locked device gets the key from one that has it, by the dialogs of both.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { SealingStep } from '#client/sealing/view.ts';
import { newAccountKey } from '#core/sealing/keys.ts';
import { agreement, answerPairing, beginPairing, handOver, pictureText } from '#core/sealing/pairing.ts';
import { PairingOffice, SealedOffice } from './sealed-office.ts';

type Of<T extends SealingStep['type']> = Extract<SealingStep, { readonly type: T }>;

function at<T extends SealingStep['type']>(step: SealingStep | null, type: T): Of<T> {
  assert.equal(step?.type, type, JSON.stringify(step));
  return step as Of<T>;
}

describe('the key from another device', () => {
  let pairings: PairingOffice;
  before(async () => {
    pairings = await PairingOffice.open();
  });
  after(() => pairings.close());

  /** A device with the key and one without, which asks for it. */
  async function two() {
    pairings.change = (seen) => seen;
    const older = new SealedOffice(undefined, pairings);
    await older.turnOn();
    const newer = new SealedOffice(older.server, pairings);
    at(await newer.run('sealing.ask'), 'askOther');
    return { older, newer };
  }

  async function chosen({ older, newer }: Awaited<ReturnType<typeof two>>) {
    const { devices } = at(await older.run('sealing.give'), 'choose');
    const [device] = devices ?? [];
    assert.ok(device);
    await older.answer({ action: 'choose', id: device.id });
    await newer.wait();
    await older.wait();
    return { there: at(older.step, 'compare'), here: at(newer.step, 'compare') };
  }

  test('[SEAL-135] [SEAL-134] both show the same words, which are confirmed on both, and the one with the key gives it', async () => {
    const both = await two();
    const { there, here } = await chosen(both);
    assert.deepEqual([there.words, there.digits], [here.words, here.digits]);
    assert.deepEqual([there.gives, here.gives], [true, false]);
    const { older, newer } = both;
    await older.answer({ action: 'same' });
    await newer.wait();
    assert.deepEqual([newer.store.kept], [null], 'its person has not said so yet');
    assert.equal(at(newer.step, 'compare').isConfirmed, false);
    at(older.step, 'waitForTaking');
    await newer.answer({ action: 'same' });
    await newer.wait();
    await older.wait();
    assert.ok(newer.store.kept !== null);
    assert.deepEqual(newer.store.kept.key, older.store.kept?.key);
    assert.equal(older.step?.type, 'moving');
    assert.equal(newer.step?.type, 'moving');
  });

  test('[SEAL-134] no device asks at first, and one that comes is shown by itself', async () => {
    const older = new SealedOffice(undefined, pairings);
    await older.turnOn();
    const before = at(await older.run('sealing.give'), 'choose');
    const known = new Set(before.devices?.map(({ id }) => id));
    const newer = new SealedOffice(older.server, pairings);
    await newer.run('sealing.ask');
    await older.wait();
    const { devices } = at(older.step, 'choose');
    assert.equal(devices?.filter(({ id }) => !known.has(id)).length, 1);
    newer.desk.app.closeDialog();
    await newer.settled();
    await older.wait();
    assert.deepEqual(new Set(at(older.step, 'choose').devices?.map(({ id }) => id)), known);
  });

  test('[SEAL-134] words that differ give no key, and the other device hears of it', async () => {
    const both = await two();
    await chosen(both);
    const { older, newer } = both;
    const problem = at(await older.answer({ action: 'different' }), 'problem');
    assert.match(problem.text, /doesn’t fit together/);
    await newer.wait();
    assert.match(at(newer.step, 'problem').text, /No key was given/);
    assert.equal(newer.store.kept, null);
  });

  test('[SEAL-133] words that differ at the new device once the key was given are said at the old one, with what to do', async () => {
    const both = await two();
    await chosen(both);
    const { older, newer } = both;
    await older.answer({ action: 'same' });
    at(older.step, 'waitForTaking');
    at(await newer.answer({ action: 'different' }), 'problem');
    await older.wait();
    assert.match(at(older.step, 'problem').text, /after the key was given.*Make a new key/);
    assert.equal(newer.store.kept, null);
  });

  test('[SEAL-133] the old device may be closed once it has given the key', async () => {
    const both = await two();
    await chosen(both);
    const { older, newer } = both;
    await older.answer({ action: 'same' });
    older.desk.app.closeDialog();
    await older.settled();
    await newer.answer({ action: 'same' });
    await newer.wait();
    assert.deepEqual(newer.store.kept?.key, older.store.kept?.key);
  });

  test('[SEAL-134] a dialog that is closed ends it for both', async () => {
    const both = await two();
    await chosen(both);
    const { older, newer } = both;
    older.desk.app.closeDialog();
    await older.settled();
    await newer.wait();
    assert.match(at(newer.step, 'problem').text, /ended this/);
    assert.equal(newer.store.kept, null);
  });

  test('[SEAL-136] somebody between them who changes the keys shows other words, or is found out', async () => {
    const both = await two();
    const { older, newer } = both;
    const { devices } = at(await older.run('sealing.give'), 'choose');
    const stranger = 'B'.repeat(43);
    pairings.change = (seen) => (seen.newKey === null ? seen : { ...seen, newKey: stranger });
    await older.answer({ action: 'choose', id: devices?.[0]?.id ?? ('' as never) });
    await newer.wait();
    await older.wait();
    assert.match(at(older.step, 'problem').text, /doesn’t fit together/);
    pairings.change = (seen) => seen;
    await newer.wait();
    assert.equal(newer.store.kept, null);
  });

  test('[SEAL-123] a server that hands over a key of its own is not believed before the words were compared', async () => {
    const both = await two();
    const { older, newer } = both;
    const { devices } = at(await older.run('sealing.give'), 'choose');
    // It stands between: the new device agrees with the server, and not with the old one.
    const own = answerPairing((bytes) => void randomFillSync(bytes));
    pairings.change = (seen) => {
      const { newKey, nonce } = seen;
      const fooled = { ...seen, oldKey: own.publicKey };
      if (newKey === null || nonce === null) return fooled;
      const transcript = { account: 1, newKey, nonce, oldKey: own.publicKey };
      const agreed = agreement(own.secret, newKey, transcript);
      const key = newAccountKey((bytes) => void randomFillSync(bytes));
      return agreed === null
        ? fooled
        : { ...fooled, handed: handOver(agreed, key, (bytes) => void randomFillSync(bytes)) };
    };
    await older.answer({ action: 'choose', id: devices?.at(-1)?.id ?? ('' as never) });
    await newer.wait();
    await newer.wait();
    at(newer.step, 'compare');
    assert.equal(newer.store.kept, null);
    pairings.change = (seen) => seen;
  });

  test('[SEAL-124] a device that reads the picture of the other gives the key without words', async () => {
    const both = await two();
    const { older, newer } = both;
    const { picture } = at(newer.step, 'askOther');
    await older.run('sealing.give');
    at(await older.answer({ action: 'scan' }), 'scan');
    await older.wait();
    at(older.step, 'scan');
    await older.answer({ action: 'read', text: picture });
    await newer.wait();
    await older.wait();
    await newer.wait();
    await older.wait();
    assert.deepEqual(newer.store.kept?.key, older.store.kept?.key);
    assert.equal(older.step?.type, 'moving');
  });

  test('[SEAL-125] another picture, or that of a device that asks no more, gives nothing and is said', async () => {
    const both = await two();
    const { older, newer } = both;
    const { picture } = at(newer.step, 'askOther');
    await older.run('sealing.give');
    await older.answer({ action: 'scan' });
    const other = pictureText(beginPairing((bytes) => void randomFillSync(bytes)));
    for (const text of ['https://example.org/', '', `${picture}A`, other]) {
      const step = at(await older.answer({ action: 'read', text }), 'scan');
      assert.match(step.error ?? '', /isn’t the picture/, text);
    }
    newer.desk.app.closeDialog();
    await newer.settled();
    const gone = at(await older.answer({ action: 'read', text: picture }), 'scan');
    assert.match(gone.error ?? '', /isn’t the picture/);
    assert.equal(newer.store.kept, null);
  });

  test('[SEAL-126] a server that doesn’t know the picture can make nothing of it, and changes nothing unnoticed', async () => {
    const both = await two();
    const { older, newer } = both;
    const { picture } = at(newer.step, 'askOther');
    const stranger = 'B'.repeat(43);
    await older.run('sealing.give');
    await older.answer({ action: 'scan' });
    pairings.change = (seen) => (seen.newKey === null ? seen : { ...seen, newKey: stranger });
    await older.answer({ action: 'read', text: picture });
    await newer.wait();
    await older.wait();
    assert.match(at(older.step, 'problem').text, /doesn’t fit together/);
    pairings.change = (seen) => seen;
    await newer.wait();
    assert.equal(newer.store.kept, null);
  });

  test('[SEAL-144] the key goes only after a confirmation of identity, and then by itself', async () => {
    const both = await two();
    await chosen(both);
    const { older, newer } = both;
    await newer.answer({ action: 'same' });
    older.server.isConfirmed = false;
    at(await older.answer({ action: 'same' }), 'confirm');
    assert.equal(newer.store.kept, null);
    await older.answer({ action: 'send', values: { password: 'violet anchor' } });
    assert.deepEqual(older.passwords, ['violet anchor']);
    await newer.wait();
    assert.ok(newer.store.kept !== null);
  });

  test('[SEAL-134] a locked device gives nothing, and one with the key asks for none', async () => {
    const older = new SealedOffice(undefined, pairings);
    await older.turnOn();
    const newer = new SealedOffice(older.server, pairings);
    assert.match(at(await newer.run('sealing.give'), 'unlock').error ?? '', /locked/);
    assert.equal((await older.run('sealing.ask'))?.type, 'moving');
  });
});

describe('a passphrase', () => {
  const TEXT = 'five unrelated words are good';

  /** A device with the key whose person has set a passphrase. */
  async function withPassphrase() {
    const older = new SealedOffice();
    const code = await older.turnOn();
    at(await older.run('sealing.passphrase'), 'passphrase');
    await older.answer({ action: 'send', values: { passphrase: TEXT, again: TEXT } });
    return { older, code };
  }

  /** What a locked device says of what was typed; null: it is open. */
  async function typed(office: SealedOffice, code: string): Promise<string | null> {
    await office.run('sealing.unlock');
    const step = await office.answer({ action: 'send', values: { code } });
    return step?.type === 'unlock' ? step.error : null;
  }

  test('[SEAL-145] opens a locked device from the field of the code, where mistakes in a code are still said as such', async () => {
    const { older, code } = await withPassphrase();
    const newer = new SealedOffice(older.server);
    assert.match((await typed(newer, 'five unrelated words')) ?? '', /isn’t the passphrase/);
    assert.match((await typed(newer, code.slice(0, -1))) ?? '', /1 more to type/);
    assert.equal(newer.hasKey, false);
    assert.equal(await typed(newer, TEXT), null);
    assert.deepEqual(newer.store.kept?.key, older.store.kept?.key);
    const third = new SealedOffice(older.server);
    assert.equal(await typed(third, code), null);
  });

  test('[SEAL-146] is long and typed twice; a new one takes the place of the old one', async () => {
    const { older } = await withPassphrase();
    const { has } = at(await older.run('sealing.passphrase'), 'passphrase');
    assert.equal(has, true);
    const said = async (passphrase: string, again = passphrase) =>
      at(await older.answer({ action: 'send', values: { passphrase, again } }), 'passphrase').error;
    assert.match((await said('short')) ?? '', /at least 16/);
    assert.match((await said(`${' '.repeat(20)}short`)) ?? '', /at least 16/);
    assert.match((await said('another long passphrase', 'another long one')) ?? '', /aren’t the same/);
    const next = 'another long passphrase';
    await older.answer({ action: 'send', values: { passphrase: next, again: next } });
    const newer = new SealedOffice(older.server);
    assert.match((await typed(newer, TEXT)) ?? '', /isn’t the passphrase/);
    assert.equal(await typed(newer, next), null);
  });

  test('[SEAL-146] opens nothing once it was removed, nor where the server didn’t keep it', async () => {
    const { older, code } = await withPassphrase();
    await older.run('sealing.passphrase');
    await older.answer({ action: 'removePassphrase' });
    const newer = new SealedOffice(older.server);
    assert.match((await typed(newer, TEXT)) ?? '', /no passphrase opens your tasks now/);
    assert.equal(await typed(newer, code), null);

    const lying = new SealedOffice();
    await lying.turnOn();
    await lying.run('sealing.passphrase');
    lying.server.losesWraps = true;
    const problem = at(
      await lying.answer({ action: 'send', values: { passphrase: TEXT, again: TEXT } }),
      'problem',
    );
    assert.match(problem.text, /gave back something else/);
  });
});

describe('a passkey', () => {
  const passkey = { credential: 'a-credential', answer: new Uint8Array(32).fill(5) };

  test('[SEAL-147] unlocks another device once it was added, and no other passkey does', async () => {
    const older = new SealedOffice();
    await older.turnOn();
    older.passkey = passkey;
    await older.run('sealing.overview');
    await older.answer({ action: 'addPasskey' });
    const newer = new SealedOffice(older.server);
    assert.equal(at(await newer.run('sealing.unlock'), 'unlock').hasPasskey, true);
    assert.match(at(await newer.answer({ action: 'usePasskey' }), 'unlock').error ?? '', /No passkey opened/);
    newer.passkey = { ...passkey, credential: 'another' };
    assert.match(at(await newer.answer({ action: 'usePasskey' }), 'unlock').error ?? '', /No passkey opened/);
    newer.passkey = { ...passkey, answer: new Uint8Array(32).fill(6) };
    assert.match(at(await newer.answer({ action: 'usePasskey' }), 'unlock').error ?? '', /No passkey opened/);
    assert.equal(newer.hasKey, false);
    newer.passkey = passkey;
    await newer.answer({ action: 'usePasskey' });
    assert.deepEqual(newer.store.kept?.key, older.store.kept?.key);
  });

  test('[SEAL-147] one that answers nothing changes nothing, and says so', async () => {
    const older = new SealedOffice();
    await older.turnOn();
    const { wraps } = older.server;
    const names = Object.keys(wraps);
    await older.run('sealing.overview');
    assert.match(at(await older.answer({ action: 'addPasskey' }), 'problem').text, /No passkey opened/);
    assert.deepEqual(Object.keys(older.server.wraps), names);
    const newer = new SealedOffice(older.server);
    assert.equal(at(await newer.run('sealing.unlock'), 'unlock').hasPasskey, false);
  });
});
