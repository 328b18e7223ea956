// Text being typed while others write too, and text too long for its field: nothing of anybody's is lost, and whoever
// types is told.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { asRow, fieldOf, type Row } from '#sync/rows/row.ts';
import { keepOnly, receivePage } from '#sync/exchange/taking-in.ts';
import { Desk } from './desk.ts';
import { keyInput } from './key-input.ts';

/** A row as another device left it. */
function elsewhere(desk: Desk, id: Id, fields: Readonly<Record<string, unknown>>): void {
  const row = desk.replica.row(id) as Row;
  const version = row.version + 1_000;
  const stamp = [version, desk.replica.now() + 1, 7, 1] as const;
  const stamps = Object.fromEntries(Object.keys(fields).map((register) => [register, stamp]));
  const changed = asRow({
    ...row,
    version,
    fields: { ...row.fields, ...fields },
    stamps: { ...row.stamps, ...stamps },
  });
  receivePage(desk.replica, [changed]);
  desk.replica.setCursor(row.scope, { generation: 'local', version });
}

const idAt = (desk: Desk, line: number) => desk.rows()[line]?.id as Id;
const titleOf = (desk: Desk, id: Id) => fieldOf(desk.replica.row(id), 'title');
const notesOf = (desk: Desk, id: Id) => fieldOf(desk.replica.row(id), 'notes');
const recovered = (desk: Desk) =>
  desk.engine.refusals.map(({ operation }) => (operation.a === 'set' ? operation.value : operation.a));

describe('typing while somebody else writes', () => {
  test('[KEY-22] a title changed elsewhere while another was typed is kept, and that is said', () => {
    const desk = new Desk('> A');
    const id = idAt(desk, 0);
    desk.press('Enter');
    desk.type('bc');
    elsewhere(desk, id, { title: 'Theirs' });
    assert.equal(desk.screen(), '> Abc|');
    desk.type('d');
    desk.press('Escape');
    assert.equal(titleOf(desk, id), 'Abcd');
    assert.deepEqual(recovered(desk), ['Theirs']);
    assert.match(desk.message, /^‘Theirs’ was changed elsewhere while you wrote/);
  });

  test('[KEY-22] notes changed elsewhere while others were typed are kept, and that is said', () => {
    const desk = new Desk('> A');
    const id = idAt(desk, 0);
    desk.press('n');
    desk.type('B typed ');
    elsewhere(desk, id, { notes: 'note from A' });
    desk.timers.advance(1_500);
    assert.equal(notesOf(desk, id), 'B typed ');
    assert.deepEqual(recovered(desk), ['note from A']);
    assert.match(desk.message, /^The notes of ‘A’ were changed elsewhere while you wrote/);
    desk.type('on');
    desk.timers.advance(1_500);
    assert.deepEqual(recovered(desk), ['note from A']);
  });

  test('[KEY-22] what changed elsewhere before anything was typed is taken over, and nothing is said', () => {
    const desk = new Desk('> A');
    const id = idAt(desk, 0);
    desk.press('Enter');
    elsewhere(desk, id, { title: 'Theirs' });
    desk.type(' too');
    desk.press('Escape');
    assert.equal(titleOf(desk, id), 'Theirs too');
    assert.deepEqual(recovered(desk), []);
    assert.equal(desk.message, '');
  });

  test('[KEY-22] a task deleted elsewhere while it is typed in: the author is told where the text is', () => {
    const desk = new Desk('> A\n  B');
    const id = idAt(desk, 0);
    desk.press('Enter');
    desk.type('bc');
    elsewhere(desk, id, { del: { at: 1, by: 7 } });
    assert.equal(desk.message, '‘Abc’ was deleted elsewhere. Your text is in the trash.');
    assert.equal(titleOf(desk, id), 'Abc');
  });

  test('[KEY-22] so too with its notes', () => {
    const desk = new Desk('> A\n  B');
    const id = idAt(desk, 0);
    desk.press('n');
    desk.type('call first');
    elsewhere(desk, id, { del: { at: 1, by: 7 } });
    assert.equal(desk.message, '‘A’ was deleted elsewhere. Your text is in the trash.');
    assert.equal(notesOf(desk, id), 'call first');
  });

  test('[KEY-22] a task gone for good keeps what was typed among the recovered', () => {
    const desk = new Desk('> A\n  B');
    const id = idAt(desk, 0);
    desk.press('Enter');
    desk.type('bc');
    const others = [...desk.replica.all()].map((row) => row.id).filter((other) => other !== id);
    keepOnly(desk.replica, desk.replica.scope, new Set(others));
    assert.deepEqual(recovered(desk), ['Abc']);
    assert.match(desk.message, /^‘Abc’ was removed elsewhere/);
  });
});

