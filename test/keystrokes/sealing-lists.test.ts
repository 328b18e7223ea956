// The dialog of encryption for somebody who is in a list that stays encrypted: what it says before encryption is turned off, and what can be done
// with the key afterwards.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { withLocked } from '#sync/rows/locked.ts';
import { isKnown } from '#sync/rows/row.ts';
import { PairingOffice, SealedOffice } from './sealed-office.ts';
import { SharingServer, tellShared } from './sharing-server.ts';

/** The desk is in an encrypted list “Trip”, as its copy has heard. `isOpen`: with its key. */
function joins({ desk }: SealedOffice, isOpen: boolean): Id {
  desk.app.run('list.create', { name: 'Trip' });
  desk.confirm();
  const list = must(desk.lists().find(({ name }) => name === 'Trip')?.id, 'the list') as Id;
  const scope = desk.replica.newId();
  tellShared(desk, list, scope);
  desk.engine.known = { ...desk.engine.known, lists: { [scope]: isOpen ? 'open' : 'locked' } };
  return list;
}

/** An account whose encryption was turned off, with its code. `step`: what was shown before. */
async function turnedOff() {
  const office = new SealedOffice();
  const code = await office.turnOn();
  await office.finishAndClose();
  joins(office, true);
  const step = await office.run('sealing.turnOff');
  await office.answer({ action: 'next' });
  assert.ok(await office.finish());
  office.desk.engine.known = { ...office.desk.engine.known, isApart: false };
  await office.wait();
  return { office, code, step };
}

/** Another device of the account, without its key. */
function another({ server }: SealedOffice, pairings?: PairingOffice): SealedOffice {
  const other = new SealedOffice(server, pairings);
  joins(other, false);
  return other;
}

