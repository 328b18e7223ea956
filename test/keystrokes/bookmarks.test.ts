// Bookmarks in the sidebar and the palette, focus at any depth, and the details of a task.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { Desk } from './desk.ts';
import { fieldOf } from '#sync/rows/row.ts';

const DEEP = '> A\n    B\n      C\n        D\n  E';

function idOf(desk: Desk, title: string): Id {
  const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, title);
  return row.id;
}

describe('bookmarks', () => {
  test('[MARK-1] Mod+B bookmarks the selected tasks and takes it back, one undo each', () => {
    const desk = new Desk(DEEP);
    desk.press('x', 'Down', 'x', 'Mod+B');
    assert.equal(desk.message, 'Bookmarked 2 tasks.');
    assert.equal(desk.sidebar(), '>*Inbox\n  A\n  B');
    desk.press('Mod+B');
    assert.equal(desk.sidebar(), '>*Inbox');
    desk.press('Mod+Z');
    assert.equal(desk.sidebar(), '>*Inbox\n  A\n  B');
    desk.press('Mod+Z');
    assert.equal(desk.sidebar(), '>*Inbox');
  });

  test('[MARK-1] in the sidebar it is about what stands there', () => {
    const desk = new Desk(DEEP);
    desk.press('Mod+B', 'F6', 'Mod+B');
    assert.equal(desk.lists()[0]?.bookmarked, true);
    desk.press('End', 'F2');
    assert.equal(desk.message, 'That’s a bookmarked task. Open it to change it.');
    desk.press('Mod+B');
    assert.equal(desk.sidebar(), '>*Inbox');
  });

  test('[MARK-2] a bookmark opens like a project, from the sidebar and the palette', () => {
    const desk = new Desk(DEEP);
    desk.press('Down', 'Mod+B');
    assert.deepEqual(
      desk
        .rows()
        .map(({ bookmarked }) => bookmarked)
        .slice(0, 2),
      [false, true],
    );
    desk.press('F6', 'End', 'Enter');
    assert.equal(desk.app.view.header.get().title, 'B');
    assert.equal(desk.sidebar(), '  Inbox\n>*B');
    assert.equal(desk.lists()[1]?.openCount, 1);
    desk.press('g i', 'Mod+P');
    desk.type('B');
    const item = desk.app.view.palette.get()?.items[0];
    assert.deepEqual([item?.title, item?.hint], ['B', 'Bookmark in Inbox › A']);
    desk.press('Enter');
    assert.equal(desk.app.view.header.get().title, 'B');
  });

  test('[MARK-2] it follows its task: renamed, deleted with what it is in, restored', () => {
    const desk = new Desk(DEEP);
    desk.press('Down', 'Mod+B', 'F2');
    desk.type('Better');
    desk.press('Escape');
    assert.equal(desk.sidebar(), '>*Inbox\n  Better');
    desk.press('Up', 'Delete');
    assert.equal(desk.sidebar(), '>*Inbox');
    desk.press('Mod+Z');
    assert.equal(desk.sidebar(), '>*Inbox\n  Better');
  });

  test('[MARK-3] everything above a focused task can be opened', () => {
    const desk = new Desk(DEEP);
    desk.press('Down', 'Down', 'Down', 'Ctrl+.');
    const { title, trail } = desk.app.view.header.get();
    assert.deepEqual([title, ...trail.map(({ name }) => name)], ['D', 'Inbox', 'A', 'B', 'C']);
    desk.app.run('go.list', { list: trail[1]?.id ?? '' });
    assert.equal(desk.app.view.header.get().title, 'A');
    assert.equal(desk.screen(), '> B\n    C\n      D');
    desk.press('Down', 'Ctrl+.', 'Ctrl+,');
    assert.equal(desk.app.view.header.get().title, 'B');
    assert.equal(desk.screen(), '> C\n    D');
    desk.press('Ctrl+,', 'Ctrl+,');
    assert.equal(desk.app.view.header.get().title, 'Inbox');
    desk.press('Ctrl+,');
    assert.equal(desk.message, 'No task is focused.');
  });

  test('[MARK-4] details name ids, times and metadata, and the id can be copied', async () => {
    const desk = new Desk(DEEP);
    const id = idOf(desk, 'A');
    desk.replica.issue([{ a: 'set', id, field: 'meta:ticket', value: '4711' }]);
    desk.press('i');
    const dialog = desk.app.view.dialog.get();
    assert.equal(dialog?.type, 'details');
    const { facts, metadata, title } = dialog.details;
    assert.equal(title, 'A');
    assert.deepEqual(facts.slice(0, 2), [
      { name: 'In', text: 'Inbox' },
      { name: 'Created', text: '27 Nov 2026, 09:00:00' },
    ]);
    assert.deepEqual(facts.at(-1), { name: 'Id', text: id });
    assert.deepEqual(metadata, [{ name: 'ticket', text: '4711' }]);
    desk.app.run('task.copyId');
    await desk.until(() => desk.clipboard === id);
    desk.press('Escape', 'Mod+I');
    const list = desk.app.view.dialog.get();
    assert.equal(list?.type === 'details' && list.details.title, 'Inbox');
  });

  test('[MARK-4] details say until when a task is snoozed, and how often it was', () => {
    const desk = new Desk(DEEP);
    desk.press('Shift+S', 's');
    desk.type('in 3 days');
    desk.press('Enter', 'i');
    const said = (name: string) => {
      const dialog = desk.app.view.dialog.get();
      const facts = dialog?.type === 'details' ? dialog.details.facts : [];
      return facts.find((fact) => fact.name === name)?.text;
    };
    assert.equal(said('Snoozed until'), 'Mon 30 Nov 2026');
    assert.equal(said('Snoozed'), '1 time');
    desk.press('Escape', 's');
    desk.type('in 5 days');
    desk.press('Enter', 'i');
    assert.equal(said('Snoozed'), '2 times');
  });
});