describe('typing on where a line was', () => {
  const trash = { del: { at: 1, by: 7 } };
  const keys = (desk: Desk, text: string) =>
    desk.press(...[...text].map((sign) => (sign === ' ' ? 'Space' : sign)));

  test('[KEY-70] what is typed on goes to the text that went, never to commands', () => {
    const desk = new Desk('> A\n  B\n  C');
    const id = idAt(desk, 0);
    desk.press('Enter');
    desk.type('bc');
    elsewhere(desk, id, trash);
    keys(desk, ' x d');
    desk.press('Backspace', 'e', 'Tab');
    assert.equal(desk.screen(), '> B\n  C');
    assert.equal(titleOf(desk, id), 'Abc x e');
    assert.equal(desk.message, '‘Abc x e’ was deleted elsewhere. Your text is in the trash.');
    desk.press('x');
    assert.equal(desk.screen(), '>*B\n  C');
  });

  test('[KEY-70] it goes where the caret was', () => {
    const desk = new Desk('> AD\n  B');
    const id = idAt(desk, 0);
    desk.press('Enter');
    desk.app.draftTitle(id, 'ABD', 2);
    elsewhere(desk, id, trash);
    keys(desk, 'c');
    desk.press('Escape');
    assert.equal(titleOf(desk, id), 'ABcD');
  });

  for (const [name, leave] of [
    ['a page that goes', (desk: Desk) => desk.app.commitText()],
    ['a lost window', (desk: Desk) => desk.app.releaseKeys()],
    ['closing the app', (desk: Desk) => void desk.app.close()],
  ] as const) {
    test(`[KEY-9] [KEY-70] it is kept by ${name}`, () => {
      const desk = new Desk('> A\n  B');
      const id = idAt(desk, 0);
      desk.press('Enter');
      desk.type('bc');
      elsewhere(desk, id, trash);
      keys(desk, 'd');
      leave(desk);
      assert.equal(titleOf(desk, id), 'Abcd');
    });
  }

  test('[KEY-70] Enter goes on with a new task', () => {
    const desk = new Desk('> A\n  B');
    const id = idAt(desk, 0);
    desk.press('Enter');
    desk.type('bc');
    elsewhere(desk, id, trash);
    keys(desk, 'd');
    desk.press('Enter');
    desk.type('next');
    desk.press('Escape');
    assert.equal(titleOf(desk, id), 'Abcd');
    assert.equal(desk.screen(), '  B\n> next');
  });

  test('[KEY-70] after a pause, and before other keys than text, keys are commands again', () => {
    const desk = new Desk('> A\n  B\n  C');
    const id = idAt(desk, 0);
    desk.press('Enter');
    desk.type('bc');
    elsewhere(desk, id, trash);
    keys(desk, 'd');
    desk.timers.advance(2_500);
    assert.equal(titleOf(desk, id), 'Abcd');
    desk.press('ArrowDown', 'x');
    assert.equal(desk.screen(), '  B\n>*C');
    assert.equal(titleOf(desk, id), 'Abcd');
  });

  test('[KEY-70] what is typed on in notes is theirs, not those of the next task', () => {
    const desk = new Desk('> A\n  B');
    const [id, next] = [idAt(desk, 0), idAt(desk, 1)];
    desk.press('n');
    desk.type('call first');
    elsewhere(desk, id, trash);
    keys(desk, ', x');
    desk.press('Enter', 'y', 'Escape');
    assert.equal(notesOf(desk, id), 'call first, x\ny');
    assert.equal(notesOf(desk, next), undefined);
    assert.equal(desk.screen(), '> B');
  });

  test('[KEY-70] a list deleted elsewhere takes the text with it, and that is said', () => {
    const desk = new Desk('> A');
    desk.app.run('list.create', { name: 'Trip' });
    const list = desk.app.view.sidebar.rows.get().find(({ name }) => name === 'Trip')?.id as Id;
    desk.app.run('go.list', { list });
    desk.press('Ctrl+Enter');
    desk.type('pack');
    const id = idAt(desk, 0);
    elsewhere(desk, list, trash);
    keys(desk, ' x');
    desk.press('Escape');
    assert.equal(desk.screen(), '> A');
    assert.equal(titleOf(desk, id), 'pack x');
    assert.match(desk.message, /^The place of ‘pack x’ was deleted elsewhere/);
  });

  test('[KEY-70] for a task gone for good, what is typed on is kept with the rest', () => {
    const desk = new Desk('> A\n  B');
    const id = idAt(desk, 0);
    desk.press('Enter');
    desk.type('bc');
    const others = [...desk.replica.all()].map((row) => row.id).filter((other) => other !== id);
    keepOnly(desk.replica, desk.replica.scope, new Set(others));
    keys(desk, ' x');
    desk.press('Escape');
    assert.deepEqual(recovered(desk), ['Abc', 'Abc x']);
    assert.equal(desk.screen(), '> B');
  });
});

