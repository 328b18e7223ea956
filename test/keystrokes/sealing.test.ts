// The dialog of encryption: what is said before anything is made, the code that is typed again, and what a device that is locked is told.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { isKnown } from '#sync/rows/row.ts';
import { withLocked } from '#sync/rows/locked.ts';
import { Desk } from './desk.ts';
import { SealedOffice } from './sealed-office.ts';

describe('the dialog of encryption', () => {
  test('[SEAL-100] says what stays readable before anything is made, and begins once two groups are typed as shown', async () => {
    const office = new SealedOffice();
    const check = await office.run('sealing.turnOn');
    assert.equal(check?.type, 'check');
    const shown = await office.answer({ action: 'next' });
    assert.ok(shown?.type === 'code' && shown.groups.length === 7);
    await office.answer({ action: 'next' });
    const wrong = await office.answer({ action: 'send', values: { group0: 'XXXX', group1: 'XXXX' } });
    assert.ok(wrong?.type === 'type');
    assert.equal(wrong.error, `Group ${shown.asked[0] + 1} isn’t as shown. Check what you wrote down.`);
    assert.deepEqual([office.server.state.generation, office.server.wraps, office.store.kept], [0, {}, null]);
    assert.ok((await office.answer({ action: 'back' }))?.type === 'code');
    const moving = await office.typeAgain(shown);
    assert.equal(moving?.type, 'moving');
    assert.deepEqual(office.server.state, { phase: 'sealing', generation: 1 });
    assert.ok(office.store.kept !== null);
  });

  test('[SEAL-100] a code that is closed unused leaves nothing behind', async () => {
    const office = new SealedOffice();
    await office.code();
    office.desk.app.closeDialog();
    await office.settled();
    assert.deepEqual([office.server.state.generation, office.server.wraps, office.store.kept], [0, {}, null]);
  });

  test('[SEAL-101] asks who it is where the server wants to know, and goes on by itself', async () => {
    const office = new SealedOffice();
    office.server.isConfirmed = false;
    const asked = await office.typeAgain(await office.code());
    assert.equal(asked?.type, 'confirm');
    // Nothing is asked of the server without a password.
    const empty = await office.answer({ action: 'send', values: { password: '' } });
    assert.ok(empty?.type === 'confirm');
    assert.equal(empty.error, 'Type your password.');
    assert.deepEqual(office.passwords, []);
    const moving = await office.answer({ action: 'send', values: { password: 'long and winding' } });
    assert.equal(moving?.type, 'moving');
    assert.deepEqual(office.passwords, ['long and winding']);
    assert.equal(office.server.state.phase, 'sealing');
  });

  test('[SEAL-102] a locked device is unlocked by the code, and mistakes in it are said', async () => {
    const first = new SealedOffice();
    const code = await first.turnOn();
    const second = new SealedOffice(first.server);
    assert.equal((await second.run('sealing.unlock'))?.type, 'unlock');
    const said = async (typed: string): Promise<string | null> => {
      const step = await second.answer({ action: 'send', values: { code: typed } });
      return step?.type === 'unlock' ? step.error : null;
    };
    assert.equal(await said(code.slice(0, -2)), 'The code has seven groups of four. 2 more to type.');
    assert.equal(await said(`${code.slice(0, 4)}!`), '“!” isn’t part of a code. Check that place.');
    const last = code.at(-1) === '0' ? '1' : '0';
    assert.match((await said(code.slice(0, -1) + last)) ?? '', /typing mistake/);
    const other = new SealedOffice();
    assert.match((await said(await other.turnOn())) ?? '', /isn’t the code of this account/);
    assert.equal(await said(code.toLowerCase().replaceAll('-', ' ')), null);
    assert.ok(second.store.kept !== null);
    assert.equal((await second.run('sealing.unlock'))?.type, 'moving');
  });

  test('[SEAL-158] says how many files still wait, and counts them down while it is looked at', async () => {
    const office = new SealedOffice();
    office.server.filesLeft = 2;
    await office.turnOn();
    const said = (step = office.step) => (step?.type === 'overview' ? step.said : step?.type);
    office.server.state = { phase: 'sealed', generation: 1 };
    await office.wait();
    const open = 'Keep Posthaste open on a device with the key.';
    assert.equal(said(), `Your tasks are encrypted. 2 files from before still to encrypt. ${open}`);
    office.server.filesLeft = 1;
    await office.wait();
    assert.equal(said(), `Your tasks are encrypted. 1 file from before still to encrypt. ${open}`);
    office.server.filesLeft = 0;
    await office.wait();
    assert.equal(said(), 'Everything is encrypted.');
    office.server.state = { phase: 'plain', generation: 1 };
    office.server.filesLeft = 3;
    office.desk.app.closeDialog();
    assert.equal(
      said(await office.run('sealing.overview')),
      `Encryption is off. 3 files still to decrypt. ${open}`,
    );
  });

  test('[SEAL-103] turning it off asks first and keeps the key; without the key it asks for the code', async () => {
    const office = new SealedOffice();
    await office.turnOn();
    const stranger = new SealedOffice(office.server);
    assert.equal((await stranger.run('sealing.turnOff'))?.type, 'unlock');
    assert.equal((await office.run('sealing.turnOff'))?.type, 'off');
    assert.equal(office.server.state.phase, 'sealing');
    const moving = await office.answer({ action: 'next' });
    assert.ok(moving?.type === 'moving' && !moving.isOn);
    assert.deepEqual(office.server.state, { phase: 'unsealing', generation: 1 });
    assert.ok(office.store.kept !== null);
  });

  test('[SEAL-104] a new code takes the place of the old one only once it was typed again', async () => {
    const office = new SealedOffice();
    const old = await office.turnOn();
    const wrap = office.server.wraps['code'];
    const shown = await office.code('sealing.newCode');
    assert.notEqual(shown.groups.join('-'), old);
    assert.equal(office.server.wraps['code'], wrap);
    const done = await office.typeAgain(shown);
    assert.ok(done?.type === 'overview');
    assert.notEqual(office.server.wraps['code'], wrap);
    const second = new SealedOffice(office.server);
    await second.run('sealing.unlock');
    const refused = await second.answer({ action: 'send', values: { code: old } });
    assert.ok(refused?.type === 'unlock' && refused.error !== null);
    await second.answer({ action: 'send', values: { code: shown.groups.join('-') } });
    assert.ok(second.store.kept !== null);
  });

  test('[SEAL-105] rows that don’t open are told once, with the way to unlock them', async () => {
    const { desk } = new SealedOffice();
    await desk.settle();
    const row = must(
      [...desk.replica.all()].find(({ type }) => type === 'task'),
      'a task',
    );
    assert.ok(isKnown(row));
    const locked = withLocked({ ...row, version: row.version + 1 }, new Set(['title']));
    desk.replica.amend({ incoming: new Map([[row.id, locked]]) });
    await desk.settle();
    assert.match(desk.message, /this device is locked.*Unlock with recovery code/);
    assert.equal(desk.rows()[0]?.title, 'Locked');
  });

  test('[SEAL-224] an export of what doesn’t open says that nobody can read it', async () => {
    const desk = new Desk('> Own');
    const row = must(
      [...desk.replica.all()].find(({ type }) => type === 'task'),
      'a task',
    );
    desk.replica.amend({
      incoming: new Map([[row.id, withLocked({ ...row, version: row.version + 1 }, new Set(['title']))]]),
    });
    desk.app.run('export.accountJson');
    await desk.settle();
    assert.match(desk.message, /Exported to .*isn’t readable in there.*Unlock with recovery code/);
  });

  test('[SEAL-108] says why a task doesn’t go to a shared list, and what becomes of one that does', async () => {
    const desk = new Desk('> Own', { isConfirmed: true });
    desk.holdShared('Trip', ['Book'], null);
    const { held } = desk.engine;
    const move = async () => {
      desk.press('m');
      desk.type('Trip');
      desk.press('Enter');
      await desk.settle();
      desk.timers.advance(0);
    };
    held.amend({ meta: { ...held.meta, apart: true } }, null);
    await move();
    assert.match(desk.message, /Nothing was moved.*when this device has the key/);
    assert.equal(desk.screen(), '> Own');
    held.amend({ meta: { ...held.meta, apart: true, bridge: true } }, null);
    await move();
    assert.match(desk.message, /what you moved there is decrypted/);
    assert.equal(desk.screen(), '');
    desk.app.run('edit.undo');
    await desk.settle();
    desk.timers.advance(0);
    assert.equal(desk.screen(), '> Own');
    assert.doesNotMatch(desk.message, /decrypted/);
  });
});
