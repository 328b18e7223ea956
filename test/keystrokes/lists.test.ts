// Lists and folders in the sidebar, going from place to place.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { countOf } from '#client/outline/count-words.ts';
import { Desk } from './desk.ts';

/** Inbox, Home, and a folder Work with Alpha and Beta; the sidebar has the focus, its cursor on the Inbox. */
function desk(): Desk {
  const made = new Desk('> A\n  B');
  made.app.run('list.create', { name: 'Home' });
  made.app.run('folder.create', { name: 'Work' });
  made.press('F6', 'End');
  made.app.run('list.create', { name: 'Alpha' });
  made.app.run('list.create', { name: 'Beta' });
  made.press('g i', 'F6', 'Home', 'Down', 'Down');
  return made;
}

const TREE = `>*Inbox
  Home
  Work
    Alpha
    Beta`;

describe('lists', () => {
  test('[LIST-1] the palette asks for the name, then the list is open', () => {
    const bare = new Desk('> A');
    bare.press('F6', 'Ctrl+Enter');
    assert.equal(bare.app.view.palette.get()?.prompt, 'Name of the new list');
    assert.deepEqual(bare.app.view.palette.get()?.steps, ['New list']);
    bare.press('Enter');
    assert.notEqual(bare.app.view.palette.get(), null);
    bare.type('Home');
    bare.press('Enter');
    assert.equal(bare.app.view.header.get().title, 'Home');
    assert.equal(bare.sidebar(), '  Inbox\n>*Home');
    bare.press('Mod+Z');
    assert.equal(bare.sidebar(), '>*Inbox');
    assert.equal(bare.message, 'Undone: created list ‘Home’.');
  });

  test('[LIST-1] a list made in a folder goes into it', () => {
    assert.equal(desk().sidebar(), TREE);
  });

  test('[LIST-2] rename in place', () => {
    const app = desk();
    app.press('Down', 'F2');
    assert.deepEqual(app.app.view.focus.get(), {
      pane: 'sidebar',
      id: app.lists()[1]?.id,
      edit: true,
    });
    app.type('House');
    assert.equal(app.press('Tab'), false);
    app.press('Enter');
    assert.equal(app.sidebar().split('\n')[1], '> House');
    app.press('Mod+Z');
    assert.equal(app.sidebar().split('\n')[1], '> Home');
  });

  test('[LIST-2] move, nest and take out again', () => {
    const app = desk();
    app.press('Down', 'Alt+Down');
    assert.equal(app.sidebar(), ' *Inbox\n  Work\n    Alpha\n    Beta\n> Home');
    app.press('Mod+]');
    assert.equal(app.sidebar(), ' *Inbox\n  Work\n    Alpha\n    Beta\n>   Home');
    app.press('Alt+Up', 'Mod+[');
    assert.equal(app.sidebar(), ' *Inbox\n  Work\n    Alpha\n    Beta\n> Home');
    app.press('Mod+[');
    assert.equal(app.message, 'It isn’t in a folder.');
    app.press('Mod+Z', 'Mod+Z', 'Mod+Z', 'Mod+Z');
    assert.equal(app.sidebar(), TREE.replace('>*Inbox', ' *Inbox').replace('  Home', '> Home'));
  });

  test('[LIST-2] only a folder takes lists in', () => {
    const app = desk();
    app.press('Down', 'Mod+]');
    assert.match(app.message, /put it right below one/);
  });

  test('[LIST-2] archive hides a list until archived ones are shown', () => {
    const app = desk();
    app.press('Down', 'a');
    assert.equal(app.sidebar(), ' *Inbox\n> Work\n    Alpha\n    Beta');
    app.app.run('view.archived');
    assert.equal(app.lists()[1]?.archived, true);
    app.press('Up', 'a');
    app.app.run('view.archived');
    assert.equal(app.sidebar().split('\n')[1], '> Home');
  });

  test('[LIST-2] [LIST-6] delete the open list: the Inbox opens, undo brings it back with its tasks', () => {
    const app = desk();
    app.press('Down', 'Enter', 'Ctrl+Enter');
    app.type('Paint');
    app.press('Escape');
    assert.equal(app.screen(), '> Paint');
    app.app.run('list.delete');
    assert.equal(app.app.view.header.get().kind, 'inbox');
    assert.equal(app.message, 'Deleted list ‘Home’.');
    app.press('Mod+Z');
    app.press('[');
    assert.equal(app.screen(), '> Paint');
  });

  test('[LIST-2] a list that comes back from the trash is named once', () => {
    const app = desk();
    app.press('Down', 'Enter');
    app.app.run('list.delete');
    app.press('g x', 'u');
    assert.equal(app.message, 'Restored ‘Home’.');
    assert.match(app.sidebar(), /Home/);
  });

  test('[LIST-3] the Inbox stays', () => {
    const app = desk();
    for (const key of ['Delete', 'a', 'Alt+Down', 'Mod+]']) {
      app.press(key);
      assert.equal(app.message, 'You can’t change the Inbox.', key);
    }
    app.press('Down', 'Alt+Up');
    assert.equal(app.message, 'It’s already first.');
    assert.equal(app.sidebar(), TREE.replace('>*Inbox', ' *Inbox').replace('  Home', '> Home'));
  });

  test('[LIST-2] folders collapse and expand', () => {
    const app = desk();
    app.press('End', 'Left', 'Left');
    assert.equal(app.sidebar(), ' *Inbox\n  Home\n> Work');
    assert.equal(app.lists()[2]?.expanded, false);
    app.press('Right', 'Right', 'Right');
    assert.equal(app.app.view.header.get().title, 'Alpha');
  });

  test('[LIST-5] open tasks are counted', () => {
    const app = new Desk('> A\n    B\n  C ✓');
    const count = () => app.lists()[0]?.openCount;
    assert.equal(count(), 2);
    app.press('Space');
    assert.equal(count(), 1);
    app.press('Delete');
    assert.equal(count(), 0);
    app.press('Mod+Z', 'Mod+Z');
    assert.equal(count(), 2);
    app.app.run('list.create', { name: 'Home' });
    const home = app.lists()[1]?.id as Id;
    app.press('g i', 'Home');
    app.app.run('task.move', { list: home });
    assert.deepEqual(
      app.lists().map(({ openCount }) => openCount),
      [0, 2],
    );
    assert.equal(app.message, 'Moved ‘A’ to Home.');
  });
});

