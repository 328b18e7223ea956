// Lists of several people in the sidebar of one: where they stand, moving them, and folders that hold them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mountId, type Id } from '#core/ids.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { Desk } from './desk.ts';
import { SCOPE } from './desk-engine.ts';

const shared = (): Desk => new Desk('> Own', { isConfirmed: true });

function make(desk: Desk, kind: 'list' | 'folder', name: string): Id {
  desk.app.run(`${kind}.create`, { name });
  return desk.lists().find((line) => line.name === name)?.id as Id;
}

/** Puts the cursor of the sidebar on a list. */
function standOn(desk: Desk, id: Id): void {
  if (desk.app.view.focus.get().pane !== 'sidebar') desk.press('F6');
  desk.press('Home');
  for (let steps = 0; desk.lists().find(({ cursor }) => cursor)?.id !== id; steps += 1) {
    assert.ok(steps < 30, 'it has a line');
    desk.press('Down');
  }
}

/** The names in the sidebar, indented. */
const names = (desk: Desk): string => desk.sidebar().replaceAll(/^../gm, '');

const placeOfMount = (desk: Desk, list: Id) => placeOf(desk.replica.row(mountId(SCOPE, list)));

describe('a shared list in the sidebar', () => {
  test('[SHARE-80] stands where its mount says, with its tasks', () => {
    const desk = shared();
    const folder = make(desk, 'folder', 'Home');
    const trip = desk.holdShared('Trip', ['Book', 'Pack'], { parent: folder, key: 'a0' });
    desk.app.run('go.list', { list: trip });
    assert.equal(names(desk), 'Inbox\nHome\n  Trip');
    assert.equal(desk.screen(), '> Book\n  Pack');
    assert.equal(desk.lists()[2]?.openCount, 2);
    assert.equal(desk.app.view.header.get().title, 'Trip');
  });

  test('[SHARE-82] stands at the end without a mount', () => {
    const desk = shared();
    desk.holdShared('Trip', [], null);
    make(desk, 'list', 'Later');
    assert.equal(names(desk), 'Inbox\nLater\nTrip');
  });

  test('[SHARE-81] shows nothing of its mount and its members once it is not held', () => {
    const desk = shared();
    const folder = make(desk, 'folder', 'Home');
    const trip = desk.holdShared('Trip', ['Book'], { parent: folder, key: 'a0' });
    desk.letGo(trip);
    assert.equal(names(desk), 'Inbox\nHome');
    assert.notEqual(desk.replica.row(mountId(SCOPE, trip)), undefined, 'the mount stays');
    assert.deepEqual(desk.engine.replica.children(folder), []);
  });

  test('[SHARE-85] moves by keys and comes back by one undo, and only the mount is written', () => {
    const desk = shared();
    const home = make(desk, 'folder', 'Home');
    desk.press('F6');
    const list = make(desk, 'list', 'Own list');
    const trip = desk.holdShared('Trip');
    const before = desk.replica.row(trip);
    standOn(desk, trip);
    desk.press('Alt+Up');
    assert.equal(desk.message, 'Moved list ‘Trip’ up.');
    assert.equal(placeOf(desk.engine.replica.row(list))?.parent, home);
    assert.equal(names(desk), 'Inbox\nTrip\nHome\n  Own list');
    desk.press('Alt+Down', 'Mod+]');
    assert.equal(desk.message, 'Moved list ‘Trip’ into ‘Home’.');
    assert.equal(names(desk), 'Inbox\nHome\n  Own list\n  Trip');
    assert.equal(placeOfMount(desk, trip)?.parent, home);
    desk.press('Mod+[');
    assert.equal(names(desk), 'Inbox\nHome\n  Own list\nTrip');
    desk.press('Mod+Z', 'Mod+Z');
    assert.equal(names(desk), 'Inbox\nHome\n  Own list\nTrip');
    desk.press('Mod+Shift+Z', 'Mod+Z', 'Mod+Z', 'Mod+Z');
    assert.equal(names(desk), 'Inbox\nHome\n  Own list\nTrip');
    assert.equal(desk.replica.row(trip), before, 'nothing of the list');
  });

  test('[SHARE-85] is placed for the first time by a mount that stays', () => {
    const desk = shared();
    const home = make(desk, 'folder', 'Home');
    const trip = desk.holdShared('Trip', [], null);
    standOn(desk, trip);
    desk.press('Mod+]');
    assert.equal(names(desk), 'Inbox\nHome\n  Trip');
    assert.equal(placeOfMount(desk, trip)?.parent, home);
    desk.press('Mod+Z');
    assert.equal(desk.message, 'Undone: moved list ‘Trip’.');
    assert.equal(names(desk), 'Inbox\nHome\nTrip');
  });

  test('[SHARE-85] takes own lists beside it', () => {
    const desk = shared();
    const trip = desk.holdShared('Trip');
    desk.holdShared('Garden');
    const own = make(desk, 'list', 'Own list');
    standOn(desk, own);
    desk.press('Alt+Up');
    assert.equal(names(desk), 'Inbox\nTrip\nOwn list\nGarden');
    standOn(desk, trip);
    desk.app.run('list.create', { name: 'New' });
    assert.equal(names(desk), 'Inbox\nTrip\nNew\nOwn list\nGarden');
  });

  test('[SHARE-86] stays behind, with its order, when its folder is deleted', () => {
    const desk = shared();
    const home = make(desk, 'folder', 'Home');
    desk.press('F6');
    const inner = make(desk, 'folder', 'Inner');
    desk.press('g i');
    const last = make(desk, 'list', 'Last');
    standOn(desk, last);
    desk.press('Alt+Down');
    desk.holdShared('Trip', [], { parent: home, key: 'a5' });
    desk.holdShared('Garden', [], { parent: inner, key: 'a1' });
    const before = names(desk);
    standOn(desk, home);
    desk.app.run('list.delete');
    assert.deepEqual(names(desk).split('\n'), ['Inbox', 'Trip', 'Garden', 'Last']);
    desk.press('Mod+Z');
    assert.equal(names(desk), before);
  });

  test('[SHARE-83] is shown where there is still a folder, if that is deleted elsewhere', () => {
    const desk = shared();
    const home = make(desk, 'folder', 'Home');
    const trip = desk.holdShared('Trip', ['Book'], { parent: home, key: 'a0' });
    desk.app.run('go.list', { list: trip });
    desk.replica.issue([{ a: 'delete', id: home }]);
    assert.equal(names(desk), 'Inbox\nTrip');
    assert.equal(desk.screen(), '> Book');
    desk.replica.issue([{ a: 'restore', id: home }]);
    assert.equal(names(desk), 'Inbox\nHome\n  Trip');
  });

  test('[SHARE-87] is archived for all, and brought back also if it was hidden for oneself', () => {
    const desk = shared();
    const trip = desk.holdShared('Trip');
    standOn(desk, trip);
    desk.press('a');
    assert.equal(names(desk), 'Inbox');
    assert.notEqual(fieldOf(desk.replica.row(trip), 'archivedAt'), undefined);
    desk.press('Mod+Z');
    assert.equal(names(desk), 'Inbox\nTrip');
    const hide = { a: 'set', id: mountId(SCOPE, trip), field: 'hiddenAt', value: 1 } as const;
    desk.replica.issue([hide]);
    assert.equal(names(desk), 'Inbox');
    desk.app.run('view.archived');
    standOn(desk, trip);
    assert.equal(desk.lists()[1]?.archived, true);
    desk.press('a');
    assert.equal(desk.lists()[1]?.archived, false);
    assert.equal(desk.message, 'Unarchived ‘Trip’.');
  });
});
