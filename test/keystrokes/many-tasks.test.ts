// Commands on several chosen tasks: each of them is met, what hangs beneath a chosen one goes with it, and one undo takes it
// back. A new command about tasks must be here, or among those that are about one task alone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mineId, type Id } from '#core/ids.ts';
import type { ArgumentValues } from '#client/commands/command.ts';
import { commands } from '#client/commands/registry.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk, outline } from './desk.ts';
import { living } from './fuzz-world.ts';
import { fieldOf } from '#sync/rows/row.ts';

/** About the task at the cursor alone, or about none: making one beside it, looking at it, its files. */
const ONE = new Set([
  'task.createAbove',
  'task.createChild',
  'task.openLink',
  'task.comments',
  'task.details',
  'task.copyId',
  'history.task',
  'history.travelTask',
  'trash.empty',
  'file.attach',
  'file.show',
  'file.attachClipboard',
  // Opens what asks for one; choosing there is `label.toggle`.
  'label.pick',
  // Found among results, where they are met one after another in their own test.
  'task.unclear',
]);

interface Case {
  readonly first?: readonly (readonly [command: string, args?: ArgumentValues])[];
  readonly args?: (desk: Desk) => ArgumentValues;
  /** Lines that are chosen; by default B, with C beneath it, and D. */
  readonly lines?: readonly number[];
  /** Nothing of theirs changes: this shows that both were meant. */
  readonly shows?: (desk: Desk) => unknown;
  /** In a list that others have, too. */
  readonly isShared?: true;
}

const titled = (desk: Desk, title: string): Id => {
  const row = [...desk.replica.all()].find(
    (held) => (fieldOf(held, 'title') ?? fieldOf(held, 'name')) === title,
  );
  assert.ok(row, title);
  return row.id;
};

const value = (text: string) => ({ args: () => ({ value: text }) });
const planned = [['task.planTime', { value: 'tomorrow 9am' }]] as const;
const weekly = [['task.repeat', { value: 'every week' }]] as const;

const CASES: Readonly<Record<string, Case>> = {
  'task.complete': {},
  'task.delete': {},
  'task.restore': { first: [['task.delete'], ['go.trash'], ['selection.all']] },
  'task.openLinks': { shows: (desk) => desk.palette().filter((title) => title.endsWith('.test')).length },
  'task.clear': { first: [['task.complete']], lines: [1, 4] },
  'task.move': { args: (desk) => ({ list: titled(desk, 'Home') }) },
  'task.moveUnder': { args: (desk) => ({ task: titled(desk, 'Last') }) },
  'task.due': value('fri 5pm'),
  'task.start': value('tomorrow'),
  'task.snooze': value('tomorrow'),
  'task.repeat': value('every 2 days'),
  'task.once': { first: weekly, ...value('next tue') },
  'task.duration': value('45m'),
  'task.remind': value('tomorrow 9am'),
  'task.planTime': value('tomorrow 9am'),
  'block.move': { first: planned, ...value('fri 14:00') },
  'block.longer': { first: planned },
  'block.shorter': { first: planned },
  'block.remove': { first: planned },
  'task.skip': { first: weekly },
  'task.assign': { isShared: true, args: () => ({ person: '2' }) },
  'task.take': { isShared: true },
  'task.indent': {},
  'task.outdent': {},
  'task.moveUp': {},
  'task.moveDown': { lines: [1, 2] },
  'label.toggle': { args: (desk) => ({ label: titled(desk, 'Urgent') }) },
  'bookmark.toggle': {},
  'task.setTitle': { args: () => ({ text: 'Same' }) },
  'task.setNotes': { args: () => ({ text: 'Same' }) },
  'task.appendNotes': { args: () => ({ text: 'More' }) },
  'task.addUnder': {
    args: () => ({ text: 'Below' }),
    shows: (desk) => desk.rows().filter(({ title }) => title === 'Below').length,
  },
  'label.put': { args: () => ({ name: 'Urgent' }) },
  'label.take': {
    first: [['label.put', { name: 'Urgent' }]],
    args: () => ({ name: 'Urgent' }),
  },
  'task.copyText': { shows: (desk) => desk.clipboard?.match(/^- [BD]/gm)?.length },
  'task.copyMarkdown': { shows: (desk) => desk.clipboard?.match(/^- \[ \] [BD]/gm)?.length },
  'task.cut': {},
  'task.duplicate': { shows: (desk) => desk.rows().filter(({ title }) => /^[BD] /.test(title)).length - 2 },
};

