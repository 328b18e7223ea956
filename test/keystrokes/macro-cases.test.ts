// What can befall a macro: its own earlier steps, lists and labels that are gone, tasks that leave what is open, keys that are pressed meanwhile,
// and two devices that change it at once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { definePart } from '#client/app/part.ts';
import type { Program } from '#client/app/program.ts';
import { macroKey } from '#core/macros.ts';
import { macroCommand, type Step, writeMacro } from '#client/macros/macro.ts';
import { macros } from '#client/macros/part.ts';
import { Desk } from './desk.ts';

class MacroDesk extends Desk {
  readonly program: Program;
  /** Ends the script that runs. */
  answer: (variables: Record<string, string>) => void = () => undefined;

  constructor(outline: string) {
    let found: Program | null = null;
    const eye = definePart({
      name: 'Eye',
      create(program) {
        found = program;
        return {};
      },
    });
    super(outline, { parts: [eye] });
    assert.ok(found !== null);
    this.program = found;
    this.scripts = {
      run: () =>
        new Promise((resolve) => {
          this.answer = (variables) => resolve({ ok: true, value: { variables, log: [] } });
        }),
    };
  }

  /** Stores a macro with these steps, and runs it. */
  run(...steps: readonly Step[]): Id {
    const id = this.program.replica.newId();
    const content = { name: 'Mine', steps, variables: [], takesLinks: false };
    this.program.part(macros).save(id, content, 'made a macro');
    this.program.run(macroCommand(id));
    return id;
  }

  /** The first list or task of that name. */
  idOf(name: string): Id {
    const row = [...this.replica.all()].find(
      ({ type, fields }) =>
        (type === 'list' && 'name' in fields && fields.name === name) ||
        (type === 'task' && 'title' in fields && fields.title === name),
    );
    assert.ok(row, name);
    return row.id;
  }

  get titles(): readonly string[] {
    return this.rows().map(({ title }) => title);
  }
}

const command = (id: string, words: Readonly<Record<string, string>> = {}): Step => ({
  type: 'command',
  command: id,
  answers: Object.fromEntries(Object.entries(words).map(([name, each]) => [name, { words: each }])),
  note: '',
});
const script: Step = { type: 'script', source: 'x', note: '' };