describe('encryption and lists that stay encrypted', () => {
  test('[SEAL-398] turning it off says before it begins which lists stay encrypted, and afterwards that they do', async () => {
    const { office, step } = await turnedOff();
    assert.deepEqual(step, { type: 'off', kept: ['Trip'] });
    assert.equal(office.server.state.phase, 'plain');
    const after = office.step;
    assert.ok(after?.type === 'overview');
    assert.deepEqual([after.isOn, after.isOpen, after.hasKeys, after.kept], [false, true, true, ['Trip']]);
    assert.equal(
      after.said,
      'Encryption is off. The key stays on this device. Your encrypted lists stay encrypted, and open as before.',
    );
  });

  test('[SEAL-398] without such a list nothing is said of any', async () => {
    const office = new SealedOffice();
    await office.turnOn();
    await office.finishAndClose();
    assert.deepEqual(await office.run('sealing.turnOff'), { type: 'off', kept: [] });
  });

  test('[SEAL-399] another device is opened by the code, although the person’s own tasks are plain', async () => {
    const { office, code } = await turnedOff();
    const other = another(office);
    const asked = await other.run('sealing.unlock');
    assert.ok(asked?.type === 'unlock' && asked.isOff && !asked.isToTurnOn);
    const wrong = await other.answer({ action: 'send', values: { code: `${code.slice(0, 4)}!` } });
    assert.ok(wrong?.type === 'unlock' && wrong.error !== null);
    const opened = await other.answer({ action: 'send', values: { code } });
    assert.ok(opened?.type === 'overview' && opened.isOpen && !opened.isOn);
    assert.equal(opened.said, 'This device is unlocked.');
    assert.ok(other.hasKey);
  });

  test('[SEAL-399] what the key is needed for can be done without encryption: a new code, a passphrase, giving it', async () => {
    const { office } = await turnedOff();
    const code = await office.code('sealing.newCode');
    assert.equal((await office.typeAgain(code))?.type, 'overview');
    const pairings = await PairingOffice.open();
    const other = another(office, pairings);
    const refused = await other.run('sealing.give');
    assert.ok(refused?.type === 'unlock' && refused.error !== null);
    assert.ok(
      (await other.answer({ action: 'send', values: { code: code.groups.join('-') } }))?.type === 'overview',
    );
    assert.equal((await other.run('sealing.give'))?.type, 'choose');
    assert.equal((await other.run('sealing.passphrase'))?.type, 'passphrase');
    const rotation = await other.run('sealing.rotate');
    assert.match(rotation?.type === 'problem' ? rotation.text : '', /Run “Encrypt everything” first/);
    await pairings.close();
  });

  test('[SHARE-360] a new key says which encrypted lists get one, too, and whose public links end', async () => {
    const port = new SharingServer();
    const office = new SealedOffice(undefined, undefined, undefined, { port });
    await office.turnOn();
    await office.finishAndClose();
    const rotate = { type: 'rotate', dropped: [] };
    assert.deepEqual(await office.run('sealing.rotate'), { ...rotate, kept: [], published: [] });
    const list = joins(office, true);
    assert.deepEqual(await office.run('sealing.rotate'), { ...rotate, kept: ['Trip'], published: [] });
    await port.links.create(list, {});
    assert.deepEqual(await office.run('sealing.rotate'), { ...rotate, kept: ['Trip'], published: ['Trip'] });
  });

  test('[SHARE-358] Escape in a step goes back to the overview it was opened from, and closes the dialog elsewhere', async () => {
    const office = new SealedOffice();
    await office.turnOn();
    await office.finishAndClose();
    const escape = async () => {
      office.desk.press('Escape');
      await office.settled();
      return office.step?.type ?? null;
    };
    for (const action of ['turnOff', 'newCode', 'passphrase', 'rotate', 'forget'] as const) {
      await office.run('sealing.overview');
      assert.notEqual((await office.answer({ action }))?.type, 'overview');
      assert.equal(await escape(), 'overview', action);
      assert.equal(await escape(), null);
    }
    await office.run('sealing.turnOff');
    assert.equal(await escape(), null);
    assert.equal(office.server.state.phase, 'sealed');
  });

  test('[SEAL-400] a device without the key doesn’t make a new one unasked, and says what that would lock', async () => {
    const { office, code } = await turnedOff();
    const other = another(office);
    const asked = await other.run('sealing.turnOn');
    assert.ok(asked?.type === 'unlock' && asked.isToTurnOn);
    const anew = await other.answer({ action: 'newKey' });
    assert.deepEqual(
      [anew?.type === 'check' && anew.key, anew?.type === 'check' && anew.kept],
      ['other', ['Trip']],
    );
    await other.run('sealing.turnOn');
    const check = await other.answer({ action: 'send', values: { code } });
    assert.ok(check?.type === 'check' && check.key === 'again', 'it goes on with the key of before');
    const shown = await other.answer({ action: 'next' });
    assert.ok(shown?.type === 'code');
    assert.equal((await other.typeAgain(shown))?.type, 'moving');
    const first = await office.run('sealing.overview');
    assert.notEqual(first?.type, 'unlock', 'the first device goes on by itself');
  });

  test('[SEAL-400] without such a list it makes a new one, and says so', async () => {
    const { office } = await turnedOff();
    const check = await new SealedOffice(office.server).run('sealing.turnOn');
    assert.ok(check?.type === 'check' && check.key === 'other');
  });

  test('[SEAL-401] forgetting the key says which lists are locked by it, and a locked row where it is', async () => {
    const { office } = await turnedOff();
    const step = await office.run('sealing.forget');
    assert.ok(step?.type === 'forget');
    assert.deepEqual([step.isOn, step.kept], [false, ['Trip']]);
    const other = new SealedOffice(office.server);
    const list = joins(other, false);
    const row = must(other.desk.replica.row(list), 'the list');
    assert.ok(isKnown(row));
    const locked = withLocked({ ...row, version: row.version + 1 }, new Set(['name']));
    other.desk.replica.amend({ incoming: new Map([[row.id, locked]]) });
    await other.desk.settle();
    assert.equal(
      other.desk.message,
      'An encrypted list is locked on this device. Run “Unlock with recovery code” from the command palette.',
    );
  });

  test('[SEAL-401] an account that never had a key says what to do for a list that is locked', async () => {
    const office = new SealedOffice();
    joins(office, false);
    const step = await office.run('sealing.unlock');
    assert.match(step?.type === 'problem' ? step.text : '', /no key yet.*Encrypt everything/);
  });
});
