// What the status line answers, and for how long; what the palette offers when little or nothing is typed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Desk } from './desk.ts';

const message = (desk: Desk) => desk.app.view.status.get().message;
const palette = (desk: Desk) => desk.app.view.palette.get();

describe('answers', () => {
  test('[UNDO-7] an offer to undo goes once it would take back something else', () => {
    const desk = new Desk('> one\n  two\n  three');
    desk.press('Delete');
    assert.equal(message(desk)?.undo, true);
    desk.press('Down', 'Tab');
    assert.equal(desk.screen(), '  two\n>   three');
    assert.equal(message(desk), null);
  });

  test('[UNDO-7] an offer to undo stays while nothing else is changed', () => {
    const desk = new Desk('> one\n  two\n  three');
    desk.press('Delete', 'Down', 'Up', 'Left');
    assert.equal(message(desk)?.undo, true);
  });

  test('[KEY-37] the answer to one command goes with the next', () => {
    const desk = new Desk('> A\n  B');
    desk.press('x', 'Escape');
    assert.equal(desk.message, 'Nothing selected.');
    desk.press('x');
    assert.equal(desk.message, '');
    desk.press('g', 'q');
    assert.equal(desk.message, 'g q does nothing.');
    desk.press('Down');
    assert.equal(desk.message, '');
  });

  test('[KEY-37] nothing to undo is no error', () => {
    const desk = new Desk('> A');
    desk.press('Mod+Z');
    assert.equal(message(desk)?.tone, 'info');
    desk.press('Mod+Shift+Z');
    assert.deepEqual(message(desk), { text: 'Nothing to redo.', undo: false, tone: 'info' });
  });

  test('[KEY-39] an answer fades, but not while it is looked at, hidden or under a dialog', () => {
    const desk = new Desk('> A\n  B');
    const holds = [
      [() => desk.app.holdMessage('pointer', true), () => desk.app.holdMessage('pointer', false)],
      [() => desk.app.holdMessage('focus', true), () => desk.app.holdMessage('focus', false)],
      [() => desk.app.holdMessage('hidden', true), () => desk.app.holdMessage('hidden', false)],
      [() => desk.app.run('application.syncStatus'), () => desk.app.closeDialog()],
    ] as const;
    for (const [hold, release] of holds) {
      desk.press('Space');
      desk.timers.advance(7_999);
      hold();
      desk.timers.advance(600_000);
      assert.equal(message(desk)?.undo, true);
      release();
      desk.timers.advance(7_999);
      assert.equal(message(desk)?.undo, true);
      desk.timers.advance(1);
      assert.equal(message(desk), null);
    }
    // What comes while nobody looks waits too.
    desk.app.holdMessage('hidden', true);
    desk.press('Space');
    desk.timers.advance(600_000);
    assert.equal(message(desk)?.undo, true);
  });

  test('[KEY-39] the newest answer stands alone, and counts what is done in a row', () => {
    const desk = new Desk('> A\n  B\n  C\n  D\n  E');
    desk.press('Space', 'Down', 'Space');
    assert.deepEqual(message(desk), {
      text: 'Completed ‘B’.',
      tally: '2 completed',
      undo: true,
      tone: 'info',
    });
    desk.press('Down', 'Shift+Down', 'Space');
    assert.equal(message(desk)?.tally, '4 completed');
    desk.press('Escape', 'Delete');
    assert.equal(message(desk)?.tally, undefined);
    desk.press('Delete');
    assert.deepEqual(message(desk)?.tally, '2 deleted');
    desk.timers.advance(8_000);
    desk.press('Delete');
    assert.equal(message(desk)?.tally, undefined);
  });

  test('[KEY-34] keys that are not bound are said to be so each time anew', () => {
    const desk = new Desk('> A');
    desk.press('g', 'q');
    assert.equal(message(desk)?.isMiss, true);
    desk.press('g');
    assert.equal(message(desk), null);
    desk.press('q');
    assert.equal(message(desk)?.isMiss, true);
  });

  test('[KEY-16] what goes with the deleted tasks is counted', () => {
    const desk = new Desk('> A\n    B\n    C\n  D');
    desk.press('Mod+A', 'Delete');
    assert.equal(desk.message, 'Deleted 4 tasks.');
  });

  test('[LIST-7] lists keep their name when none is given, and what happens to them is said', () => {
    const desk = new Desk('> A');
    desk.app.run('list.create', { name: 'Home' });
    desk.app.run('folder.create', { name: 'Area' });
    desk.press('F6', 'Home', 'Down', 'Down', 'Down', 'F2');
    desk.app.draftName(desk.lists()[1]?.id as never, '');
    desk.press('Enter');
    assert.equal(desk.message, 'Lists need a name. ‘Home’ keeps its old one.');
    desk.press('F2');
    desk.type('House');
    desk.press('Enter');
    assert.equal(desk.message, 'Renamed ‘Home’ to ‘House’.');
    desk.press('Mod+Z');
    assert.equal(desk.message, 'Undone: renamed list ‘House’.');
    desk.press('Alt+Down');
    assert.equal(desk.message, 'Moved list ‘Home’ down.');
    desk.press('Alt+Right');
    assert.equal(desk.message, 'Moved list ‘Home’ into ‘Area’.');
    desk.press('Alt+Left');
    assert.equal(desk.message, 'Moved list ‘Home’ out of its folder.');
    assert.equal(desk.sidebar(), '  Inbox\n  Area\n>*Home');
    desk.press('Up', 'Delete');
    assert.equal(desk.message, 'Deleted folder ‘Area’.');
  });
});

