// Keys on the outline: moving, adding, editing, rearranging.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, type Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { Desk, LIST, list, shows } from './desk.ts';

describe('moving the cursor', () => {
  test('[KEY-3] down and up go line by line and stop at the ends', () => {
    const desk = list();
    desk.press('Up');
    assert.equal(desk.rows()[0]?.cursor, true);
    desk.press('Down', 'Down');
    assert.equal(desk.rows()[2]?.cursor, true);
    desk.press('End', 'Down');
    assert.equal(desk.rows()[6]?.cursor, true);
    desk.press('Mod+Up');
    assert.equal(desk.rows()[0]?.cursor, true);
    desk.press('PageDown');
    assert.equal(desk.rows()[6]?.cursor, true);
    desk.press('PageUp', 'Mod+Down', 'Home');
    assert.equal(desk.rows()[0]?.cursor, true);
  });

  test('[KEY-4] left collapses and then goes to the parent, right expands and then goes in', () => {
    const desk = list();
    desk.press('Left');
    shows(desk, '> Plan +\n  Ship\n    Pack\n      Label\n  Rest');
    desk.press('Left', 'Right');
    shows(desk, LIST);
    desk.press('Right', 'Right');
    assert.equal(desk.rows()[1]?.cursor, true);
    desk.press('Left');
    assert.equal(desk.rows()[0]?.cursor, true);
  });

  test('[KEY-4] all are collapsed and expanded at once', () => {
    const desk = list();
    desk.press('Down', 'Shift+Left');
    shows(desk, '> Plan +\n  Ship +\n  Rest');
    desk.press('Shift+Right');
    shows(desk, LIST);
    assert.equal(desk.message, 'Expanded 3 tasks.');
  });

  test('the window follows the cursor by the least scroll', () => {
    const desk = new Desk(
      Array.from({ length: 60 }, (_, index) => `${index === 0 ? '>' : ' '} t${index}`).join('\n'),
    );
    const { rows } = desk.app.view;
    rows.resize(10);
    for (let step = 0; step < 9; step += 1) desk.press('Down');
    assert.equal(rows.top.get(), 0);
    desk.press('Down');
    assert.equal(rows.top.get(), 1);
    desk.press('Up');
    assert.equal(rows.top.get(), 1);
    desk.press('Home');
    assert.equal(rows.top.get(), 0);
    rows.scrolledTo(30);
    assert.equal(rows.top.get(), 30);
    desk.press('Down');
    assert.equal(rows.top.get(), 1);
  });

  test('rows arriving above do not push the cursor off the screen; scrolling away does', () => {
    const titles = Array.from({ length: 60 }, (_, index) => `${index === 0 ? '>' : ' '} t${index}`);
    const desk = new Desk(titles.join('\n'));
    const { rows } = desk.app.view;
    rows.resize(10);
    for (let step = 0; step < 20; step += 1) desk.press('Down');
    const top = rows.top.get();
    const above = Array.from({ length: 30 }, (_, index): Row => {
      const key = `Zz${String(index).padStart(2, '0')}1`;
      const fields = { title: 'new', place: { parent: inboxId(desk.replica.scope), key } };
      const stamp = [9_000, 9_000, 7, index] as const;
      const { scope } = desk.replica;
      const times = { version: 9_000, createdAt: 1, updatedAt: 1 };
      return { id: desk.replica.newId(), type: 'task', scope, fields, stamp, ...times };
    });
    receivePage(desk.replica, above);
    const drawn = Array.from({ length: rows.pool.get() }, (_, slot) => rows.slot(slot).get());
    assert.equal(drawn.find((row) => row?.cursor)?.title, 't20');
    assert.equal(rows.top.get(), top + 30);
    rows.scrolledTo(0);
    assert.equal(rows.top.get(), 0);
  });

  test('a row keeps its slot while it is in the window', () => {
    const desk = list();
    const { rows } = desk.app.view;
    const slots = () =>
      Array.from({ length: rows.pool.get() }, (_, slot) => rows.slot(slot).get()?.id ?? null);
    const before = slots();
    desk.press('Shift+Enter');
    desk.type('New');
    desk.press('Escape');
    const after = slots();
    for (const [slot, id] of before.entries()) if (id !== null) assert.equal(after[slot], id);
    assert.equal(after.filter((id) => id !== null).length, before.filter((id) => id !== null).length + 1);
  });

  test('a move tells two slots, an edit one', () => {
    const desk = list();
    const { rows } = desk.app.view;
    let told = 0;
    for (let slot = 0; slot < rows.pool.get(); slot += 1) rows.slot(slot).subscribe(() => (told += 1));
    desk.press('Down');
    assert.equal(told, 2);
    desk.press('Space');
    // Itself, and the parent whose count of done children moved.
    assert.equal(told, 4);
  });
});

