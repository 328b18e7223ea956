// Where changes are, and refused changes made again, through the app as a person uses it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, type Id } from '#core/ids.ts';
import type { AccountFailure, DeviceInfo } from '#client/app/app.ts';
import { needsFeature } from '#client/commands/needs.ts';
import { readUnsent } from '#client/sync-status/unsent-reading.ts';
import { unsentActions } from '#client/sync-status/unsent-actions.ts';
import { writeUnsent } from '#client/sync-status/unsent-file.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { nameOf } from '#sync/rows/row-reading.ts';
import { SCOPE, START } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';
import { sharingDesk, SharingServer } from './sharing-server.ts';

const idOf = (n: number) => `0193b3a0-0000-7000-8000-${String(n).padStart(12, '0')}` as Id;

const operationOf = (q: number, action: Action): Operation => ({
  ...action,
  q,
  u: idOf(500 + q),
  scope: SCOPE,
  t: START,
  b: 0,
});

const lost = operationOf(7, {
  a: 'create',
  id: idOf(77),
  type: 'task',
  fields: { title: 'Nearly lost' },
  place: { parent: idOf(999) },
});

function statusOf(desk: Desk) {
  desk.app.run('application.syncStatus');
  const dialog = desk.app.view.dialog.get();
  assert.ok(dialog?.type === 'sync');
  return dialog.status;
}

describe('sync status', () => {
  test('lists what waits, readable, the first fifty of it', () => {
    const desk = new Desk('> A');
    const pending = Array.from({ length: 60 }, (_, n) =>
      operationOf(n + 1, { a: 'set', id: idOf(n), field: 'notes', value: `Text ${n}` }),
    );
    desk.engine.known = { pending, digest: 'different' };
    const status = statusOf(desk);
    assert.equal(status.unsentCount, 60);
    assert.equal(status.unsent.length, 50);
    assert.deepEqual(status.unsent[0], { seq: 1, what: 'Edit notes', about: 'Text 0' });
  });

  test('says which of app and server is older, and that changes stay here', () => {
    const desk = new Desk('> A');
    desk.engine.setSync({ type: 'outdated', which: 'server', waiting: 0 });
    assert.match(desk.app.view.status.get().message?.text ?? '', /stay on this device/);
    assert.match(statusOf(desk).headline, /^The server runs an older version.* Your work stays/);
    desk.engine.setSync({ type: 'outdated', which: 'app', waiting: 0 });
    assert.match(statusOf(desk).headline, /^This version of Posthaste is too old/);
  });

  test('says plainly that nothing waits to be downloaded', () => {
    const desk = new Desk('> A', { account: { ...noAccount, email: 'person@example.org' } });
    desk.app.run('sync.download');
    const message = desk.app.view.status.get().message;
    assert.deepEqual([message?.text, message?.tone], ['Everything’s synced.', 'info']);
  });

  test('a refused creation is made again in the Inbox, once, and can be undone', () => {
    const desk = new Desk('> A');
    desk.engine.refusals = [{ operation: lost, verdict: 'badparent', at: START }];
    assert.deepEqual(statusOf(desk).recovered, [
      {
        seq: 7,
        what: 'Add task',
        about: 'Nearly lost',
        list: null,
        reason: 'The place it was going to doesn’t exist.',
        canApply: true,
        sides: null,
        kept: 'Since 27 Nov 2026, kept until 27 Dec 2026',
      },
    ]);
    desk.app.answer('sync', { action: 'again', seq: 7 });
    desk.app.closeDialog();
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['A', 'Nearly lost'],
    );
    assert.deepEqual(desk.engine.refusals, []);
    desk.app.run('edit.undo');
    assert.equal(desk.rows().length, 1);
  });

  test('[SYNC-72] a change that was refused with a word of a newer server says the word', () => {
    const desk = new Desk('> A');
    desk.engine.refusals = [{ operation: lost, verdict: 'reseal', at: START }];
    const [item] = statusOf(desk).recovered;
    assert.equal(
      item?.reason,
      'The server refused it, with a word that this version doesn’t know: “reseal”.',
    );
    assert.ok(item.canApply);
  });

  test('[SYNC-73] what the server cannot do yet says that it has to be updated, unless there is no account', () => {
    const desk = new Desk('> A');
    const program = (features: readonly string[], account: number) =>
      ({ replica: { account }, engine: { facts: () => ({ ...desk.engine.facts(), features }) } }) as never;
    assert.equal(needsFeature(program([], 7), 'mount'), 'The server has to be updated first.');
    assert.equal(needsFeature(program(['mount'], 7), 'mount'), null);
    assert.equal(needsFeature(program([], 0), 'mount'), null);
  });

  test('a text whose task is gone becomes a task; a deletion of what is gone can only be let go', () => {
    const desk = new Desk('> A');
    const text = operationOf(8, { a: 'set', id: idOf(78), field: 'title', value: 'Kept words' });
    const gone = operationOf(9, { a: 'delete', id: idOf(79) });
    desk.engine.refusals = [text, gone].map((operation) => ({ operation, verdict: 'gone', at: START }));
    assert.deepEqual(
      statusOf(desk).recovered.map(({ canApply }) => canApply),
      [true, false],
    );
    desk.app.answer('sync', { action: 'again', seq: 8 });
    desk.app.answer('sync', { action: 'drop', seq: 9 });
    assert.deepEqual(desk.engine.refusals, []);
    assert.ok(desk.rows().some(({ title }) => title === 'Kept words'));
  });
});

