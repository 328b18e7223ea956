// Keys on tasks themselves: completing, deleting, selecting, clearing, the trash.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { START } from './desk-engine.ts';
import { Desk, LIST, list, shows } from './desk.ts';
import { fieldOf } from '#sync/rows/row.ts';

describe('completing and deleting', () => {
  test('[KEY-14] Space completes and reopens', () => {
    const desk = list();
    desk.press('Space');
    assert.equal(desk.rows()[0]?.done, true);
    assert.equal(desk.message, 'Completed ‘Plan’. 2 subtasks stay open.');
    desk.press('Mod+Shift+Enter');
    assert.equal(desk.rows()[0]?.done, false);
    desk.press('Enter', 'Mod+Shift+Enter');
    assert.equal(desk.rows()[0]?.done, true);
    assert.equal(desk.rows()[0]?.editing, true);
  });

  test('[KEY-14] a repeating task comes again, and undo takes that back', () => {
    const desk = list();
    const id = desk.rows()[0]?.id as Id;
    const rule = {
      value: 1,
      unit: 'weeks',
      metadata: null,
      from: 'due date',
      missed: 'skip',
      anchorDay: null,
    };
    desk.replica.issue([
      { a: 'set', id, field: 'due', value: { on: '2026-11-27' } },
      { a: 'set', id, field: 'repeat', value: rule },
    ]);
    desk.press('Space');
    assert.equal(desk.rows()[0]?.done, false);
    assert.deepEqual(fieldOf(desk.replica.row(id), 'due'), { on: '2026-12-04' });
    assert.equal(fieldOf(desk.replica.row(id), 'occ'), 1);
    desk.press('Mod+Z');
    assert.deepEqual(fieldOf(desk.replica.row(id), 'due'), { on: '2026-11-27' });
    assert.equal(fieldOf(desk.replica.row(id), 'occ') ?? 0, 0);
    desk.press('Mod+Shift+Z');
    assert.deepEqual(fieldOf(desk.replica.row(id), 'due'), { on: '2026-12-04' });
  });

  test('due dates are shown in words, and when they have passed', () => {
    const desk = list();
    const id = desk.rows()[0]?.id as Id;
    desk.replica.issue([{ a: 'set', id, field: 'due', value: { on: '2026-11-27' } }]);
    assert.deepEqual(desk.rows()[0]?.due, { text: 'today', overdue: false });
    desk.timers.advance(86_400_000);
    desk.app.tick();
    assert.deepEqual(desk.rows()[0]?.due, { text: 'yesterday', overdue: true });
    assert.equal(desk.replica.now(), START + 86_400_000);
  });

  test('[KEY-15] the next sibling, else the previous, else the parent', () => {
    const desk = list();
    desk.press('Down', 'Delete');
    shows(desk, '  Plan\n>   Send\n  Ship\n    Pack\n      Label\n  Rest');
    desk.press('Backspace');
    shows(desk, '> Plan\n  Ship\n    Pack\n      Label\n  Rest');
    desk.press('End', 'Delete');
    shows(desk, '  Plan\n> Ship\n    Pack\n      Label');
    desk.press('Delete', 'Delete');
    assert.equal(desk.screen(), '');
    desk.press('Mod+Z', 'Mod+Z', 'Mod+Z', 'Mod+Z', 'Mod+Z');
    shows(desk, LIST.replace('> Plan', '  Plan').replace('    Write', '>   Write'));
  });

  test('[KEY-16] commands are about all selected tasks', () => {
    const desk = new Desk('> A\n  B\n  C\n  D');
    desk.press('x', 'Down', 'Down', 'x', 'Space');
    shows(desk, ' *A ✓\n  B\n>*C ✓\n  D');
    assert.equal(desk.message, 'Completed 2 tasks.');
    assert.equal(desk.app.view.status.get().selected, 2);
    desk.press('Delete');
    shows(desk, '  B\n> D');
    desk.press('Mod+Z');
    shows(desk, '  A ✓\n  B\n> C ✓\n  D');
    desk.press('Mod+A', 'Delete');
    assert.equal(desk.rows().length, 0);
  });

  test('[KEY-16] a range grows and shrinks with Shift, and a click with Mod adds', () => {
    const desk = new Desk('> A\n  B\n  C\n  D');
    desk.press('Shift+Down', 'Shift+Down', 'Shift+Up');
    shows(desk, ' *A\n>*B\n  C\n  D');
    desk.app.pressRow(desk.rows()[3]?.id as Id, { shift: false, mod: true });
    shows(desk, ' *A\n *B\n  C\n>*D');
    desk.app.pressRow(desk.rows()[0]?.id as Id, { shift: false, mod: false });
    desk.app.pressRow(desk.rows()[2]?.id as Id, { shift: true, mod: false });
    shows(desk, ' *A\n *B\n>*C\n *D');
  });

  test('[KEY-18] Esc clears the selection, closes the search, leaves the focused task', () => {
    const desk = list();
    desk.press('Ctrl+.', 'x', '/');
    desk.type('e');
    desk.press('Down', 'x', 'Escape');
    assert.equal(desk.app.view.status.get().selected, 0);
    desk.press('Escape');
    assert.equal(desk.app.view.search.get(), null);
    assert.equal(desk.app.view.status.get().selected, 1);
    desk.press('Escape');
    assert.equal(desk.app.view.header.get().kind, 'task');
    desk.press('Escape');
    assert.equal(desk.app.view.header.get().kind, 'inbox');
  });

  test('[KEY-19] clearing hides what is completed, not what has something open under it', () => {
    const desk = new Desk('> A ✓\n  B ✓\n    Under B\n  C ✓\n    Under C ✓\n  D');
    desk.app.run('task.clearCompleted');
    shows(desk, '> B ✓\n    Under B\n  D');
    assert.equal(desk.message, 'Cleared 3 completed tasks.');
    desk.press('Mod+Z');
    assert.equal(desk.rows().length, 6);
    desk.app.run('task.clearCompleted');
    desk.app.run('task.clearCompleted');
    assert.equal(desk.message, 'Nothing to clear here.');
  });

  test('[KEY-20] the trash shows the newest first and restores to the place', () => {
    const desk = list();
    desk.press('Down', 'Delete');
    desk.timers.advance(1_000);
    desk.press('End', 'Delete', 'g x');
    shows(desk, '> Rest\n  Write');
    assert.equal(desk.rows()[1]?.path, 'Inbox › Plan');
    desk.press('Delete');
    assert.match(desk.message, /^It’s already in the trash/);
    desk.press('Down', 'u');
    assert.equal(desk.message, 'Restored ‘Write’ to Inbox.');
    shows(desk, '> Rest');
    desk.press('[');
    shows(desk, '  Plan\n    Write\n    Send\n> Ship\n    Pack\n      Label');
  });
});

