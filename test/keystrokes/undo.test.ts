// Undo and redo across everything that keys change, and what happens when somebody else was there in between.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { asRow, fieldOf, type Row } from '#sync/rows/row.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { Desk } from './desk.ts';
import { titles, vimDesk } from './vim-desk.ts';

const NEWER = 1_000_000;

/** A row as another device left it. */
function elsewhere(desk: Desk, id: Id, fields: Readonly<Record<string, unknown>>): void {
  const row = desk.replica.row(id) as Row;
  const stamp = [NEWER, desk.replica.now() + 1, 7, 1] as const;
  const stamps = Object.fromEntries(Object.keys(fields).map((register) => [register, stamp]));
  const changed = asRow({
    ...row,
    version: NEWER,
    fields: { ...row.fields, ...fields },
    stamps: { ...row.stamps, ...stamps },
  });
  receivePage(desk.replica, [changed]);
}

const idAt = (desk: Desk, line: number) => desk.rows()[line]?.id as Id;

describe('undo', () => {
  test('[UNDO-1] what was set before an advance is taken back after it', () => {
    for (const value of ['every week', 'every month on the 31st', 'every day']) {
      const desk = new Desk('> A');
      desk.app.run('task.repeat', { value });
      const due = desk.rows()[0]?.due?.text;
      desk.press('Space', 'Space', 'Shift+R', 'Mod+Z', 'Mod+Z', 'Mod+Z');
      desk.press('Mod+Shift+Z', 'Mod+Shift+Z', 'Mod+Z', 'Mod+Z');
      assert.equal(desk.rows()[0]?.due?.text, due, value);
      desk.press('Mod+Z');
      assert.equal(desk.message, 'Undone: set ‘A’ to repeat.', value);
      assert.equal(desk.rows()[0]?.repeats, null, value);
      assert.equal(desk.rows()[0]?.due, null, value);
    }
  });

  test('[UNDO-2] typing a new title is one undo, however it was typed', () => {
    const desk = new Desk('> A');
    desk.press('Ctrl+Enter');
    desk.type('B');
    desk.timers.advance(1_500);
    desk.type('ee');
    desk.timers.advance(1_500);
    desk.press('Tab', 'Escape');
    assert.equal(desk.screen(), '  A\n>   Bee');
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '> A');
    assert.equal(desk.message, 'Undone: added ‘Bee’.');
    desk.press('Mod+Shift+Z');
    assert.equal(desk.screen(), '  A\n>   Bee');
  });

  test('[UNDO-2] one command over many tasks is one undo', () => {
    const desk = new Desk('> A\n  B\n  C');
    desk.press('Mod+A', 'Space', 'Delete', 'Mod+Z');
    assert.equal(desk.rows().filter(({ done }) => done).length, 3);
    desk.press('Mod+Z');
    assert.equal(desk.rows().filter(({ done }) => done).length, 0);
  });

  test('[UNDO-3] redo goes forward again, until something else is done', () => {
    const desk = new Desk('> A\n  B');
    desk.press('Space', 'Down', 'Space', 'Tab', 'Mod+Z', 'Mod+Z', 'Mod+Z');
    assert.equal(desk.screen(), '> A\n  B');
    desk.press('Mod+Shift+Z', 'Mod+Shift+Z', 'Mod+Shift+Z');
    assert.equal(desk.screen(), '  A ✓\n>   B ✓');
    desk.press('Mod+Z', 'Mod+Z', 'Delete', 'Mod+Shift+Z');
    assert.equal(desk.message, 'Nothing to redo.');
  });

  test('[UNDO-3] there and back again through writes of one register', () => {
    const desk = new Desk('> A');
    for (const key of ['Space', 'Space', 'Space']) desk.press(key);
    desk.press('Enter');
    desk.type('1');
    desk.press('Escape', 'Enter');
    desk.type('2');
    desk.press('Escape');
    for (let round = 0; round < 3; round += 1) {
      desk.press('Mod+Z', 'Mod+Z', 'Mod+Z', 'Mod+Z', 'Mod+Z');
      assert.equal(desk.screen(), '> A');
      desk.press('Mod+Shift+Z', 'Mod+Shift+Z', 'Mod+Shift+Z', 'Mod+Shift+Z', 'Mod+Shift+Z');
      assert.equal(desk.screen(), '> A12 ✓');
    }
  });

  test('[UNDO-4] a title that somebody changed since stays, and that is said', () => {
    const desk = new Desk('> A');
    desk.press('Enter');
    desk.type('bc');
    desk.press('Escape');
    elsewhere(desk, idAt(desk, 0), { title: 'Theirs' });
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '> Theirs');
    assert.equal(desk.message, 'It has changed since, so it stays: edited ‘Abc’.');
    assert.equal(desk.app.view.status.get().message?.tone, 'error');
  });

  test('[UNDO-4] the rest of a group is taken back all the same', () => {
    const desk = new Desk('> A\n  B');
    desk.press('Mod+A', 'Space');
    elsewhere(desk, idAt(desk, 0), { status: { done: 5 } });
    desk.press('Mod+Z');
    assert.equal(desk.screen(), ' *A ✓\n>*B');
    assert.match(desk.message, /One part changed since then and stayed\.$/);
  });

  test('[UNDO-14] in a new line without a word, that line alone goes', () => {
    const desk = new Desk('> A');
    desk.press('Ctrl+Enter');
    desk.type('B');
    desk.press('Enter', 'Mod+Z');
    assert.deepEqual([desk.message, desk.screen()], ['Undone: new line.', '  A\n> B']);
    desk.press('Mod+Z');
    assert.deepEqual([desk.message, desk.screen()], ['Undone: added ‘B’.', '> A']);
  });

  test('[UNDO-14] what is taken back in another list is said with its name', () => {
    const desk = new Desk('> A');
    desk.press('Space');
    desk.app.run('list.create', { name: 'Home' });
    desk.press('Ctrl+Enter');
    desk.type('Paint');
    desk.press('Escape', 'Space', 'g i', 'Mod+Z');
    assert.equal(desk.message, 'Undone: completed ‘Paint’ in ‘Home’.');
    desk.press('Mod+Z', 'Mod+Z', 'Mod+Z');
    assert.equal(desk.message, 'Undone: completed ‘A’.');
  });

  test('[UNDO-5] while text was typed, Mod+Z belongs to the text field', () => {
    const desk = new Desk('> A\n  B');
    desk.press('Space', 'Enter');
    desk.type('!');
    assert.equal(desk.press('Mod+Z'), false);
    desk.app.draftTitle(idAt(desk, 0), 'A', 1);
    assert.equal(desk.press('Mod+Z'), true);
    assert.equal(desk.rows()[0]?.done, false);
    desk.press('n');
    assert.equal(desk.press('Mod+Z'), false);
  });

  test('[UNDO-6] 200 gestures', () => {
    const desk = new Desk('> A');
    for (let gesture = 0; gesture < 205; gesture += 1) desk.press('Space');
    let undone = 0;
    while (desk.app.run('edit.undo').type === 'done') undone += 1;
    assert.equal(undone, 200);
  });

  test('[UNDO-2] folding is no change to undo', () => {
    const desk = new Desk('> A\n    B');
    desk.press('Left', 'Mod+Z');
    assert.equal(desk.message, 'Nothing to undo.');
    assert.equal(desk.screen(), '> A +');
  });

  test('[UNDO-3] the palette lists earlier changes and goes back to them', () => {
    const desk = new Desk('> A\n  B\n  C');
    desk.press('Space', 'Down', 'Space', 'Down', 'Space', 'Mod+K');
    desk.type('undo completed a');
    assert.equal(desk.palette()[0], 'Undo: completed ‘A’');
    desk.press('Enter');
    assert.equal(desk.rows().filter(({ done }) => done).length, 0);
  });
});