describe('places', () => {
  test('[LIST-5] what a place holds is counted by its own word', () => {
    const app = desk();
    const count = () => countOf(app.app.view.header.get());
    app.press('g i');
    assert.equal(count(), '2 open tasks');
    app.press('Alt+Enter');
    app.type('C');
    app.press('Escape', 'Up', 'z');
    assert.equal(count(), '1 open subtask');
    app.press('g i', 'Delete', 'g x');
    assert.equal(count(), '1 item');
    const folder = app.lists().find(({ name }) => name === 'Work')?.id as Id;
    app.app.run('go.list', { list: folder });
    assert.equal(count(), '2 lists');
    app.press('F6', 'Home', 'Down', 'Down', 'Down', 'Down', 'Down', 'Delete');
    app.app.run('go.list', { list: folder });
    assert.equal(count(), '1 list');
    app.app.run('go.list', { list: app.lists().find(({ name }) => name === 'Home')?.id as Id });
    assert.equal(count(), '');
  });

  test('[LIST-4] go to a list by name, back and forward', () => {
    const app = desk();
    app.press('Escape', 'Down', 'g l');
    assert.deepEqual(app.palette(), ['Inbox', 'Home', 'Alpha', 'Beta']);
    app.type('be');
    app.press('Enter');
    assert.equal(app.app.view.header.get().title, 'Beta');
    assert.deepEqual(
      app.app.view.header.get().trail.map(({ name }) => name),
      ['Work'],
    );
    app.press('[');
    assert.equal(app.app.view.header.get().title, 'Inbox');
    assert.equal(app.rows()[1]?.cursor, true);
    app.press(']');
    assert.equal(app.app.view.header.get().title, 'Beta');
    app.press(']');
    assert.equal(app.message, 'Nothing to go forward to.');
  });

  test('[LIST-4] Mod+P lists places only', () => {
    const app = desk();
    app.press('Escape', 'Mod+P');
    app.type('a');
    assert.deepEqual(app.palette(), ['Alpha', 'Beta']);
  });

  test('[LIST-4] the place is found again after a restart', () => {
    const app = desk();
    app.press('Down', 'Enter');
    assert.equal(app.preferences.get('place')?.startsWith('list:'), true);
    const again = new Desk('', { preferences: app.preferences });
    assert.equal(again.app.view.header.get().kind, 'inbox');
  });

  test('[LIST-4] an open folder holds no tasks and says what to do', () => {
    const app = desk();
    app.press('Down', 'Down', 'Enter');
    assert.equal(app.app.view.header.get().kind, 'folder');
    assert.deepEqual(app.app.view.empty.get(), {
      drawing: 'folder',
      heading: 'Folders hold lists, not tasks',
      text: 'Open one of them.',
      command: 'go.list',
      title: 'Go to list…',
      others: [{ command: 'list.create', title: 'New list…' }],
    });
    app.press('Ctrl+Enter');
    assert.match(app.message, /^Folders hold lists/);
  });

  test('[KEY-16] tasks move to another list together', () => {
    const app = desk();
    app.press('Escape', 'Mod+A', 'm');
    app.type('home');
    app.press('Enter');
    assert.equal(app.message, 'Moved 2 tasks to Home.');
    assert.equal(app.screen(), '');
    app.press('Mod+Z');
    assert.equal(app.screen(), '> A\n  B');
  });

  test('[KEY-36] the sidebar hides, and focus goes back to the tasks', () => {
    const app = desk();
    app.press('Mod+\\');
    assert.equal(app.app.view.sidebar.visible.get(), false);
    assert.equal(app.app.view.focus.get().pane, 'outline');
    assert.equal(new Desk('', { preferences: app.preferences }).app.view.sidebar.visible.get(), false);
  });
});