describe('typing on after a dialog', () => {
  const key = (desk: Desk, name: string, caret: number) =>
    desk.app.key({ ...keyInput(name, { apple: true, inText: true }), caret });

  for (const name of [
    'label.pick',
    'label.manage',
    'help.keys',
    'settings.open',
    'task.quickEntry',
    'list.details',
  ])
    test(`[KEY-72] ${name} gives the title back with its caret`, () => {
      const desk = new Desk('> A\n  B');
      desk.press('Down', 'Enter');
      desk.type('ee');
      const id = idAt(desk, 1);
      key(desk, 'Left', 3);
      key(desk, 'Left', 2);
      desk.app.run(name);
      assert.deepEqual(desk.app.view.focus.get(), { pane: 'dialog' });
      desk.app.closeDialog();
      assert.deepEqual(desk.app.view.focus.get(), { pane: 'outline', id, edit: { caret: 2 } });
      assert.equal(desk.screen(), '  A\n> Bee|');
    });

  test('[KEY-72] labels are for the new task that has no letter yet', async () => {
    const desk = new Desk('> A');
    desk.press('Ctrl+Enter', 'Mod+L');
    desk.app.answer('labels', { action: 'filter', text: 'home' });
    desk.app.answer('labels', { action: 'pick', staysOpen: false });
    await desk.settle();
    assert.equal(desk.screen(), '  A\n> |');
    desk.type('Paint');
    desk.press('Escape');
    const labels = desk.rows().map(({ title, labels: of }) => [title, ...of.map((label) => label.name)]);
    assert.deepEqual(labels, [['A'], ['Paint', 'home']]);
  });

  test('[KEY-72] nothing is written where the cursor went elsewhere, or where nothing was written before', () => {
    const desk = new Desk('> A\n  B');
    desk.press('?');
    desk.app.closeDialog();
    assert.equal(desk.screen(), '> A\n  B');
    desk.press('Enter', 'F1');
    desk.app.pressRow(idAt(desk, 1), { shift: false, mod: false });
    desk.app.closeDialog();
    assert.equal(desk.screen(), '  A\n> B');
  });
});

