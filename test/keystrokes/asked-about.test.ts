// Somebody else takes a task away while a dialog or a question about it is open: the answer is about that task all the same, never about the
// one that the cursor went to.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { asRow, fieldOf, type Row } from '#sync/rows/row.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import type { Desk } from './desk.ts';
import { START } from './desk-engine.ts';
import { anns } from './sharing-server.ts';

function taskCalled(desk: Desk, title: string): Row {
  const found = [...desk.replica.all()].find((row) => fieldOf(row, 'title') === title);
  return must(found, `there is a task ${title}`);
}

/** Ben puts a task into the trash. */
function trash(desk: Desk, title: string): void {
  const row = taskCalled(desk, title);
  const version = (row.version ?? 0) + 1;
  const stamp = [version, desk.replica.now() + 1, 7, version] as const;
  const fields = { ...row.fields, del: { at: START, by: 1 } };
  receivePage(desk.replica, [asRow({ ...row, version, fields, stamps: { ...row.stamps, del: stamp } })]);
}

const labelsOf = (desk: Desk, title: string) =>
  Object.keys(taskCalled(desk, title).fields).filter((field) => field.startsWith('label:')).length;

const dueOf = (desk: Desk, title: string) => fieldOf(taskCalled(desk, title), 'due') ?? null;

describe('what is asked about stays what it was', () => {
  test('[SHARE-376] a label that is being chosen', () => {
    const { desk } = anns();
    assert.equal(desk.screen(), '> Book\n  Pack');
    desk.press('Mod+L');
    trash(desk, 'Book');
    assert.equal(desk.screen(), '> Pack');
    const picker = { type: 'labels' as const };
    desk.app.answer(picker.type, { action: 'filter', text: 'Saturday' });
    desk.app.answer(picker.type, { action: 'pick', staysOpen: true });
    desk.app.answer(picker.type, { action: 'filter', text: 'Outside' });
    desk.app.answer(picker.type, { action: 'pick', staysOpen: false });
    assert.equal(desk.message, 'Created label ‘Outside’ and added it to ‘Book’.');
    assert.deepEqual([labelsOf(desk, 'Book'), labelsOf(desk, 'Pack')], [2, 0]);
    desk.press('d');
    desk.type('29/11');
    desk.press('Enter');
    assert.deepEqual([dueOf(desk, 'Book'), dueOf(desk, 'Pack')], [null, { on: '2026-11-29' }]);
  });

  test('[SHARE-376] a date that is being typed', () => {
    const { desk } = anns();
    desk.press('d');
    desk.type('29');
    trash(desk, 'Book');
    desk.type('/11');
    desk.press('Enter');
    assert.deepEqual([dueOf(desk, 'Book'), dueOf(desk, 'Pack')], [{ on: '2026-11-29' }, null]);
  });

  test('[SHARE-376] of several, those that are still there', () => {
    const { desk } = anns();
    desk.press('x', 'Down', 'x', 'd');
    trash(desk, 'Pack');
    desk.type('29/11');
    desk.press('Enter');
    assert.deepEqual(
      [dueOf(desk, 'Book'), dueOf(desk, 'Pack')],
      [{ on: '2026-11-29' }, { on: '2026-11-29' }],
    );
  });

  test('[SHARE-376] a command that is being looked for', () => {
    const { desk } = anns();
    desk.press('Mod+K');
    desk.type('complete');
    trash(desk, 'Book');
    desk.press('Enter');
    const isDone = (title: string) => (fieldOf(taskCalled(desk, title), 'status') ?? null) !== null;
    assert.deepEqual([isDone('Book'), isDone('Pack')], [true, false]);
  });

  test('[SHARE-376] nothing is kept once it was left', () => {
    const { desk } = anns();
    desk.press('Mod+L');
    trash(desk, 'Book');
    desk.press('Escape');
    desk.press('d');
    desk.type('29/11');
    desk.press('Enter');
    assert.deepEqual([dueOf(desk, 'Book'), dueOf(desk, 'Pack')], [null, { on: '2026-11-29' }]);
  });
});