describe('very many tasks', () => {
  test('[KEY-16] [UNDO-2] [UNDO-8] a command and its undo go through them frame by frame, as one undo, and closing finishes it', async () => {
    const desk = new Desk(
      Array.from({ length: 3_000 }, (_, index) => `${index === 0 ? '>' : ' '} t${index}`).join('\n'),
    );
    const done = () => [...desk.replica.all()].filter((row) => fieldOf(row, 'status') !== undefined).length;
    desk.press('Mod+A', 'Space');
    assert.equal(done(), 2_000);
    desk.press('Escape', 'Down');
    desk.timers.advance(100);
    assert.equal(done(), 3_000);
    desk.press('Mod+Z');
    assert.equal(done(), 1_000);
    desk.timers.advance(100);
    assert.equal(done(), 0);
    desk.press('Mod+Shift+Z', 'Mod+Z');
    desk.timers.advance(100);
    assert.equal(done(), 0);
    desk.press('Mod+A', 'Space');
    await desk.app.close();
    assert.equal(done(), 3_000);
  });
});

describe('files on a line', () => {
  test('[FILE-9] a line says that its task has files until the last is removed', () => {
    const desk = new Desk('> A\n  B');
    const task = desk.rows()[0]?.id as Id;
    const attach = (name: string) => {
      const id = desk.replica.newId();
      desk.replica.issue([
        { a: 'create', id, type: 'attachment', fields: { name }, place: { parent: task } },
      ]);
      return id;
    };
    const lines = () => desk.rows().map(({ hasFiles }) => hasFiles);
    assert.deepEqual(lines(), [false, false]);
    const files = [attach('a.txt'), attach('b.txt')];
    assert.deepEqual(lines(), [true, false]);
    for (const id of files) {
      assert.deepEqual(lines(), [true, false]);
      desk.replica.issue([{ a: 'delete', id }]);
    }
    assert.deepEqual(lines(), [false, false]);
  });
});