describe('what can befall a macro', () => {
  test('[MACRO-5] [MACRO-80] its own step deletes what a later one needs', () => {
    const desk = new MacroDesk('> Pack\n- Call');
    desk.run(command('task.delete'), command('task.due', { value: 'tomorrow' }));
    assert.match(desk.message, /^‘Mine’ stopped at step 2: /);
    assert.deepEqual(desk.titles, ['Call']);
    desk.press('Mod+Z');
    assert.deepEqual(desk.titles, ['Pack', 'Call']);
  });

  test('[MACRO-81] the list of a step is deleted; one that is archived still takes tasks', () => {
    const desk = new MacroDesk('> Pack');
    desk.app.run('list.create', { name: 'Trip' });
    const id = desk.idOf('Trip');
    const moves: Step = {
      type: 'command',
      command: 'task.move',
      answers: { list: { words: 'Trip', id } },
      note: '',
    };
    desk.app.run('list.archive', { list: id });
    desk.app.run('go.inbox');
    desk.run(moves);
    assert.equal(desk.message, 'Ran ‘Mine’.');
    assert.equal(desk.replica.children(id).length, 1);
    desk.press('Mod+Z');
    desk.app.run('go.list', { list: id });
    desk.app.run('list.delete');
    desk.app.run('go.inbox');
    desk.run(moves);
    assert.equal(desk.message, '‘Mine’ stopped at step 1: There’s no list ‘Trip’.');
    assert.deepEqual(desk.titles, ['Pack']);
  });

  test('[MACRO-82] nothing is selected', () => {
    const desk = new MacroDesk('> Pack');
    desk.press('Delete');
    assert.deepEqual(desk.titles, []);
    desk.run(command('task.complete'));
    assert.equal(desk.message, '‘Mine’ stopped at step 1: Select a task first.');
  });

  test('[MACRO-4] [MACRO-83] its tasks leave the smart list that is open while it runs', () => {
    const desk = new MacroDesk('> Pack\n- Call');
    desk.press('Mod+A');
    desk.app.run('task.due', { value: 'today' });
    desk.app.run('go.today');
    assert.equal(desk.rows().length, 2);
    desk.press('Mod+A');
    desk.run(command('task.due', { value: 'next week' }), command('label.put', { name: 'Later' }));
    assert.equal(desk.message, 'Ran ‘Mine’ on 2 tasks.');
    assert.deepEqual(desk.titles, []);
    desk.app.run('go.inbox');
    assert.deepEqual(
      desk.rows().map(({ labels }) => labels.map(({ name }) => name)),
      [['Later'], ['Later']],
    );
  });

  test('[MACRO-13] [MACRO-84] braces in the title of a task are text, also where that title is a value', () => {
    const desk = new MacroDesk('> Pack {{who}}');
    desk.run(command('task.addTo', { list: 'Inbox', text: 'Then {{selection.title}}' }));
    assert.ok(desk.titles.includes('Then Pack {{who}}'));
  });

  test('[MACRO-85] its key is pressed again while it waits: one run comes after the other', async () => {
    const desk = new MacroDesk('> Pack');
    const ends: (() => void)[] = [];
    desk.scripts = {
      run: () =>
        new Promise(
          (resolve) => void ends.push(() => resolve({ ok: true, value: { variables: {}, log: [] } })),
        ),
    };
    const id = desk.program.replica.newId();
    const add = command('task.addTo', { list: 'Inbox', text: 'More' });
    const content = { name: 'Mine', steps: [script, add], variables: [], takesLinks: false };
    desk.program.part(macros).save(id, content, 'made a macro');
    const own = { add: [{ context: 'navigate', keys: 'Mod+Alt+9', command: macroCommand(id) }], drop: [] };
    const key = desk.program.settings.actions({ key: 'keysOwn' }, JSON.stringify(own));
    desk.program.act(() => desk.program.change(key, 'set a key'));
    desk.press('Mod+Alt+9', 'Mod+Alt+9');
    await desk.until(() => ends.length === 1);
    for (let n = 0; n < 5; n += 1) await desk.settle();
    assert.equal(ends.length, 1);
    ends[0]?.();
    await desk.until(() => ends.length === 2);
    assert.deepEqual(desk.titles, ['Pack', 'More']);
    ends[1]?.();
    await desk.until(() => desk.titles.length === 3);
    assert.equal(desk.message, 'Ran ‘Mine’.');
  });

  test('[MACRO-86] keys that are pressed while it waits come after it', async () => {
    const desk = new MacroDesk('> Pack\n- Call');
    desk.run(script, command('task.setTitle', { text: '{{who}}' }));
    await desk.settle();
    desk.press('Down', 'Space');
    assert.deepEqual(
      desk.rows().map(({ done }) => done),
      [false, false],
    );
    desk.answer({ who: 'Ann' });
    await desk.until(() => desk.rows().some(({ done }) => done));
    assert.deepEqual(
      desk.rows().map(({ title, done }) => [title, done]),
      [
        ['Ann', false],
        ['Call', true],
      ],
    );
  });

  test('[MACRO-87] Escape between two steps ends it; what it did is one undo', async () => {
    const desk = new MacroDesk('> Pack\n- Call');
    desk.run(command('task.complete'), script, command('task.setTitle', { text: 'never' }));
    await desk.settle();
    // Progress is shown after a moment; from then on Escape ends what is waited for.
    desk.timers.advance(1_000);
    assert.match(desk.message, /^Running the macro ‘Mine’…/);
    desk.press('Escape');
    assert.match(desk.message, /^Stopped waiting for the macro ‘Mine’/);
    desk.answer({});
    for (let n = 0; n < 5; n += 1) await desk.settle();
    assert.deepEqual(
      desk.rows().map(({ title, done }) => [title, done]),
      [
        ['Pack', true],
        ['Call', false],
      ],
    );
    desk.press('Mod+Z');
    assert.ok(desk.rows().every(({ done }) => !done));
  });

  test('[MACRO-10] [MACRO-88] of two devices that change it at once the later stands, and the other is in the history', () => {
    const desk = new MacroDesk('> Pack');
    const id = desk.run(command('task.complete'));
    const program = desk.program;
    const written = (name: string) =>
      writeMacro({ name, steps: [command('task.complete')], variables: [], takesLinks: false });
    for (const name of ['Here', 'There'])
      program.act(() =>
        program.change(program.settings.actions({ key: macroKey(id) }, written(name)), `wrote ${name}`),
      );
    assert.equal(program.part(macros).get(id)?.name, 'There');
    desk.press('Mod+Z');
    assert.equal(program.part(macros).get(id)?.name, 'Here');
  });
});
