// What screen readers are told of what has no message: where a task went, how many are selected, what collapsing hid, what a
// search has found. Told once, when no key follows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rowWords } from '#client/outline/row-words.ts';
import { Desk } from './desk.ts';
import { vimDesk } from './vim-desk.ts';

const SETTLED_MS = 1_000;

/** Everything said while the keys were pressed and until it has settled. */
function heard(desk: Desk, press: () => void): readonly string[] {
  const said: string[] = [];
  const { announcement } = desk.app.view;
  const stop = announcement.subscribe(() => said.push(announcement.get().text));
  press();
  desk.timers.advance(SETTLED_MS);
  stop();
  return said;
}

describe('what is told', () => {
  test('[HEAR-3] indenting and outdenting tell the level and what it is under', () => {
    const desk = new Desk('> Plan\n  Book\n  Pack');
    desk.press('Down');
    assert.deepEqual(
      heard(desk, () => desk.press('Tab')),
      ['Level 2, under ‘Plan’.'],
    );
    assert.equal(desk.message, '');
    assert.deepEqual(
      heard(desk, () => desk.press('Shift+Tab')),
      ['Level 1.'],
    );
    desk.press('x', 'Down', 'x');
    desk.timers.advance(SETTLED_MS);
    assert.deepEqual(
      heard(desk, () => desk.press('Tab')),
      ['2 tasks, level 2, under ‘Plan’.'],
    );
  });

  test('[HEAR-3] moving tells the place, and keys in a row are told of once', () => {
    const desk = new Desk('> A\n  B\n  C\n  D');
    assert.deepEqual(
      heard(desk, () => desk.press('Alt+Down', 'Alt+Down')),
      ['Moved to 3 of 4.'],
    );
    desk.press('Shift+Up');
    desk.timers.advance(SETTLED_MS);
    assert.deepEqual(
      heard(desk, () => desk.press('Alt+Up')),
      ['Moved to 1 to 2 of 4.'],
    );
  });

  test('[HEAR-3] what was said meanwhile is newer', () => {
    const desk = new Desk('> A\n  B');
    assert.deepEqual(
      heard(desk, () => desk.press('Alt+Down', 'Space')),
      ['Completed ‘A’.'],
    );
  });

  test('[HEAR-3] collapsing tells how many lines it hides, expanding how many it shows', () => {
    const desk = new Desk('> Plan\n    Book\n      Hotel\n    Pack\n  Go');
    assert.deepEqual(
      heard(desk, () => desk.press('Left')),
      ['Collapsed, 3 hidden.'],
    );
    assert.deepEqual(
      heard(desk, () => desk.press('Right')),
      ['Expanded, 3 shown.'],
    );
    assert.deepEqual(
      heard(desk, () => desk.app.run('view.fold')),
      ['Collapsed, 3 hidden.'],
    );
  });

  test('[HEAR-3] the folds of Vim tell the same, also of what the cursor is in', () => {
    const desk = vimDesk('> Plan\n    Book\n      Hotel\n    Pack\n  Go');
    for (const [keys, said] of [
      ['z c', 'Collapsed, 3 hidden.'],
      ['z o', 'Expanded, 3 shown.'],
      ['z a', 'Collapsed, 3 hidden.'],
      ['z a', 'Expanded, 3 shown.'],
      ['j j z c', 'Collapsed, 1 hidden.'],
      ['k z Shift+C', 'Collapsed, 2 hidden.'],
      ['z Shift+O', 'Expanded, 3 shown.'],
      ['z Shift+A', 'Collapsed, 3 hidden.'],
    ] as const)
      assert.deepEqual(
        heard(desk, () => desk.press(...keys.split(' '))),
        [said],
        keys,
      );
  });

  test('[HEAR-3] going from match to match while v selects tells how many are selected', () => {
    const desk = vimDesk('> Red\n  Blue\n  Red too\n  Go');
    desk.press('/');
    desk.type('red');
    desk.press('Escape', 'Escape', 'v');
    desk.timers.advance(SETTLED_MS);
    assert.deepEqual(
      heard(desk, () => desk.press('n')),
      ['3 selected.'],
    );
  });

  test('[HEAR-3] a folder in the sidebar tells how many lists it hides and shows', () => {
    const desk = new Desk('> A');
    desk.app.run('folder.create', { name: 'Work' });
    desk.press('F6', 'End');
    desk.app.run('list.create', { name: 'Alpha' });
    desk.press('F6', 'End', 'Up');
    assert.deepEqual(
      heard(desk, () => desk.press('Left')),
      ['Collapsed, 1 hidden.'],
    );
    assert.deepEqual(
      heard(desk, () => desk.press('Right')),
      ['Expanded, 1 shown.'],
    );
  });

  test('[HEAR-3] selecting and extending tell how many are selected, by keys and by pressing', () => {
    const desk = new Desk('> A\n  B\n  C');
    assert.deepEqual(
      heard(desk, () => desk.press('x')),
      ['1 selected.'],
    );
    assert.deepEqual(
      heard(desk, () => desk.press('Shift+Down', 'Shift+Down')),
      ['3 selected.'],
    );
    const [, second] = desk.rows();
    assert.ok(second);
    assert.deepEqual(
      heard(desk, () => desk.app.pressRow(second.id, { shift: false, mod: true })),
      ['2 selected.'],
    );
    assert.deepEqual(
      heard(desk, () => desk.app.run('selection.clear')),
      ['Nothing selected.'],
    );
  });

  test('[HEAR-4] a search tells how many it has found, once nobody types any more', () => {
    const desk = new Desk('> Red door\n  Red wall\n  Blue door');
    desk.press('/');
    assert.deepEqual(heard(desk, () => desk.app.searchInput('r')).slice(-1), ['3 results.']);
    assert.deepEqual(
      heard(desk, () => {
        for (const query of ['re', 'red']) desk.app.searchInput(query);
      }),
      ['2 results.'],
    );
    assert.deepEqual(
      heard(desk, () => desk.app.searchInput('reds')),
      ['No results.'],
    );
    // It was left before.
    assert.deepEqual(
      heard(desk, () => {
        desk.app.searchInput('red');
        desk.app.run('search.leave');
      }).filter((text) => text.includes('result')),
      [],
    );
  });

  test('[SET-16] that the mouse is on again is said, whatever else the third Escape does', () => {
    const desk = new Desk('> A');
    desk.app.run('view.hardcore');
    desk.app.answer('confirm', { action: 'confirm' });
    desk.press('Escape', 'Escape', 'Escape');
    desk.timers.advance(SETTLED_MS);
    assert.equal(desk.message, 'The mouse is back on.');
  });

  test('[HEAR-2] a row says in words what stands beside its title', () => {
    const desk = new Desk('> A ✓');
    const [row] = desk.rows();
    assert.ok(row);
    assert.equal(rowWords({ ...row, done: false }), '');
    assert.equal(rowWords({ ...row, done: true }), 'completed');
    const label = (name: string) => ({ id: row.id, name, color: '#000' });
    assert.equal(
      rowWords({ ...row, done: true, labels: [label('Work')], hasNotes: true }),
      'completed, label Work, has notes',
    );
    assert.equal(
      rowWords({
        ...row,
        done: false,
        due: { text: 'tomorrow', overdue: false },
        repeats: 'every week',
        duration: '45 min',
        labels: [label('Work'), label('Home')],
        childCount: 3,
        childrenDone: 1,
        path: 'Inbox › Plan',
      }),
      'due tomorrow, repeats every week, takes 45 min, labels Work, Home, 1 of 3 done, in Inbox › Plan',
    );
    assert.equal(
      rowWords({ ...row, kind: 'list', done: false, due: { text: 'Fri', overdue: true } }),
      'list, overdue, was due Fri',
    );
  });
});