describe('the devices of the account', () => {
  const device = (number: number, more: Partial<DeviceInfo> = {}): DeviceInfo => ({
    number,
    name: 'Chrome on Linux',
    current: false,
    signedIn: true,
    lastHeardAt: START - 3_600_000,
    lastChange: 12,
    upToDate: true,
    ...more,
  });
  const at = (answer: readonly DeviceInfo[] | AccountFailure) =>
    new Desk('> A', {
      account: { ...noAccount, email: 'person@example.org', devices: () => Promise.resolve(answer) },
    });

  test('[LEDGER-1] stand in the status by name, this one first, with when each was heard and its newest change', async () => {
    const desk = at([
      device(3),
      device(4),
      device(5, { name: 'Safari on iPhone', upToDate: false, signedIn: false, lastChange: 0 }),
      device(6, { name: null, lastHeardAt: null }),
      device(7, { current: true }),
    ]);
    const pending = [lost, { ...lost, q: 8 }];
    desk.engine.known = { deviceNumber: 3, acked: 7, heardAt: START, pending };
    assert.match(statusOf(desk).devices?.note ?? '', /^Asking/);
    await desk.settle();
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'sync' && dialog.status.devices);
    const { list, note } = dialog.status.devices;
    assert.equal(note, null);
    assert.deepEqual(
      list.map(({ name, heard, change, state }) => `${name}. ${heard}. ${change}. ${state}`),
      [
        'This device, Chrome on Linux. Heard just now. Its changes up to 7 are on the server. 2 changes not synced yet',
        'Chrome on Linux (device 4). Last heard 27 Nov 2026, 08:00. Its changes up to 12 are on the server. Up to date when last heard',
        'Safari on iPhone. Last heard 27 Nov 2026, 08:00. None of its changes are on the server. May not have the newest changes, signed out',
        'Device 6. Not heard from yet. Its changes up to 12 are on the server. Up to date when last heard',
        'This browser (device 7). Last heard 27 Nov 2026, 08:00. Its changes up to 12 are on the server. Up to date when last heard',
      ],
    );
  });

  test('[LEDGER-4] what the server does not say is said; what it said before stays', async () => {
    const offline: AccountFailure = { type: 'offline', message: 'The server cannot be reached.' };
    const answers: (readonly DeviceInfo[] | AccountFailure)[] = [offline, [device(4)], offline];
    const desk = new Desk('> A', {
      account: {
        ...noAccount,
        email: 'person@example.org',
        devices: () => Promise.resolve(answers.shift() ?? []),
      },
    });
    const opened = async () => {
      statusOf(desk);
      await desk.settle();
      const dialog = desk.app.view.dialog.get();
      assert.ok(dialog?.type === 'sync' && dialog.status.devices);
      desk.app.closeDialog();
      const { list, note } = dialog.status.devices;
      return [list.length, note];
    };
    assert.deepEqual(await opened(), [1, 'The server cannot be reached.']);
    assert.deepEqual(await opened(), [2, null]);
    assert.deepEqual(await opened(), [2, null]);
  });

  test('[LEDGER-4] without an account, or with cloud sync off, nobody is asked', async () => {
    assert.equal(statusOf(new Desk('> A')).devices, null);
    const desk = at([device(4)]);
    desk.engine.detach();
    statusOf(desk);
    await desk.settle();
    const { devices } = statusOf(desk);
    assert.deepEqual([devices?.list.length, devices?.note?.startsWith('Cloud sync is off')], [1, true]);
  });
});