describe('typing where no task can be made', () => {
  const entry = (desk: Desk) => {
    const dialog = desk.app.view.dialog.get();
    return dialog?.type === 'quickEntry' ? dialog.entry : null;
  };
  const save = (desk: Desk) => desk.app.answer('quickEntry', { action: 'save' });

  /** What the field of the dialog does with keys. */
  const types = (desk: Desk, text: string) => {
    const whole = `${entry(desk)?.text ?? ''}${text}`;
    desk.app.answer('quickEntry', { action: 'type', text: whole, caret: whole.length });
  };

  const ways: Readonly<Record<string, () => Desk>> = {
    'the trash': () => {
      const desk = new Desk('> A\n  B');
      desk.press('ArrowDown', 'Delete', 'g x');
      return desk;
    },
    'a smart list': () => {
      const desk = new Desk('> A rent\n  B');
      desk.app.run('list.createSmart', { name: 'Words', query: 'rent' });
      return desk;
    },
    'an empty smart list': () => {
      const desk = new Desk('> A\n  B');
      desk.app.run('list.createSmart', { name: 'Files', query: 'has:attachment' });
      return desk;
    },
  };
  for (const [place, come] of Object.entries(ways))
    test(`[KEY-71] in ${place} a title waits in quick entry with the reason, until a list is chosen`, async () => {
      const desk = come();
      const tasks = () => [...desk.replica.all()].filter(({ type }) => type === 'task').length;
      const before = tasks();
      assert.equal(desk.press('Ctrl+Enter'), true);
      assert.equal(desk.app.wantsKey, true, 'no button is pressed by what comes');
      const reason = desk.message;
      assert.match(reason, /.+/);
      desk.press('b');
      await desk.settle();
      assert.equal(entry(desk)?.text, 'b');
      assert.equal(entry(desk)?.reason, reason);
      types(desk, 'uy milk');
      save(desk);
      assert.equal(entry(desk)?.answer, 'Choose a list for it.');
      assert.equal(entry(desk)?.text, 'buy milk');
      assert.equal(entry(desk)?.reason, reason);
      assert.equal(tasks(), before, 'it became no task');
      desk.press('Escape');
      assert.equal(tasks(), before);
      desk.app.run('task.quickEntry');
      await desk.settle();
      assert.equal(entry(desk)?.text, 'buy milk', 'it is kept');
      assert.equal(entry(desk)?.list, null);
      desk.app.answer('quickEntry', { action: 'ask', what: 'list' });
      desk.app.answer('quickEntry', { action: 'pick' });
      save(desk);
      assert.equal(tasks(), before + 1);
      assert.match(desk.message, /Added ‘buy milk’ to the Inbox/);
    });

  test('[KEY-71] without a letter nothing opens, and after a pause keys are commands again', () => {
    const desk = new Desk('> A\n  B');
    desk.press('ArrowDown', 'Delete', 'g x', 'Ctrl+Enter', 'Enter', 'Backspace', 'Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    desk.press('Ctrl+Enter');
    desk.timers.advance(2_500);
    assert.equal(desk.app.wantsKey, false);
    desk.press('u', 'g i');
    assert.equal(desk.screen(), '> A\n  B');
  });
});

describe('typing before all news are here', () => {
  test('[KEY-22] a text that cannot stand against a newer one is kept', () => {
    const desk = new Desk('> A');
    const id = idAt(desk, 0);
    desk.press('n');
    desk.type('mine');
    elsewhere(desk, id, { notes: 'theirs' });
    desk.replica.setCursor(desk.replica.scope, { generation: 'local', version: 0 });
    desk.press('Escape');
    assert.equal(notesOf(desk, id), 'theirs');
    assert.deepEqual(recovered(desk), ['mine']);
    assert.match(desk.message, /Your text is under/);
  });
});

describe('text that is too long', () => {
  const most = 'x'.repeat(limits.titleCodePoints);

  test('[KEY-21] typing on past a full title continues behind what already went to the notes', () => {
    const desk = new Desk('> ');
    const id = idAt(desk, 0);
    desk.press('Enter');
    desk.type(`${most}yyy`);
    for (const more of ['1', '2', '3']) {
      desk.timers.advance(1_500);
      desk.type(more);
    }
    desk.press('Escape');
    assert.equal(titleOf(desk, id), most);
    assert.equal(notesOf(desk, id), 'yyy123');
  });

  test('[KEY-21] notes that were there stay behind it', () => {
    const desk = new Desk('> A');
    const id = idAt(desk, 0);
    desk.replica.issue([{ a: 'set', id, field: 'notes', value: 'before' }]);
    desk.press('F2');
    desk.type(`${most}y`);
    desk.timers.advance(1_500);
    desk.type('z');
    desk.press('Escape');
    assert.equal(notesOf(desk, id), 'yz\n\nbefore');
  });

  test('[KEY-21] undoing a title too long gives back what there was', () => {
    const desk = new Desk('> Plan');
    const id = idAt(desk, 0);
    const before = desk.everything();
    desk.press('Enter');
    desk.app.draftTitle(id, 'x'.repeat(4_500), 4_500);
    desk.timers.advance(1_500);
    desk.app.draftTitle(id, `${most}Y`, 4_001);
    desk.timers.advance(1_500);
    desk.press('Escape');
    while (desk.app.run('edit.undo').type === 'done') assert.doesNotMatch(desk.message, /changed since/);
    assert.equal(desk.everything(), before);
  });

  test('[UNDO-1] setting what is there already does not stand in the way of undo', () => {
    const desk = new Desk('> Plan');
    const id = idAt(desk, 0);
    const before = desk.everything();
    const write = (title: string) => {
      desk.app.draftTitle(id, title, title.length);
      desk.timers.advance(1_500);
    };
    for (const titles of [['a', 'b'], ['b\u0001'], ['b\uFFFD', 'b']]) {
      desk.press('Enter');
      for (const title of titles) write(title);
      desk.press('Escape');
    }
    while (desk.app.run('edit.undo').type === 'done') assert.doesNotMatch(desk.message, /changed since/);
    assert.equal(desk.everything(), before);
  });

  test('[KEY-21] pasted text beyond what notes hold continues in subtasks', () => {
    const desk = new Desk('> A');
    const long = `B ${'y'.repeat(limits.notesBytes + 5_000)}`;
    desk.app.pasted(long);
    const texts = [...desk.replica.all()].map((held) =>
      JSON.stringify([fieldOf(held, 'title'), fieldOf(held, 'notes')]),
    );
    const count = texts.join('').split('y').length - 1;
    assert.equal(count, limits.notesBytes + 5_000);
    assert.ok(texts.some((text) => text.includes('"More notes"')));
  });

  for (const way of ['palette', 'search'] as const) {
    test(`[KEY-21] a task created from the ${way} keeps all of its text`, () => {
      const desk = new Desk('> A');
      desk.press(way === 'palette' ? 'Mod+K' : '/');
      desk.type(`${most} and more`);
      desk.press('Enter');
      const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === most);
      assert.equal(fieldOf(row, 'notes'), ' and more');
    });
  }

  test('[KEY-21] control characters are not stored', () => {
    const desk = new Desk('> A');
    desk.press('F2');
    desk.type('a\u0001b\u001bc\td');
    desk.press('Escape');
    assert.equal(titleOf(desk, idAt(desk, 0)), 'a\uFFFDb\uFFFDc\td');
  });
});