describe('changes from elsewhere', () => {
  test('[KEY-1] a task deleted elsewhere while it is edited gives the cursor to its neighbour and keeps the text', () => {
    const desk = new Desk('> A\n  B');
    const id = idAt(desk, 0);
    desk.press('Enter');
    desk.type('bc');
    elsewhere(desk, id, { del: { at: 1, by: 7 } });
    assert.equal(desk.screen(), '> B');
    assert.equal(desk.app.view.status.get().mode, 'NAV');
    assert.equal(fieldOf(desk.replica.row(id), 'title'), 'Abc');
  });

  test('[KEY-9] a title changed elsewhere stands when nothing was typed here', () => {
    const desk = new Desk('> A');
    desk.press('Enter');
    elsewhere(desk, idAt(desk, 0), { title: 'Theirs' });
    desk.press('Escape');
    assert.equal(desk.screen(), '> Theirs');
  });

  test('[LIST-6] the open list deleted elsewhere opens the Inbox', () => {
    const desk = new Desk('> A');
    desk.app.run('list.create', { name: 'Work' });
    const list = desk.app.view.sidebar.rows.get().find(({ name }) => name === 'Work')?.id as Id;
    elsewhere(desk, list, { del: { at: 1, by: 7 } });
    assert.equal(desk.app.view.header.get().kind, 'inbox');
    assert.equal(desk.message, 'What you had open is gone.');
  });

  test('[FLOW-6] going offline, a refusing disk and an ended session are said once', () => {
    const desk = new Desk('> A');
    const said: string[] = [];
    desk.app.view.announcement.subscribe(() => said.push(desk.app.view.announcement.get().text));
    desk.engine.setSync({ type: 'onDevice', waiting: 1, online: false });
    desk.engine.setSync({ type: 'onDevice', waiting: 2, online: false });
    desk.engine.setSync({ type: 'synced' });
    desk.engine.setSync({ type: 'unsaved', waiting: 1, failing: true });
    desk.engine.setSync({ type: 'signedOut', waiting: 0 });
    assert.deepEqual(said, [
      'Offline. Your changes are kept on this device.',
      'Back online.',
      'This device can’t save. Keep this window open or you’ll lose your changes.',
      'You’ve been signed out. Keep working, and sign in to sync.',
    ]);
    assert.deepEqual(desk.app.view.status.get().sync, { type: 'signedOut', waiting: 0 });
    desk.press('Space');
    assert.equal(desk.rows()[0]?.done, true);
  });

  test('[SHARE-371] when a trouble of the server or a lock is over, it is said what it was', () => {
    const desk = new Desk('> A');
    const said: string[] = [];
    desk.app.view.announcement.subscribe(() => said.push(desk.app.view.announcement.get().text));
    for (const trouble of ['locked', 'full', 'failing'] as const) {
      desk.engine.setSync({ type: 'onDevice', waiting: 1, online: true, trouble });
      desk.engine.setSync({ type: 'synced' });
    }
    assert.deepEqual(said, [
      'This device is locked. What you write is kept here until it has the key.',
      'This device has the key now. What you wrote while it was locked is being sent.',
      'The server is full and can’t accept changes. They’re kept on this device.',
      'The server has room again. What it couldn’t accept is being sent.',
      'The server isn’t accepting changes. They’re kept on this device.',
      'The server had a problem and couldn’t accept changes. It’s over, and they’re being sent.',
    ]);
  });

  test('[FLOW-6] a start is not called being offline, nor its first answer being online again', () => {
    const desk = new Desk('> A', { sync: { type: 'loading' } });
    const said: string[] = [];
    desk.app.view.announcement.subscribe(() => said.push(desk.app.view.announcement.get().text));
    desk.engine.setSync({ type: 'onDevice', waiting: 0, online: false });
    desk.engine.setSync({ type: 'synced' });
    assert.deepEqual(said, []);
    desk.engine.setSync({ type: 'onDevice', waiting: 0, online: false });
    desk.engine.setSync({ type: 'synced' });
    assert.deepEqual(said, ['Offline. Your changes are kept on this device.', 'Back online.']);
  });
});

