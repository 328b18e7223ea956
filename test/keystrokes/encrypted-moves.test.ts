// Moving tasks to encrypted lists and away from them by keys: what is decrypted by it is said, and what this device has no key for stays.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { withLocked } from '#sync/rows/locked.ts';
import { asRow, type Fields, type Row } from '#sync/rows/row.ts';
import { Desk } from './desk.ts';
import { SCOPE, START } from './desk-engine.ts';

const id = (end: number) => `0193b3a0-0000-7000-8000-0000000002${String(end).padStart(2, '0')}` as Id;
const [ENCRYPTED, LIST, TASK] = [id(1), id(2), id(3)];
const [OPEN, PLAIN, OTHER] = [id(4), id(5), id(6)];
const OWN = id(7);

const DECRYPTED = 'This shared list isn’t encrypted: what you moved there is decrypted.';

function rowOf(of: Id, type: Row['type'], scope: Id, fields: Fields): Row {
  const head = { version: 2, stamp: [2, START - 60_000, 9, 1], createdAt: START, updatedAt: START } as const;
  return asRow({ ...head, id: of, type, scope, fields });
}

const under = (parent: Id) => ({ place: { parent, key: 'a0' } });

/** An encrypted account with an encrypted list, and one that is shared in the open, each with a task. */
function desk(state: 'open' | 'locked'): Desk {
  const made = new Desk('', { isConfirmed: true });
  for (const scope of [ENCRYPTED, OPEN]) made.replica.setCursor(scope, { generation: 'g', version: 2 });
  const list = { listType: 'list' } as const;
  receivePage(made.replica, [
    rowOf(LIST, 'list', ENCRYPTED, { name: 'Trip', ...list, ...under(listsRoot(ENCRYPTED)) }),
    rowOf(TASK, 'task', ENCRYPTED, { title: 'Book', ...under(LIST) }),
    rowOf(PLAIN, 'list', OPEN, { name: 'Open', ...list, ...under(listsRoot(OPEN)) }),
    rowOf(OTHER, 'task', OPEN, { title: 'Told', ...under(PLAIN) }),
    rowOf(OWN, 'task', SCOPE, { title: 'Own', ...under(inboxId(SCOPE)) }),
  ]);
  const { held } = made.engine;
  const { meta } = held;
  const lists = { [ENCRYPTED]: state };
  held.amend({ meta: { ...meta, lists, apart: true, bridge: true } }, null);
  made.engine.known = { isApart: true, lists };
  return made;
}

async function move(made: Desk, from: Id, task: Id, to: Id): Promise<string> {
  made.app.run('go.list', { list: from });
  made.app.pressRow(task, { shift: false, mod: false });
  made.app.run('task.move', { list: to });
  await made.settle();
  // What is said after what the command says.
  made.timers.advance(0);
  return made.message;
}

describe('moving tasks to encrypted lists and away from them', () => {
  test('[SEAL-307] says what is decrypted by it, and says nothing where all stays encrypted', async () => {
    const made = desk('open');
    assert.notEqual(await move(made, inboxId(SCOPE), OWN, LIST), DECRYPTED);
    assert.equal(made.replica.children(LIST).length, 2);
    assert.notEqual(await move(made, LIST, OWN, inboxId(SCOPE)), DECRYPTED);
    assert.equal(made.replica.children(LIST).length, 1);
    assert.equal(await move(made, LIST, TASK, PLAIN), DECRYPTED);
    assert.equal(made.replica.children(PLAIN).length, 2);
    assert.notEqual(await move(made, PLAIN, OTHER, LIST), DECRYPTED);
    assert.equal(made.replica.children(LIST).length, 1);
  });

  test('[SEAL-316] without the key of the list nothing goes there or away, and a sentence says why', async () => {
    const made = desk('locked');
    for (const [from, task, to] of [
      [inboxId(SCOPE), OWN, LIST],
      [LIST, TASK, inboxId(SCOPE)],
      [PLAIN, OTHER, LIST],
    ] as const) {
      const said = await move(made, from, task, to);
      assert.match(said, /^This encrypted list isn’t open on this device, so nothing was moved/);
      assert.ok(made.replica.children(from).some((row) => row.id === task));
    }
  });

  test('[SEAL-406] what is typed for a task that is refused here is kept in quick entry, with the reason', async () => {
    const made = desk('locked');
    await made.settle();
    made.app.run('go.list', { list: LIST });
    made.app.pressRow(TASK, { shift: false, mod: false });
    made.press('Ctrl+Enter', 'm');
    await made.settle();
    made.timers.advance(0);
    assert.match(made.message, /nothing was written in it/);
    const dialog = made.app.view.dialog.get();
    assert.ok(dialog?.type === 'quickEntry');
    assert.deepEqual([dialog.entry.text, dialog.entry.list], ['m', null]);
    assert.equal(made.app.view.palette.get(), null);
  });

  test('[SEAL-406] what is typed for a locked line runs no commands, until a pause or another key', async () => {
    const made = desk('open');
    const row = made.replica.row(TASK);
    assert.ok(row !== undefined);
    receivePage(made.replica, [withLocked({ ...row, version: 3 }, new Set(['title']))]);
    await made.settle();
    made.app.run('go.list', { list: LIST });
    made.app.pressRow(TASK, { shift: false, mod: false });
    const before = JSON.stringify([...made.replica.all()]);
    const isMoving = () => made.app.view.palette.get() !== null;
    made.press('Enter');
    // Each of these is a command where no line was refused.
    made.press('x', 'm', 'c', 'Space', 'Backspace', 'Tab', 'Enter');
    made.timers.advance(0);
    assert.match(made.message, /This is encrypted, and this device doesn’t have its key/);
    assert.deepEqual([made.app.view.dialog.get(), isMoving()], [null, false]);
    assert.equal(JSON.stringify([...made.replica.all()]), before);
    // Another key ends it.
    made.press('Escape');
    made.press('m');
    assert.equal(isMoving(), true);
    made.press('Escape');
    made.press('Enter', 'm');
    assert.equal(isMoving(), false);
    made.timers.advance(2_000);
    made.press('m');
    assert.equal(isMoving(), true, 'and so does a pause');
    made.press('Escape');
    // Nothing was asked for by a key.
    made.app.run('task.edit');
    made.press('m');
    assert.equal(isMoving(), true);
  });
});