describe('adding', () => {
  test('[KEY-5] below, above and as a child', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    desk.type('Below');
    desk.press('Escape', 'Shift+Enter');
    desk.type('Above');
    desk.press('Escape', 'Home', 'Alt+Enter');
    desk.type('Child');
    desk.press('Escape');
    shows(
      desk,
      `
        Plan
          Write
          Send
      >   Child
        Above
        Below
        Ship
          Pack
            Label
        Rest`,
    );
  });

  test('[KEY-5] a child of a collapsed task expands it', () => {
    const desk = new Desk('> Plan +\n    Write');
    desk.press('Alt+Enter');
    desk.type('Send');
    desk.press('Escape');
    shows(desk, '  Plan\n    Write\n>   Send');
  });

  test('[KEY-5] in an empty list, and where none can be', () => {
    const desk = new Desk();
    assert.deepEqual(desk.app.view.empty.get(), {
      drawing: 'inbox',
      heading: 'All sorted',
      text: 'What you add from anywhere lands here first.',
      command: 'task.createBelow',
      title: 'New task',
      others: [{ command: 'go.today', title: 'Go to Today' }],
    });
    desk.press('Ctrl+Enter');
    desk.type('First');
    desk.press('Escape');
    shows(desk, '> First');
    desk.press('g', 'x', 'Ctrl+Enter');
    assert.match(desk.message, /can’t add tasks to the trash/);
  });

  test('[KEY-6] left empty it goes again, and nothing is left to undo', () => {
    const desk = list();
    desk.press('Ctrl+Enter');
    assert.equal(desk.rows().length, 8);
    desk.press('Escape');
    shows(desk, LIST);
    desk.press('Mod+Z');
    assert.equal(desk.message, 'Nothing to undo.');
    desk.press('g x');
    assert.equal(desk.rows().length, 0);
  });

  test('[KEY-6] so it does with nothing in it that can be seen', () => {
    const desk = list();
    for (const blank of ['   ', '\u200B', ' \uFEFF\t']) {
      desk.press('Ctrl+Enter');
      desk.type(blank);
      desk.timers.advance(2_000);
      desk.press('Escape');
      shows(desk, LIST);
    }
    desk.press('Mod+Z');
    assert.equal(desk.message, 'Nothing to undo.');
  });

  test('[KEY-5] on a new line that is still empty, another is not added', () => {
    const desk = list();
    desk.press('Ctrl+Enter', 'Ctrl+Enter', 'Alt+Enter');
    assert.equal(desk.rows().length, 8);
  });
});