describe('undo by a letter of Vim’s', () => {
  test('[UNDO-13] leaves the choice of keys, says what takes it back, and takes back what was done before', () => {
    const desk = vimDesk();
    const keys = () => desk.app.keysOf('edit.undo').flat();
    desk.press('u');
    assert.equal(desk.message, 'To undo that you chose the Vim keys, press Ctrl+Z.');
    assert.equal(desk.app.view.status.get().message?.tone, 'info');
    assert.ok(keys().includes('u'), 'the next letters do what they did');
    desk.press('d', 'd', 'd', 'd');
    assert.deepEqual(titles(desk), ['Three', 'Four', 'Five']);
    desk.press('u');
    assert.match(desk.message, /^Undone: deleted ‘Two’\.$/);
    desk.app.run('keys.preset', { value: 'emacs' });
    desk.app.run('keys.preset', { value: 'vim' });
    desk.press('u');
    assert.equal(desk.message, 'Undone: deleted ‘One’. To undo that you chose the Vim keys, press Ctrl+Z.');
    assert.deepEqual(titles(desk), ['One', 'Two', 'Three', 'Four', 'Five']);
    desk.press('3', 'u');
    assert.ok(keys().includes('u'));
    desk.press('Ctrl+Z', 'Ctrl+Z', 'Ctrl+Z');
    assert.equal(desk.message, 'Undone: chose the Vim keys.');
    assert.equal(keys().includes('u'), false);
  });

  test('[UNDO-13] what was left and taken back around it is done again in its place', () => {
    const desk = vimDesk();
    desk.app.run('keys.preset', { value: 'standard' });
    desk.press('Space');
    desk.app.run('keys.preset', { value: 'vim' });
    desk.press('u');
    assert.equal(desk.rows()[0]?.done, false);
    desk.press('Ctrl+R');
    assert.equal(desk.rows()[0]?.done, true);
    desk.press('Ctrl+Z');
    assert.equal(desk.rows()[0]?.done, false);
    desk.press('Ctrl+Z');
    assert.equal(desk.app.keysOf('edit.undo').flat().includes('u'), false);
  });

  test('[UNDO-13] another setting is taken back by it as by any key', () => {
    const desk = vimDesk();
    desk.app.run('setting.dayStart', { value: '4' });
    desk.press('u');
    assert.match(desk.message, /^Undone: changed the setting/);
  });
});
