// Lists that keep themselves in an order: chosen by a command, followed by every change, worked in by keys.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId } from '#core/ids.ts';
import { sortingPart } from '#client/sorting/part.ts';
import { sortChoices } from '#client/sorting/sorts.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk, shows } from './desk.ts';
import { fieldOf } from '#sync/rows/row.ts';

await sortingPart.load();

const sort = (desk: Desk, by: string) => desk.app.run('list.sort', { by });
const titles = (desk: Desk) =>
  desk
    .rows()
    .map(({ title }) => title)
    .join(' ');

/** Presses the key, says the words, accepts. */
function say(desk: Desk, key: string, words: string): void {
  desk.press(key);
  desk.type(words);
  desk.press('Enter');
}

/** Four tasks; some have dates, lengths and labels. */
function desk(): Desk {
  const made = new Desk('> Cherry\n  apple\n  Banana\n  date');
  made.app.run('label.create', { name: 'Home' });
  made.app.run('label.create', { name: 'Away' });
  const label = (name: string) =>
    [...made.replica.all()].find(({ type, fields }) => type === 'label' && fields.name === name)?.id ?? '';
  say(made, 'd', '3 dec');
  say(made, 'Shift+D', '2h');
  made.app.run('label.toggle', { label: label('Away') });
  made.press('Down');
  say(made, 'd', 'today');
  say(made, 't', '1 dec');
  made.press('Down');
  say(made, 'Shift+D', '15m');
  made.app.run('label.toggle', { label: label('Home') });
  made.press('Home');
  return made;
}

describe('sorting', () => {
  test('[SORT-1] by every field both ways; what has no value stands last', () => {
    const made = desk();
    for (const [by, expected] of [
      ['due-date asc', 'apple Cherry Banana date'],
      ['due-date desc', 'Cherry apple Banana date'],
      ['start-date asc', 'apple Cherry Banana date'],
      ['creation-date desc', 'Cherry apple Banana date'],
      ['alphabetically asc', 'apple Banana Cherry date'],
      ['alphabetically desc', 'date Cherry Banana apple'],
      ['label asc', 'Banana Cherry apple date'],
      ['label desc', 'Cherry Banana apple date'],
      ['duration asc', 'Banana Cherry apple date'],
      ['by-hand', 'Cherry apple Banana date'],
    ] as const) {
      assert.equal(sort(made, by).type, 'done', by);
      assert.equal(titles(made), expected, by);
    }
    assert.equal(sort(made, 'colour asc').type, 'refused');
    made.timers.advance(5_000);
    made.press('End', 'Ctrl+Enter');
    made.type('Elder');
    made.press('Escape');
    sort(made, 'creation-date desc');
    assert.equal(titles(made), 'Elder Cherry apple Banana date');
    sort(made, 'creation-date asc');
    assert.equal(titles(made), 'Cherry apple Banana date Elder');
  });

  test('[SORT-1] the palette offers every order and marks the present one; the header names it', () => {
    const made = desk();
    sort(made, 'due-date asc');
    assert.equal(made.app.view.header.get().sorted, 'due date, soonest first');
    made.press('Mod+K');
    made.type('sort list');
    made.press('Enter');
    const items = made.app.view.palette.get()?.items ?? [];
    assert.equal(items.length, sortChoices.length);
    assert.equal(items.find(({ hint }) => hint === 'now')?.title, 'Due date, soonest first');
    made.type('by hand');
    made.press('Enter');
    assert.equal(made.message, '‘Inbox’ is in your own order.');
    assert.equal(made.app.view.header.get().sorted, '');
  });

  test('[SORT-2] changes go to their place, subtasks among themselves, the cursor with its task', () => {
    const made = new Desk('> B\n    Z\n    Y\n  A');
    sort(made, 'alphabetically asc');
    shows(made, '  A\n> B\n    Y\n    Z');
    made.press('F2');
    made.type('0');
    made.timers.advance(5_000);
    shows(made, '  A\n> 0|\n    Y\n    Z');
    made.press('Escape');
    shows(made, '> 0\n    Y\n    Z\n  A');
    made.press('Mod+Z');
    shows(made, '  A\n> B\n    Y\n    Z');
    made.press('Left');
    shows(made, '  A\n> B +');
  });

  test('[SORT-3] nothing is moved by hand in it, and that says what to do; new tasks go to their place', () => {
    const made = new Desk('> B\n  D');
    sort(made, 'alphabetically asc');
    const before = made.everything();
    for (const key of ['Alt+Down', 'Tab']) {
      made.press(key);
      assert.match(made.message, /^This list is sorted/, key);
    }
    assert.equal(made.everything(), before);
    made.press('End', 'Ctrl+Enter');
    made.type('C');
    made.press('Escape');
    shows(made, '  B\n> C\n  D');
  });

  test('[SORT-4] it is of the list, on every device: a register of its own, undone like any change', () => {
    const made = new Desk('> B\n  A');
    sort(made, 'alphabetically asc');
    const kept = fieldOf(made.replica.row(inboxId(SCOPE)), 'sort');
    assert.deepEqual(kept, { field: 'alphabetically', order: 'asc' });
    made.press('Mod+Z');
    assert.equal(titles(made), 'B A');
    made.press('Mod+Shift+Z');
    assert.equal(titles(made), 'A B');
  });

  test('[SORT-4] smart lists are sorted the same way', () => {
    const made = desk();
    made.press('/');
    made.app.searchInput('is:open');
    made.press('Mod+Enter');
    made.type('Open');
    made.press('Enter');
    sort(made, 'alphabetically desc');
    assert.equal(titles(made), 'date Cherry Banana apple');
    sort(made, 'due-date asc');
    assert.equal(titles(made), 'apple Cherry Banana date');
  });
});
