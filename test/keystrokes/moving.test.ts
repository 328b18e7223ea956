// Moving tasks to lists and under other tasks by picker, and getting about: jumps, bookmarks, what is collapsed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, type Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk, list, LIST, shows } from './desk.ts';
import { fieldOf } from '#sync/rows/row.ts';

const idOf = (desk: Desk, title: string): Id => {
  const row = [...desk.replica.all()].find(
    (held) => (fieldOf(held, 'title') ?? fieldOf(held, 'name')) === title,
  );
  assert.ok(row, title);
  return row.id;
};

const cursor = (desk: Desk) => desk.rows().find((row) => row.cursor)?.title;

describe('moving under a task', () => {
  test('[OUT-2] [OUT-3] the chosen tasks go to its end, as one undo', () => {
    const desk = list();
    // Write, and Pack with Label beneath it.
    desk.press('Down', 'x', 'Down', 'Down', 'Down', 'x', 'Down', 'x', 'Shift+M');
    assert.deepEqual(desk.palette(), ['Plan', 'Send', 'Ship', 'Rest']);
    desk.type('rest');
    assert.deepEqual(desk.palette(), ['Rest']);
    desk.press('Enter');
    shows(desk, '  Plan\n    Send\n  Ship\n  Rest\n    Write\n    Pack\n>     Label');
    assert.equal(desk.message, 'Moved 2 tasks under ‘Rest’.');
    desk.press('Mod+Z');
    assert.equal(desk.screen().replaceAll(/[>*]/g, ' '), list().screen().replace('>', ' '));
  });

  test('[OUT-2] nothing goes under itself or what is beneath it', () => {
    const desk = list();
    desk.press('Shift+M');
    desk.type('write');
    assert.deepEqual(desk.palette(), ['No task has these words']);
    desk.press('Escape');
    desk.app.run('task.moveUnder', { task: idOf(desk, 'Write') });
    assert.equal(desk.message, 'You can’t move a task under itself.');
    desk.app.run('task.moveUnder', { task: idOf(desk, 'Plan') });
    assert.equal(desk.message, 'You can’t move a task under itself.');
    shows(desk, LIST);
  });

  test('[OUT-3] what goes to another list gives the cursor to the next', () => {
    const desk = list();
    desk.app.run('list.create', { name: 'Home' });
    desk.press('g i');
    desk.press('m');
    desk.type('home');
    desk.press('Enter');
    shows(desk, '> Ship\n    Pack\n      Label\n  Rest');
    assert.equal(desk.message, 'Moved ‘Plan’ to Home.');
    desk.press('Shift+M');
    desk.type('plan');
    desk.press('Enter');
    shows(desk, '> Rest');
    desk.press('[');
    shows(desk, '> Plan\n    Write\n    Send\n    Ship\n      Pack\n        Label');
  });

  test('[OUT-3] what is deeper than can be stays, and that is said', () => {
    const desk = new Desk('> Other');
    let parent = inboxId(SCOPE);
    for (let level = 1; level <= limits.depth; level += 1) {
      const id = desk.replica.newId();
      desk.replica.issue([
        { a: 'create', id, type: 'task', fields: { title: `t${level}` }, place: { parent } },
      ]);
      parent = id;
    }
    desk.app.run('task.moveUnder', { task: idOf(desk, 't1000') });
    assert.match(desk.message, /^Couldn’t move all of it: they’re too large or nested too deeply\.$/);
  });
});

describe('getting about', () => {
  test('[OUT-4] back and forward lead through jumps within a place', () => {
    const desk = list();
    desk.press('Down');
    desk.press('g f');
    desk.type('label');
    desk.press('Enter');
    assert.equal(cursor(desk), 'Label');
    desk.press('Mod+K');
    desk.type('rest');
    desk.press('Enter');
    assert.equal(cursor(desk), 'Rest');
    desk.press('[');
    assert.equal(cursor(desk), 'Label');
    desk.press('[');
    assert.equal(cursor(desk), 'Write');
    desk.press('[');
    assert.equal(desk.message, 'Nothing to go back to.');
    desk.press(']', ']');
    assert.equal(cursor(desk), 'Rest');
    desk.press('Up', 'Delete', '[');
    assert.equal(cursor(desk), 'Write', 'Label went with Pack, and is passed over');
  });

  test('[OUT-4] a place comes back with the cursor it was left with', () => {
    const desk = list();
    desk.app.run('list.create', { name: 'Home' });
    desk.press('g i', 'Down', 'z');
    assert.equal(desk.app.view.header.get().title, 'Write');
    desk.press('g i', 'End', '[');
    assert.equal(desk.app.view.header.get().title, 'Write');
    desk.press('[');
    assert.equal(cursor(desk), 'Write');
    desk.press('[');
    assert.equal(desk.app.view.header.get().title, 'Home');
    desk.press(']', ']', ']');
    assert.equal(cursor(desk), 'Rest');
  });

  test('[OUT-4] stepping out of a search by its command gives the focus back', () => {
    const desk = list();
    desk.press('/');
    desk.type('ship');
    desk.app.run('outline.escape');
    assert.equal(desk.app.view.focus.get().pane, 'outline');
    assert.equal(desk.app.view.search.get(), null);
  });

  test('[OUT-4] deleting the open list from the search gives the focus back', () => {
    const desk = list();
    desk.app.run('list.create', { name: 'Home' });
    desk.press('/', 'Mod+K');
    desk.type('delete list');
    desk.press('Enter');
    assert.match(desk.message, /^Deleted list ‘Home’\./);
    assert.equal(desk.app.view.focus.get().pane, 'outline');
    shows(desk, LIST);
  });

  test('[OUT-5] [OUT-6] going to a task expands what is above it', () => {
    const desk = new Desk('> Plan +\n    Write +\n      Draft\n  Ship');
    desk.press('g f');
    assert.deepEqual(desk.palette(), ['Type words from its title']);
    desk.type('draft');
    desk.press('Enter');
    shows(desk, '  Plan\n    Write\n>     Draft\n  Ship');
    desk.app.run('go.task', { task: desk.replica.newId() });
    assert.equal(desk.message, 'That task is gone.');
  });

  test('[OUT-5] g b asks for a bookmark', () => {
    const desk = list();
    desk.press('g b');
    assert.match(desk.message, /No bookmarks yet/);
    desk.press('Mod+B', 'End', 'Mod+B');
    desk.app.run('list.create', { name: 'Home' });
    desk.press('Mod+B', 'g b');
    assert.deepEqual(desk.palette(), ['Plan', 'Rest', 'Home']);
    desk.type('re');
    desk.press('Enter');
    assert.equal(desk.app.view.header.get().title, 'Rest');
    desk.press('g b');
    desk.type('home');
    desk.press('Enter');
    assert.equal(desk.app.view.header.get().title, 'Home');
  });

  test('[OUT-6] what is collapsed stays so and is no step of undo', () => {
    const desk = list();
    desk.press('Space', 'Left', 'g x', 'g i');
    shows(desk, '> Plan ✓ +\n  Ship\n    Pack\n      Label\n  Rest');
    desk.press('Mod+Z');
    shows(desk, '> Plan +\n  Ship\n    Pack\n      Label\n  Rest');
  });
});