describe('editing', () => {
  test('[KEY-7] the caret is at the end, or all is selected', () => {
    const desk = list();
    desk.press('Enter');
    assert.deepEqual(desk.app.view.focus.get(), {
      pane: 'outline',
      id: desk.rows()[0]?.id,
      edit: { caret: 'end' },
    });
    assert.equal(desk.app.view.status.get().mode, 'EDIT');
    desk.press('Escape', 'F2');
    assert.deepEqual(desk.app.view.focus.get(), {
      pane: 'outline',
      id: desk.rows()[0]?.id,
      edit: { caret: 'all' },
    });
  });

  test('[KEY-8] Enter goes from line to line; an empty one goes out, level by level', () => {
    const desk = new Desk('> Plan\n    Write');
    desk.press('Down', 'Enter');
    desk.type(' it');
    desk.press('Enter');
    desk.type('Send');
    desk.press('Enter');
    shows(desk, '  Plan\n    Write it\n    Send\n>   |');
    desk.press('Enter');
    shows(desk, '  Plan\n    Write it\n    Send\n> |');
    desk.press('Enter');
    shows(desk, '  Plan\n    Write it\n>   Send');
    assert.equal(desk.app.view.status.get().mode, 'NAV');
  });

  const leavings: Readonly<Record<string, (desk: Desk) => unknown>> = {
    Esc: (desk) => desk.press('Escape'),
    'another line': (desk) => desk.press('Down'),
    'another pane': (desk) => desk.press('F6'),
    'a new task': (desk) => desk.press('Ctrl+Enter', 'Escape'),
    'a click': (desk) => desk.app.pressRow(desk.rows()[3]?.id as Id, { shift: false, mod: false }),
    'focus elsewhere': (desk) => desk.app.focusArrived('sidebar', 'other', null),
    'a pause': (desk) => desk.timers.advance(1_000),
    'a lost window': (desk) => desk.app.releaseKeys(),
    'the palette': (desk) => desk.press('Mod+K'),
    'another place': (desk) => desk.app.run('go.trash'),
    'closing the app': (desk) => void desk.app.close(),
  };
  for (const [name, leave] of Object.entries(leavings)) {
    test(`[KEY-9] what was typed is kept by ${name}`, () => {
      const desk = list();
      const id = desk.rows()[0]?.id as Id;
      desk.press('Enter');
      desk.type(' the launch');
      leave(desk);
      assert.equal(fieldOf(desk.replica.row(id), 'title'), 'Plan the launch');
    });
  }

  test('[KEY-9] a late report of a field that was left is kept as well', () => {
    const desk = list();
    const id = desk.rows()[0]?.id as Id;
    desk.press('Enter', 'Escape');
    desk.app.draftTitle(id, 'Plan late', 9);
    assert.equal(desk.rows()[0]?.title, 'Plan late');
  });

  test('[KEY-10] up and down keep the column', () => {
    const desk = new Desk('> A long line\n  B\n  Another line');
    desk.press('Enter');
    const first = desk.rows()[0]?.id as Id;
    desk.app.draftTitle(first, 'A long line', 6);
    desk.press('Down');
    assert.deepEqual(desk.app.view.focus.get(), {
      pane: 'outline',
      id: desk.rows()[1]?.id,
      edit: { caret: 1 },
    });
    desk.press('Down');
    assert.deepEqual(desk.app.view.focus.get(), {
      pane: 'outline',
      id: desk.rows()[2]?.id,
      edit: { caret: 6 },
    });
    desk.press('Down');
    assert.equal(desk.rows()[2]?.editing, true);
  });

  test('[KEY-11] Backspace on an empty line goes up', () => {
    const desk = list();
    desk.press('Ctrl+Enter', 'Backspace');
    shows(desk, LIST.replace('> Plan', '  Plan').replace('    Send', '>   Send|'));
    desk.press('Escape', 'Down', 'Down', 'Down', 'F2');
    const label = desk.rows()[5]?.id as Id;
    desk.app.draftTitle(label, '', 0);
    desk.press('Backspace');
    assert.equal(desk.rows()[4]?.editing, true);
    desk.press('Mod+Z');
    assert.equal(desk.rows()[5]?.id, label);
  });

  test('[KEY-11] Backspace in text, or above subtasks, is the field’s own', () => {
    const desk = list();
    desk.press('Enter');
    assert.equal(desk.press('Backspace'), false);
    desk.app.draftTitle(desk.rows()[0]?.id as Id, '', 0);
    assert.equal(desk.press('Backspace'), false);
    assert.equal(desk.rows().length, 7);
  });

  test('[KEY-21] a title that is too long continues in the notes', () => {
    const desk = list();
    const id = desk.rows()[0]?.id as Id;
    desk.press('Enter');
    desk.app.draftTitle(id, 'x'.repeat(4_500), 4_500);
    desk.press('Escape');
    assert.equal(desk.rows()[0]?.title, 'x'.repeat(4_000));
    assert.equal(fieldOf(desk.replica.row(id), 'notes'), 'x'.repeat(500));
    assert.match(desk.message, /rest is in the notes/);
  });

  test('[KEY-21] notes that are too long continue in a subtask', () => {
    const desk = new Desk('> Plan');
    desk.press('Mod+/', 'n');
    desk.type('é'.repeat(140_000));
    desk.press('Escape');
    const [plan, more] = desk.rows();
    const whole = [plan, more].map((row) => fieldOf(desk.replica.row(row?.id as Id), 'notes')).join('');
    assert.equal(whole, 'é'.repeat(140_000));
    assert.equal(more?.title, 'More notes');
  });

  test('[KEY-9] notes are kept when the cursor goes elsewhere and when typing pauses', () => {
    const desk = list();
    desk.press('n');
    assert.deepEqual(desk.app.view.focus.get(), { pane: 'notes' });
    desk.type('line');
    desk.timers.advance(1_000);
    assert.equal(fieldOf(desk.replica.row(desk.rows()[0]?.id as Id), 'notes'), 'line');
    desk.app.draftNotes(desk.rows()[0]?.id as Id, 'line two');
    desk.press('Escape', 'Down');
    assert.equal(fieldOf(desk.replica.row(desk.rows()[0]?.id as Id), 'notes'), 'line two');
    assert.equal(desk.rows()[0]?.hasNotes, true);
    assert.equal(desk.app.view.notes.get()?.title, 'Write');
  });
});

