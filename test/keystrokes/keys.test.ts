// What keys are not for: typed text, held keys, chords begun, Tab that should pass.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { Desk, list } from './desk.ts';
import { keyInput } from './key-input.ts';

describe('what keys are not for', () => {
  test('[KEY-32] single keys type in a text field', () => {
    const desk = list();
    desk.press('Enter');
    for (const key of ['x', 'm', '/', '?', 'g', 'Space']) assert.equal(desk.press(key), false, key);
    assert.equal(desk.rows()[0]?.selected, false);
  });

  test('[KEY-33] a held key moves but completes once', () => {
    const desk = list();
    const hold = (name: string) => desk.app.key(keyInput(name, { apple: true, inText: false, repeat: true }));
    assert.equal(hold('Down'), true);
    assert.equal(desk.rows()[1]?.cursor, true);
    assert.equal(hold('Space'), true);
    assert.equal(desk.rows()[1]?.done, false);
  });

  test('[KEY-33] [KEY-34] a key that begins a chord may be held', () => {
    const desk = list();
    const hold = (name: string) => desk.app.key(keyInput(name, { apple: true, inText: false, repeat: true }));
    desk.press('g');
    assert.equal(hold('g'), true);
    assert.equal(desk.message, '');
    assert.deepEqual(desk.app.view.status.get().pending, ['g']);
    desk.press('x');
    assert.equal(desk.app.view.header.get().title, 'Trash');
    // Held since before: the press was for something else.
    assert.equal(hold('g'), true);
    assert.deepEqual(desk.app.view.status.get().pending, []);
  });

  test('[KEY-34] what steps out as Esc does leads out of a chord too', () => {
    const desk = list();
    desk.app.run('keys.preset', { value: 'emacs' });
    desk.press('Ctrl+X', 'Ctrl+G');
    assert.deepEqual(desk.app.view.status.get().pending, []);
    assert.notEqual(desk.message, '⌃X ⌃G does nothing.');
  });

  test('[KEY-32] with Alt a letter is no text, except where Alt makes signs', () => {
    for (const apple of [false, true]) {
      const desk = new Desk('> Plan', { apple });
      desk.app.run('keys.preset', { value: 'emacs' });
      desk.press('Enter');
      assert.equal(desk.press('Alt+x'), !apple);
      assert.equal(desk.app.view.palette.get() !== null, !apple);
    }
  });

  test('[KEY-47] Emacs keys move the caret, cut and put back, where no system does', () => {
    const desk = new Desk('> Plan 🚀 now', { apple: false });
    desk.app.run('keys.preset', { value: 'emacs' });
    desk.press('Enter');
    const press = (name: string, caret: number) => {
      desk.caret = caret;
      assert.equal(desk.press(name), true);
      return desk.caret;
    };
    assert.equal(press('Ctrl+A', 11), 0);
    assert.equal(press('Ctrl+F', 0), 1);
    assert.equal(press('Ctrl+F', 5), 7);
    assert.equal(press('Ctrl+B', 7), 5);
    assert.equal(press('Ctrl+B', 0), 0);
    assert.equal(press('Ctrl+E', 0), 11);
    assert.equal(press('Ctrl+F', 11), 11);
    assert.equal(press('Alt+F', 1), 4);
    assert.equal(press('Alt+F', 4), 11);
    assert.equal(press('Alt+B', 10), 8);
    assert.equal(press('Alt+B', 8), 0);
    press('Ctrl+K', 4);
    assert.equal(desk.clipboard, ' 🚀 now');
    assert.equal(desk.screen(), '> Plan|');
    press('Ctrl+Y', 0);
    assert.equal(desk.screen(), '>  🚀 nowPlan|');
    press('Ctrl+D', 1);
    press('Alt+D', 1);
    assert.equal(desk.screen(), '>  |');
    press('Ctrl+Y', 0);
    press('Alt+Backspace', 8);
    assert.equal(desk.screen(), '>   |');
    press('Ctrl+/', 0);
    assert.deepEqual(desk.undone, ['undo'], 'the field takes back what was done in it');
    desk.press('Escape', 'Mod+Z');
    assert.equal(desk.screen(), '> Plan 🚀 now');
    // On Apple keyboards the system does it.
    const mac = new Desk('> Plan');
    mac.app.run('keys.preset', { value: 'emacs' });
    mac.press('Enter');
    assert.equal(mac.press('Ctrl+A'), false);
  });

  test('[KEY-47] they do so in the palette as well', () => {
    const desk = new Desk('> Plan', { apple: false });
    desk.app.run('keys.preset', { value: 'emacs' });
    desk.press('Alt+X');
    desk.type('due date');
    desk.caret = 3;
    desk.press('Ctrl+K', 'Ctrl+A', 'Ctrl+Y');
    assert.equal(desk.app.view.palette.get()?.query, ' datedue');
  });

  test('[KEY-42] a key for a command of a newer version says so, and the keys go on', async () => {
    const own = { add: [{ context: 'navigate', keys: 'q', command: 'task.teleport' }], drop: [] };
    const preferences = new Map([
      ['lesson', 'over'],
      ['keysSync', 'false'],
      ['keysOwnHere', JSON.stringify(own)],
    ]);
    const desk = new Desk('> Plan\n  Rest', { preferences });
    assert.equal(desk.press('q'), true);
    await Promise.resolve();
    assert.match(desk.message, /no command “task.teleport”/);
    desk.press('Down');
    assert.equal(desk.screen(), '  Plan\n> Rest');
  });

  test('[KEY-34] a chord waits, goes back and says what is not bound', () => {
    const desk = list();
    desk.press('g');
    assert.deepEqual(desk.app.view.status.get().pending, ['g']);
    desk.timers.advance(600_000);
    assert.deepEqual(desk.app.view.status.get().pending, ['g']);
    desk.press('Backspace');
    assert.deepEqual(desk.app.view.status.get().pending, []);
    assert.equal(desk.rows().length, 7);
    desk.press('g', 'z');
    assert.equal(desk.message, 'g z does nothing.');
    desk.press('g', 'Escape');
    assert.deepEqual(desk.app.view.status.get().pending, []);
    desk.press('g');
    desk.app.releaseKeys();
    assert.deepEqual(desk.app.view.status.get().pending, []);
  });

  test('[KEY-46] the panel of what follows comes after a moment and is said once', () => {
    const desk = new Desk('> Plan');
    const { status, announcement } = desk.app.view;
    desk.press('g');
    desk.timers.advance(399);
    assert.deepEqual(status.get().hints, []);
    desk.timers.advance(1);
    const { hints } = status.get();
    assert.ok(hints.some(({ keys, title }) => keys === 'i' && title === 'Go to Inbox'));
    const said = announcement.get();
    assert.equal(said.text, `${hints.length} keys follow g`);
    desk.timers.advance(60_000);
    assert.equal(announcement.get(), said);
    desk.press('Escape');
    assert.deepEqual(status.get().hints, []);
    // Whoever is faster never sees it.
    desk.press('g', 'x');
    desk.timers.advance(60_000);
    assert.deepEqual(status.get().hints, []);
    assert.equal(announcement.get().text, 'Trash');
  });

  test('[KEY-46] the panel says what may follow an operator', () => {
    const desk = new Desk('> Plan\n  Rest');
    desk.app.run('keys.preset', { value: 'vim' });
    const { status } = desk.app.view;
    desk.press('d');
    desk.timers.advance(400);
    const keys = status.get().hints.map((hint) => hint.keys);
    assert.deepEqual(
      keys,
      ['d', 'j', 'k', 'g', 'Shift+G', '}', '{', 'Shift+H', 'Shift+L', "'"].map((key) =>
        key.replace('Shift+', '⇧'),
      ),
    );
    const twice = status.get().hints[0];
    assert.equal(twice?.title, 'This task: delete');
    desk.app.pressHint(twice?.stroke ?? '');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['Rest'],
    );
    for (const begun of ['3', 'm', "'"]) {
      desk.press(begun);
      desk.timers.advance(400);
      assert.deepEqual(status.get().hints, [], begun);
      desk.press('Escape');
    }
  });

  test('[KEY-46] a line of the panel can be pressed; at once and never are choices', () => {
    const desk = new Desk('> Plan');
    const { status, header } = desk.app.view;
    desk.app.run('setting.keysHintDelay', { value: '0' });
    desk.press('g');
    const trash = status.get().hints.find(({ title }) => title === 'Go to trash');
    desk.app.pressHint(trash?.stroke ?? '');
    assert.equal(header.get().title, 'Trash');
    assert.deepEqual(status.get().pending, []);
    desk.app.pressHint('i');
    assert.equal(header.get().title, 'Trash');
    desk.app.run('setting.keysHintDelay', { value: '-1' });
    desk.press('g');
    desk.timers.advance(60_000);
    assert.deepEqual(status.get().hints, []);
    assert.deepEqual(status.get().pending, ['g']);
  });

  test('[KEY-36] Tab that brought the focus passes on, another key arms indenting', () => {
    const desk = list();
    desk.press('End');
    const id = desk.rows()[6]?.id as Id;
    desk.app.focusArrived('outline', 'tab', id);
    assert.equal(desk.press('Tab'), false);
    desk.app.focusArrived('outline', 'tab', id);
    desk.press('Up', 'Down');
    assert.equal(desk.press('Tab'), true);
    assert.equal(desk.rows()[6]?.level, 2);
  });

  test('[KEY-36] Esc then Tab leaves once, and Tab can be given back for good', () => {
    const desk = list();
    desk.press('End', 'Escape');
    assert.equal(desk.press('Tab'), false);
    assert.equal(desk.press('Tab'), true);
    desk.press('Shift+Tab', 'Ctrl+Shift+M');
    assert.equal(desk.app.view.status.get().tabMovesFocus, true);
    assert.equal(desk.press('Tab'), false);
    assert.equal(desk.press('Mod+]'), true);
    assert.equal(new Desk('', { preferences: desk.preferences }).app.view.status.get().tabMovesFocus, true);
  });

  test('[KEY-36] F6 goes round the panes', () => {
    const desk = list();
    desk.press('Mod+/');
    const panes = ['F6', 'F6', 'F6', 'Shift+F6'].map((key) => {
      desk.press(key);
      return desk.app.view.focus.get().pane;
    });
    assert.deepEqual(panes, ['notes', 'sidebar', 'outline', 'sidebar']);
  });

  test('[KEY-5] Enter in an empty list adds the first task', () => {
    const desk = new Desk('');
    desk.press('Enter');
    assert.equal(desk.screen(), '> |');
    assert.equal(desk.message, '');
  });

  test('[KEY-36] Tab and Shift+Tab pass through an empty list', () => {
    const desk = new Desk('');
    assert.equal(desk.press('Tab'), false);
    assert.equal(desk.press('Shift+Tab'), false);
    assert.equal(desk.message, '');
  });

  test('[FIND-1] the key that browsers search with searches all tasks, also while editing', () => {
    const desk = list();
    desk.press('Enter', 'Mod+F');
    assert.equal(desk.app.view.focus.get().pane, 'search');
  });

  test('[LIST-4] Alt+← and Alt+→ go back and forward where brackets need AltGr', () => {
    const desk = list();
    desk.press('Ctrl+.');
    assert.equal(desk.app.view.header.get().title, 'Plan');
    desk.press('Alt+Left');
    assert.equal(desk.app.view.header.get().title, 'Inbox');
    desk.press('Alt+Right');
    assert.equal(desk.app.view.header.get().title, 'Plan');
  });

  test('[KEY-36] Mod+\\ hides the sidebar', () => {
    const desk = list();
    desk.press('Mod+\\');
    assert.equal(desk.app.view.sidebar.visible.get(), false);
  });

  test('[KEY-35] the sheet of keys says where each of them counts', () => {
    const sheet = list().app.keySheet();
    const of = (place: string, id: string) =>
      sheet
        .find(({ title }) => title === place)
        ?.rows.find((row) => row.id === id)
        ?.keys.map((caps) => caps.join(' '));
    assert.deepEqual(of('In the sidebar', 'list.create'), ['⌃↵']);
    assert.deepEqual(of('In the outline', 'list.create'), undefined);
    assert.ok(of('In the outline', 'task.createBelow')?.includes('⌃↵'));
    assert.ok(of('While editing', 'task.indent'));
    assert.ok(of('Everywhere', 'search.open'));
    assert.ok(sheet.every(({ rows }) => rows.length > 0));
  });
});