function desk(): Desk {
  const made = new Desk(
    outline(`
    > Top
        A
        B https://b.test
          C
        D https://d.test
      Last`),
  );
  made.app.run('list.create', { name: 'Home' });
  made.app.run('label.create', { name: 'Urgent' });
  made.app.run('go.inbox');
  return made;
}

function sharedDesk(): Desk {
  const made = new Desk('', { isConfirmed: true });
  const list = made.holdShared('Trip', ['A', 'B', 'C', 'D', 'E']);
  made.app.run('go.list', { list });
  return made;
}

describe('several chosen tasks', () => {
  test('[OUT-1] every command about tasks is here', () => {
    const about = [...commands.values()].filter(({ isAboutTask }) => isAboutTask).map(({ id }) => id);
    assert.deepEqual(
      about.filter((id) => !ONE.has(id) && CASES[id] === undefined),
      [],
    );
    assert.deepEqual(
      [...ONE, ...Object.keys(CASES)].filter((id) => !about.includes(id)),
      [],
    );
  });

  test('[KEY-13] [OUT-1] very many pass their neighbour, up and down, and undo brings it back', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `  t${at}`);
    const made = new Desk(['> First', ...lines, '  Last'].join('\n'));
    const before = made.screen().replaceAll(/[>*]/g, ' ');
    const titles = () => made.rows().map(({ title }) => title);
    made.press('Down');
    for (let left = 59; left > 0; left -= 1) made.press('Shift+Down');
    made.press('Alt+Up');
    assert.deepEqual([titles()[0], titles()[59], titles()[60], titles()[61]], ['t0', 't59', 'First', 'Last']);
    assert.equal(made.app.view.status.get().selected, 60);
    made.press('Alt+Up');
    assert.equal(made.message, 'It’s already the first task.');
    made.press('Alt+Down', 'Alt+Down');
    assert.deepEqual([titles()[0], titles()[1], titles()[2], titles()[61]], ['First', 'Last', 't0', 't59']);
    made.press('Mod+Z', 'Mod+Z');
    assert.equal(made.message, 'Undone: moved 60 tasks.');
    made.press('Mod+Z');
    assert.equal(made.screen().replaceAll(/[>*]/g, ' '), before);
  });

  test('[OUT-7] pickers say what all of them have, or that they differ', () => {
    const made = new Desk('> A\n  B\n  C');
    const note = (command: string) => {
      made.app.run(command);
      const said = made.app.view.palette.get()?.note ?? null;
      made.press('Escape');
      return said;
    };
    made.press('Mod+A');
    const values = {
      due: 'tomorrow',
      start: 'tomorrow',
      snooze: 'tomorrow',
      duration: '45m',
    };
    for (const [name, words] of Object.entries(values)) {
      if (name === 'snooze') made.app.run('view.snoozed');
      assert.equal(note(`task.${name}`), null, name);
      made.app.run(`task.${name}`, { value: words });
      assert.match(note(`task.${name}`) ?? '', /^Now /, name);
      made.app.run(`task.${name}`, { value: 'none' });
      made.press('Escape', 'Home');
      made.app.run(`task.${name}`, { value: words });
      made.press('Mod+A');
      assert.match(note(`task.${name}`) ?? '', /^They differ\. Your choice replaces all of them\./, name);
      made.app.run(`task.${name}`, { value: 'none' });
    }
  });

  for (const [command, { first = [], args, lines = [2, 4], shows, isShared }] of Object.entries(CASES))
    test(`[OUT-1] ${command} is about all of them, as one undo`, async () => {
      const made = isShared === true ? sharedDesk() : desk();
      const ids = lines.map((line) => made.rows()[line]?.id as Id);
      for (const id of ids) made.app.pressRow(id, { shift: false, mod: true });
      assert.equal(made.app.view.status.get().selected, 2);
      for (const [name, given] of first) made.app.run(name, given);
      const stateOf = (id: Id) =>
        JSON.stringify([made.replica.row(id)?.fields, made.replica.row(mineId(SCOPE, id))?.fields]);
      const before = ids.map(stateOf);
      const content = living(made);
      const result = made.app.run(command, args?.(made) ?? {});
      await made.settle();
      assert.equal(result.type, 'done', made.message);
      if (shows) {
        assert.equal(shows(made), 2);
        return;
      }
      for (const [at, id] of ids.entries()) assert.notEqual(stateOf(id), before[at], `${command}: ${at}`);
      assert.notEqual(living(made), content);
      made.app.run('edit.undo');
      assert.equal(living(made), content, 'one undo');
    });
});