describe('conflicts', () => {
  const texts = (desk: Desk) => {
    const [first, second] = desk.rows().map(({ id }) => id);
    const of = (q: number, id: Id, value: string) => ({
      operation: operationOf(q, { a: 'set', id, field: 'title', value }),
      verdict: 'superseded' as const,
      at: START,
    });
    desk.engine.refusals = [of(51, first as Id, 'Mine A'), of(52, second as Id, 'Mine B')];
  };

  test('show both texts; keeping mine writes it again, keeping theirs lets go, and either text can be copied', async () => {
    const desk = new Desk('> A\n  B');
    texts(desk);
    const [first] = statusOf(desk).recovered;
    assert.deepEqual([first?.sides?.mine, first?.sides?.theirs], ['Mine A', 'A']);
    assert.match(first?.sides?.by ?? '', /^this device, 27 Nov 2026/);
    desk.app.answer('sync', { action: 'copy', seq: 51 });
    await desk.settle();
    assert.equal(desk.clipboard, 'Mine A');
    desk.app.answer('sync', { action: 'again', seq: 51 });
    desk.app.answer('sync', { action: 'drop', seq: 52 });
    desk.app.closeDialog();
    assert.equal(desk.screen(), '> Mine A\n  B');
    assert.deepEqual(desk.engine.refusals, []);
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '> A\n  B');
  });

  test('[SHARE-372] the message, and each change in the dialog, says in which list it was made', async () => {
    const desk = sharingDesk(new SharingServer(), '> A');
    const list = desk.holdShared('Trip', ['Tent', 'Fire']);
    desk.confirm();
    desk.app.run('go.list', { list });
    await desk.settle();
    const ids = desk.rows().map(({ id }) => id);
    const refuse = (...of: readonly Id[]) => {
      const asked = of.map((id) => ({ a: 'set', id, field: 'title', value: 'Another' }) as const);
      const { operations } = desk.replica.issue(asked);
      desk.engine.refuse(new Map(operations.map((operation) => [operation, 'forbidden'])));
    };
    refuse(...ids);
    await desk.until(() => desk.message.includes('refused'));
    assert.equal(desk.message, '2 changes in ‘Trip’ were refused and kept. See “Show recovered changes.”');
    assert.deepEqual(
      statusOf(desk).recovered.map((item) => item.list),
      ['Trip', 'Trip'],
    );
    desk.app.closeDialog();
    const own = [...desk.replica.all()].find((row) => nameOf(row) === 'A')?.id;
    refuse(own as Id, ids[0] as Id);
    await desk.until(() => !desk.message.includes('Trip'));
    assert.equal(desk.message, '2 changes were refused and kept. See “Show recovered changes.”');
  });

  test('all are made again at once', () => {
    const desk = new Desk('> A\n  B');
    texts(desk);
    statusOf(desk);
    desk.app.answer('sync', { action: 'again' });
    desk.app.closeDialog();
    assert.equal(desk.screen(), '> Mine A\n  Mine B');
    assert.deepEqual(desk.engine.refusals, []);
  });

  test('wait for thirty days, and going is said', async () => {
    const desk = new Desk('> A\n  B');
    texts(desk);
    const [kept, old] = desk.engine.refusals;
    assert.ok(kept && old);
    desk.engine.refusals = [kept, { ...old, at: START - 31 * 86_400_000 }];
    desk.timers.advance(1_000);
    await desk.settle();
    assert.deepEqual(desk.engine.refusals, [kept]);
    assert.equal(desk.message, 'A recovered change was discarded after 30 days.');
  });
});

describe('a file of unsynced changes', () => {
  const file = writeUnsent(
    { scope: idOf(300), operations: [lost], recovered: [] },
    { email: 'ida@example.org', at: START },
  );

  test('is read back; another account’s Inbox becomes this one’s', () => {
    const read = readUnsent(file);
    assert.ok(read.ok);
    assert.deepEqual(read.value.changes.operations, [lost]);
    const moved = { ...lost, place: { parent: inboxId(idOf(300)) } };
    const [action] = unsentActions({ ...read.value.changes, operations: [moved] }, SCOPE);
    assert.ok(action?.a === 'create');
    assert.equal(action.place?.parent, inboxId(SCOPE));
    assert.ok(!('q' in action));
  });

  test('what cannot be read is counted and does not hold up the rest', () => {
    const read = readUnsent(file.replace('"operations": [', '"operations": [ {"q": "no"},'));
    assert.ok(read.ok);
    assert.equal(read.value.unreadable, 1);
    assert.equal(read.value.changes.operations.length, 1);
    assert.ok(!readUnsent('{"format":"other"}').ok);
    assert.ok(!readUnsent('{').ok);
    assert.ok(!readUnsent(file.replace('"version": 1', '"version": 2')).ok);
  });
});