describe('the palette', () => {
  test('[FIND-4] without a query it lists every command that applies', () => {
    const desk = new Desk('> A');
    const fits = [...desk.app.commands.values()].filter((command) => command.inPalette);
    desk.press('Mod+K');
    const titles = new Set(desk.palette());
    for (const id of ['help.keys', 'view.theme', 'export.accountMarkdown', 'account.signIn'])
      assert.ok(titles.has(desk.app.commands.get(id)?.title ?? id), id);
    assert.ok(desk.palette().length > 50 && desk.palette().length <= fits.length);
  });

  test('[FIND-5] every prefix leads on', () => {
    for (const query of ['#', '#x', '@nowhere', '/', '/x', '>nothing of the kind']) {
      const desk = new Desk('> A');
      desk.press('Mod+K');
      desk.type(query);
      assert.ok(desk.palette().length > 0, query);
    }
  });

  test('[FIND-6] a step that waits for text says so', () => {
    const desk = new Desk('> A');
    desk.app.run('list.create');
    assert.equal(palette(desk)?.items[0]?.title, 'Type a name');
    // Nor is it said twice.
    assert.deepEqual([palette(desk)?.items[0]?.unavailable, palette(desk)?.items[0]?.hint], ['', '']);
    assert.equal(palette(desk)?.active, -1);
    desk.press('Enter');
    assert.equal(desk.message, 'Type a name.');
    assert.notEqual(palette(desk), null);
  });

  test('[FIND-8] the key of a chosen command is shown five times, and never for one run by its key', () => {
    const desk = new Desk('> A');
    const choose = () => {
      desk.press('Mod+K');
      desk.type('select all');
      desk.press('Enter');
      return message(desk);
    };
    for (let time = 0; time < 5; time += 1) {
      const said = choose();
      assert.deepEqual(said?.keys, ['⌘A']);
    }
    const after = choose();
    assert.equal(after?.keys, undefined);
    desk.press('Space');
    assert.equal(desk.message, 'Completed ‘A’.');
  });

  test('[PAL-14] what was done is heard before its key', () => {
    const desk = new Desk('> A\n  B');
    desk.press('Mod+K');
    desk.type('delete task');
    desk.press('Enter');
    assert.match(desk.app.view.announcement.get().text, /^Deleted ‘A’\. Next time: /);
  });

  test('[FIND-8] [PAL-14] where nothing else is said, the key stays for a moment', () => {
    const desk = new Desk('> A');
    desk.press('Mod+K');
    desk.type('show or hide notes');
    desk.press('Enter');
    assert.deepEqual(message(desk), { text: '', undo: false, tone: 'info', keys: ['⌘/'] });
    assert.equal(desk.app.view.announcement.get().text, 'Next time: ⌘/');
    desk.timers.advance(1_300);
    assert.equal(desk.message, '');
  });

  test('[FIND-4] what is offered for a task fits it', () => {
    const desk = new Desk('> A ✓');
    desk.press('Mod+K');
    assert.ok(desk.palette().includes('Reopen task'));
    assert.ok(!desk.palette().includes('Complete task'));
    const items = palette(desk)?.items ?? [];
    const from = items.findIndex(({ heading }) => heading === 'A');
    const to = items.findIndex(({ heading }, index) => index > from && heading !== null);
    const forTask = items.slice(from, to).map(({ title }) => title);
    assert.ok(from >= 0 && forTask.includes('Reopen task'));
    assert.ok(!forTask.includes('New task') && !forTask.includes('Clear completed tasks'));
  });
});

describe('adding very much', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`).join('\n');

  test('[FLOW-3] closed, its dialog stays closed, and the status line says how far it is', () => {
    const desk = new Desk('> A');
    desk.app.pasted(lines(5_000));
    assert.equal(desk.app.view.dialog.get()?.type, 'import');
    desk.app.closeDialog();
    desk.timers.advance(0);
    assert.equal(desk.app.view.dialog.get(), null);
    desk.timers.advance(100);
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.message, 'Added 5000 tasks.');
  });

  test('[FLOW-1] what lies deeper than tasks can is put on the deepest level, in its order', () => {
    const desk = new Desk('> A');
    const deep = Array.from({ length: 1_200 }, (_, level) => `${'  '.repeat(level)}t${level}`).join('\n');
    desk.app.pasted(deep);
    desk.timers.advance(1_000);
    assert.equal(desk.message, 'Added 1200 tasks.');
    assert.equal(desk.app.view.dialog.get(), null);
    const titles = desk.rows().map(({ title }) => title);
    assert.deepEqual(
      titles.slice(1),
      Array.from({ length: 1_200 }, (_, level) => `t${level}`),
    );
  });
});
