// Rows whose content doesn't open on this device: how they look, and that nothing is written over them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { rowWords } from '#client/outline/row-words.ts';
import { isKnown, registersOf, withFields, type Row } from '#sync/rows/row.ts';
import { lockedOf, withLocked } from '#sync/rows/locked.ts';
import { Desk } from './desk.ts';

const WHY = /encrypted, and this device doesn’t have its key\. Run “Unlock with recovery code”/;
const ENVELOPE = { e: 'AQAAAAE' };

/** A desk with a task of which these registers are locked. */
async function locked(
  ...names: readonly string[]
): Promise<{ readonly desk: Desk; readonly row: () => Row }> {
  const desk = new Desk('> A\nB', { isConfirmed: true });
  await desk.settle();
  const { held } = desk.engine;
  held.amend({ meta: { ...held.meta, apart: true } }, null);
  const found = must(
    [...desk.replica.all()].find(
      (each) => each.type === 'task' && desk.app.view.rows.slot(0).get()?.id === each.id,
    ),
    'a task',
  );
  assert.ok(isKnown(found));
  const sealed = Object.fromEntries(names.map((name) => [name, ENVELOPE]));
  const row = withFields({ ...found, version: found.version + 1 }, { ...registersOf(found), ...sealed });
  desk.replica.amend({ incoming: new Map([[row.id, withLocked(row, new Set(names))]]) });
  await desk.settle();
  return { desk, row: () => must(desk.replica.row(found.id), 'the task') };
}

/** What is said after the frame. */
function said(desk: Desk): string {
  desk.timers.advance(0);
  return desk.message;
}

describe('a locked row', () => {
  test('[SEAL-185] says that it is locked to the eye and to the ear, and an equal title of a readable one does not', async () => {
    const { desk } = await locked('title');
    const [first, second] = [desk.app.view.rows.slot(0).get(), desk.app.view.rows.slot(1).get()];
    assert.deepEqual([first?.title, first?.locked, second?.locked], ['Locked', true, false]);
    assert.match(rowWords(must(first, 'a row')), /^encrypted/);
    desk.press('j');
    desk.app.run('task.editAll');
    desk.type('Locked');
    desk.press('Escape');
    assert.equal(desk.app.view.rows.slot(1).get()?.locked, false);
  });

  test('[SEAL-186] its title isn’t edited: a sentence says why, and which command opens it', async () => {
    const { desk, row } = await locked('title');
    const before = row();
    desk.app.run('task.edit');
    assert.match(said(desk), WHY);
    assert.equal(desk.app.view.focus.get().pane, 'outline');
    assert.equal(desk.app.view.rows.slot(0).get()?.editing, false);
    desk.type('over it');
    assert.equal(row(), before);
  });

  test('[SEAL-186] its notes aren’t written', async () => {
    const { desk, row } = await locked('title', 'notes');
    const before = row();
    desk.app.run('notes.edit');
    await desk.settle();
    assert.match(said(desk), WHY);
    assert.notEqual(desk.app.view.focus.get().pane, 'notes');
    assert.equal(desk.app.view.notes.get()?.isLocked, true);
    assert.equal(row(), before);
  });

  test('[SEAL-187] nothing writes over what doesn’t open: no date, no copy of a key, no program; the rest of it can be changed', async () => {
    const { desk, row } = await locked('title', 'due', 'notes', 'meta:~AAAA');
    const { id } = row();
    const issue = (action: Parameters<Desk['replica']['issue']>[0][number]) =>
      desk.replica.issue([action]).verdicts[0];
    assert.equal(issue({ a: 'set', id, field: 'title', value: 'over it' }), 'forbidden');
    assert.equal(issue({ a: 'set', id, field: 'due', value: null }), 'forbidden');
    assert.equal(issue({ a: 'set', id, field: 'meta:who', value: 'me' }), 'forbidden');
    assert.equal(issue({ a: 'set', id, field: 'duration', value: 30 }), 'ok');
    const { title, due, notes } = lockedOf(row()) ?? {};
    assert.deepEqual([title, due, notes], [ENVELOPE, ENVELOPE, ENVELOPE]);
    desk.app.run('task.due');
    await desk.settle();
    assert.deepEqual(lockedOf(row())?.['due'], ENVELOPE);
  });

  test('[SEAL-188] is completed, moved and deleted as others are; one that repeats is not completed, as nobody knows what comes next', async () => {
    const { desk, row } = await locked('title');
    const { id } = row();
    assert.deepEqual(desk.replica.issue([{ a: 'complete', id, occ: 0, at: 1_000, next: null }]).verdicts, [
      'ok',
    ]);
    const repeating = await locked('title', 'repeat');
    repeating.desk.app.run('task.complete');
    await repeating.desk.settle();
    assert.match(said(repeating.desk), WHY);
    assert.equal(repeating.desk.app.view.rows.slot(0).get()?.done, false);
  });
});