describe('rearranging', () => {
  test('[KEY-12] indent and outdent', () => {
    const desk = list();
    desk.press('End', 'Tab', 'Tab');
    shows(desk, LIST.replace('> Plan', '  Plan').replace('\n    Rest', '\n  >     Rest'));
    desk.press('Shift+Tab');
    shows(desk, LIST.replace('> Plan', '  Plan').replace('\n    Rest', '\n  >   Rest'));
    desk.press('Mod+[', 'Shift+Tab');
    assert.equal(desk.message, 'It’s already at the top level.');
    desk.press('Home', 'Mod+]');
    assert.match(desk.message, /No task above/);
  });

  test('[KEY-12] going under a collapsed task expands it', () => {
    const desk = new Desk('  Plan +\n    Write\n> Send');
    desk.press('Tab');
    shows(desk, '  Plan\n    Write\n>   Send');
  });

  test('[KEY-12] several stay side by side', () => {
    const desk = new Desk('  Plan\n> A\n    Under A\n  B\n  C');
    desk.press('Shift+Down', 'Shift+Down', 'Tab');
    shows(desk, '  Plan\n *  A\n *    Under A\n>*  B\n  C');
    desk.press('Shift+Tab');
    shows(desk, '  Plan\n *A\n *  Under A\n>*B\n  C');
  });

  test('[KEY-12] while editing, the caret stays', () => {
    const desk = list();
    desk.press('Down', 'Down', 'Enter');
    const id = desk.rows()[2]?.id as Id;
    desk.app.draftTitle(id, 'Send it', 3);
    desk.press('Tab');
    assert.deepEqual(desk.app.view.focus.get(), { pane: 'outline', id, edit: { caret: 3 } });
    assert.equal(desk.rows()[2]?.title, 'Send it');
    assert.equal(desk.rows()[2]?.level, 3);
  });

  test('[KEY-13] up and down among siblings, with what is under them', () => {
    const desk = list();
    desk.press('Alt+Down');
    shows(desk, '  Ship\n    Pack\n      Label\n> Plan\n    Write\n    Send\n  Rest');
    desk.press('Alt+Down', 'Alt+Down');
    assert.match(desk.message, /already the last task/);
    desk.press('Alt+Up', 'Alt+Up');
    shows(desk, LIST);
  });

  test('[KEY-13] a selected block moves together', () => {
    const desk = new Desk('> A\n  B\n  C\n  D');
    desk.press('Shift+Down', 'Alt+Down');
    shows(desk, '  C\n *A\n>*B\n  D');
    desk.press('Alt+Down', 'Alt+Down', 'Alt+Up');
    shows(desk, '  C\n *A\n>*B\n  D');
  });

  test('[KEY-17] focus goes in and out', () => {
    const desk = list();
    desk.press('Down', 'Down', 'Down', 'Ctrl+.');
    shows(desk, '> Pack\n    Label');
    assert.deepEqual(
      desk.app.view.header.get().trail.map(({ name }) => name),
      ['Inbox'],
    );
    assert.equal(desk.app.view.header.get().title, 'Ship');
    desk.press('z');
    shows(desk, '> Label');
    desk.press('Shift+Tab');
    assert.match(desk.message, /top level/);
    desk.press('Ctrl+,');
    shows(desk, '> Pack\n    Label');
    desk.press('Escape');
    assert.equal(desk.rows()[3]?.cursor, true);
    assert.equal(desk.app.view.header.get().title, 'Inbox');
  });
});
