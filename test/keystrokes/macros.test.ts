// Macros by keys: recorded, run as one undo on what was selected, stopped with a sentence, shared as text, on another device.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { macroKey } from '#core/macros.ts';
import { macros } from '#client/macros/part.ts';
import { macroCommand, readMacro, writeMacro, type Step } from '#client/macros/macro.ts';
import { examples } from '#client/macros/examples.ts';
import { sharedText } from '#client/macros/shared-text.ts';
import { expand } from '#client/macros/variables.ts';
import { definePart } from '#client/app/part.ts';
import type { Program } from '#client/app/program.ts';
import { plainScripts } from '../scripts/engine.ts';
import { Desk } from './desk.ts';

/** Chooses in the palette by words, and answers what it asks. */
function choose(desk: Desk, ...words: readonly string[]): void {
  desk.press('Mod+K');
  for (const each of words) {
    desk.app.paletteInput(each);
    desk.press('Enter');
  }
}

const editorOf = (desk: Desk) => {
  const dialog = desk.app.view.dialog.get();
  assert.equal(dialog?.type, 'macroEditor');
  return dialog.macro;
};

/** Stops recording, and names the macro in the editor that opens. Returns what that said. */
function stopAs(desk: Desk, name: string): string {
  choose(desk, 'stop recording');
  const said = editorOf(desk).answer?.text ?? '';
  desk.within = ['dialog.macroEditor', 'list'];
  desk.app.answer('macroEditor', { action: 'enter', field: 'name' });
  desk.app.answer('macroEditor', { action: 'draft', field: 'name', text: name, caret: name.length });
  desk.press('Enter', 'Escape', 'Escape');
  desk.within = [];
  return said;
}

/** A desk whose running program can be looked at. */
function deskWith(outline: string): { readonly desk: Desk; readonly program: Program } {
  let found: Program | null = null;
  const eye = definePart({
    name: 'Eye',
    create(program) {
      found = program;
      return {};
    },
  });
  const desk = new Desk(outline, { parts: [eye] });
  assert.ok(found !== null);
  return { desk, program: found };
}

const command = (id: string, words: Readonly<Record<string, string>> = {}): Step => ({
  type: 'command',
  command: id,
  answers: Object.fromEntries(Object.entries(words).map(([name, each]) => [name, { words: each }])),
  note: '',
});

/** Stores a macro of these steps; returns its command. */
function make(
  program: Program,
  steps: readonly Step[],
  options: { readonly name?: string; readonly variables?: Readonly<Record<string, string | null>> } = {},
): string {
  const id = program.replica.newId();
  const variables = Object.entries(options.variables ?? {}).map(([name, value]) => {
    return { name, value: value ?? '', isAsked: value === null };
  });
  const content = { name: options.name ?? 'Mine', steps, variables, takesLinks: false };
  program.part(macros).save(id, content, 'made a macro');
  return macroCommand(id);
}

const contents = (desk: Desk): string =>
  [...desk.replica.all()]
    .map(({ id, type, fields }) => JSON.stringify([id, type, fields]))
    .toSorted((a, b) => a.localeCompare(b))
    .join('\n');

/** What is there and not in the trash. */
const living = (desk: Desk): string =>
  [...desk.replica.all()]
    .filter(({ type, fields }) => type !== 'mine' && !('del' in fields && fields.del))
    .map(({ id, type, fields }) =>
      JSON.stringify([id, type, Object.entries(fields).toSorted(([x], [y]) => x.localeCompare(y))]),
    )
    .toSorted((x, y) => x.localeCompare(y))
    .join('\n');

describe('a recorded macro', () => {
  test('[MACRO-1] [MACRO-54] has the answers as they were given, runs on what is selected, and is one undo', () => {
    const desk = new Desk('> Pack\n- Call\n- Read\n- Write');
    choose(desk, 'record a macro');
    choose(desk, 'set due date', 'tomorrow');
    choose(desk, 'set start date', 'today');
    choose(desk, 'add a label by name', 'Planned');
    assert.equal(stopAs(desk, 'Plan tomorrow'), 'Recorded 3 steps.');
    const due = (title: string) => desk.rows().find((row) => row.title === title)?.due?.text ?? null;
    assert.ok(due('Pack') !== null);
    desk.press('ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown');
    const before = contents(desk);
    choose(desk, 'plan tomorrow');
    assert.equal(desk.message, 'Ran ‘Plan tomorrow’ on 3 tasks.');
    assert.deepEqual(['Call', 'Read', 'Write'].map(due), [due('Pack'), due('Pack'), due('Pack')]);
    desk.press('Mod+Z');
    assert.equal(desk.message, 'Undone: ran ‘Plan tomorrow’.');
    assert.equal(contents(desk), before);
    desk.press('Mod+Shift+Z');
    assert.equal(due('Write'), due('Pack'));
  });

  test('[MACRO-2] leaves out moving about and what was undone, and has what was typed as text', () => {
    const { desk, program } = deskWith('> Pack\n- Call');
    choose(desk, 'record a macro');
    desk.press('ArrowDown', 'ArrowUp', 'Space', 'Mod+Z', 'Ctrl+Enter');
    desk.type('Bags {{big}}');
    desk.press('Escape');
    stopAs(desk, 'Typed');
    const [macro] = program.part(macros).all;
    assert.deepEqual(
      macro?.steps.map((step) => step.type === 'command' && [step.command, step.answers['text']?.words]),
      [['task.addTo', 'Bags \\{{big}}']],
    );
    choose(desk, 'typed');
    assert.equal(desk.rows().filter((row) => row.title === 'Bags {{big}}').length, 2);
  });

  test('[MACRO-3] gets a key in the editor of keys, as every command', () => {
    const { desk, program } = deskWith('> Pack');
    const id = make(program, [command('task.due', { value: 'tomorrow' })], { name: 'Plan' });
    const own = JSON.stringify({ add: [{ context: 'navigate', keys: 'Mod+Alt+9', command: id }], drop: [] });
    program.act(() => program.change(program.settings.actions({ key: 'keysOwn' }, own), 'set a key'));
    desk.press('Mod+Alt+9');
    assert.equal(desk.message, 'Ran ‘Plan’.');
  });
});

describe('running a macro', () => {
  test('[MACRO-4] goes on with the tasks that were selected, wherever its steps put them', () => {
    const { desk, program } = deskWith('> Pack\n- Call\n- Read');
    const id = make(program, [
      command('list.create', { name: 'Trip' }),
      command('task.move', { list: 'Trip' }),
      command('task.complete'),
      command('task.setTitle', { text: '{{selection.title}} in {{list.name}}' }),
    ]);
    desk.press('Shift+ArrowDown');
    program.run(id);
    assert.equal(desk.message, 'Ran ‘Mine’ on 2 tasks.');
    const titles = [...desk.replica.all()].flatMap((row) => (row.type === 'task' ? [row.fields.title] : []));
    assert.deepEqual(titles, ['Pack in Trip', 'Pack in Trip', 'Read']);
  });

  test('[MACRO-5] stops with a sentence where a step cannot run; what came before is one undo', () => {
    const { desk, program } = deskWith('> Pack');
    const id = make(program, [
      command('task.due', { value: 'tomorrow' }),
      command('task.setTitle', { text: 'For {{client}}' }),
      command('task.complete'),
    ]);
    const before = contents(desk);
    program.run(id);
    assert.equal(desk.message, '‘Mine’ stopped at step 2: There is no variable “client”.');
    assert.equal(desk.rows()[0]?.title, 'Pack');
    assert.ok(desk.rows()[0]?.due);
    desk.press('Mod+Z');
    assert.equal(contents(desk), before);
    for (const [step, sentence] of [
      [command('task.move', { list: 'Nowhere' }), 'There’s no list ‘Nowhere’.'],
      [command('task.due', { value: 'blue' }), '“blue” isn’t a date.'],
      [command('task.due'), 'It has no answer to “Due when? “fri 5pm”, “in 3 days”, “none””'],
      [command('label.take', { name: 'Nothing' }), 'There’s no label ‘Nothing’.'],
      [command('no.such'), 'This version doesn’t have this command.'],
      [command('edit.undo'), 'It can’t be part of a macro.'],
    ] as const) {
      program.run(make(program, [step]));
      assert.equal(desk.message, `‘Mine’ stopped at step 1: ${sentence}`);
    }
  });

  test('[MACRO-6] with its variables in every text, asked for in the palette where it asks', () => {
    const { desk, program } = deskWith('> Pack');
    const id = make(
      program,
      [
        command('list.create', { name: '{{client}}' }),
        command('task.addTo', { list: '{{client}}', text: 'Invoice for {{client}} due {{when}}' }),
        command('task.start', { value: '{{when}}' }),
      ],
      { name: 'Invoice', variables: { client: null, when: 'friday' } },
    );
    assert.equal(program.commands.get(id)?.title, 'Invoice');
    choose(desk, 'invoice', 'Meadow Street {{when}}');
    assert.equal(desk.message, 'Ran ‘Invoice’.');
    const made = [...desk.replica.all()].find((row) => row.type === 'task' && row.fields.due);
    assert.ok(made?.type === 'task');
    assert.equal(made.fields.title, 'Invoice for Meadow Street {{when}}');
    const pack = [...desk.replica.all()].find((row) => row.type === 'task' && row.fields.title === 'Pack');
    assert.ok(pack?.type === 'task' && pack.fields.start);
  });

  test('[MACRO-7] may run another, three deep, and never itself', () => {
    const { desk, program } = deskWith('> Pack');
    const inner = make(program, [command('task.setTitle', { text: 'For {{who}}' })], {
      name: 'Inner',
      variables: { who: null },
    });
    program.run(make(program, [command(inner, { who: 'Ann' })], { name: 'Outer' }));
    assert.equal(desk.rows()[0]?.title, 'For Ann');
    const id = program.replica.newId();
    const loop = { name: 'Loop', steps: [command(macroCommand(id))], variables: [], takesLinks: false };
    program.part(macros).save(id, loop, 'made');
    program.run(macroCommand(id));
    assert.match(desk.message, /A macro can’t run itself/);
  });

  test('[MACRO-5] [MACRO-7] says which step of which macro, and what another one would have to be told', () => {
    const { desk, program } = deskWith('> Pack');
    const inner = make(program, [command('task.setTitle', { text: '{{long}}'.repeat(4) })], {
      name: 'Inner',
      variables: { who: null, long: 'x'.repeat(9_000) },
    });
    program.run(make(program, [command(inner)], { name: 'Outer' }));
    assert.equal(desk.message, '‘Outer’ stopped at step 1: It has no answer to “who”.');
    program.run(make(program, [command(inner, { who: 'Ann' })], { name: 'Outer' }));
    assert.equal(desk.message, '‘Outer’ stopped at step 1 of ‘Inner’: That’s too long for a title.');
    assert.equal(desk.rows()[0]?.title, 'Pack');
    program.run(make(program, [command('macro.delete', { macro: 'Inner' })]));
    assert.match(desk.message, /can’t be part of a macro/);
  });

  test('[MACRO-6] [MACRO-7] with the clipboard, also in a macro that it runs', async () => {
    const { desk, program } = deskWith('> Pack');
    desk.clipboard = 'From outside';
    const inner = make(program, [command('task.setTitle', { text: '{{clipboard}}' })], { name: 'Inner' });
    program.run(make(program, [command(inner)], { name: 'Outer' }));
    await desk.until(() => desk.message === 'Ran ‘Outer’.');
    assert.equal(desk.rows()[0]?.title, 'From outside');
  });

  test('[MACRO-4] takes a label off where it is, and puts it on where it is not', () => {
    const { desk, program } = deskWith('> Pack\n- Call');
    program.run('label.put', { name: 'Soon' });
    desk.press('Shift+ArrowDown');
    const labeled = () => desk.rows().map((row) => row.labels.length);
    program.run(make(program, [command('label.put', { name: 'soon' })]));
    assert.deepEqual(labeled(), [1, 1]);
    desk.press('Escape', 'ArrowUp');
    program.run('label.take', { name: 'Soon' });
    assert.deepEqual(labeled(), [0, 1]);
    desk.press('Shift+ArrowDown');
    program.run(make(program, [command('label.take', { name: 'Soon' })]));
    assert.deepEqual(labeled(), [0, 0]);
    program.run('label.take', { name: 'Soon' });
    assert.equal(desk.message, 'Nothing to do: ‘Soon’ is on none of them.');
  });

  test('[MACRO-8] acts on what a step has searched for', () => {
    const { desk, program } = deskWith('> Pack bags\n- Call\n- Pack books');
    program.run(make(program, [command('selection.found', { query: 'pack' }), command('task.complete')]));
    const open = desk.rows().filter((row) => !row.done);
    assert.deepEqual(
      open.map((row) => row.title),
      ['Call'],
    );
  });

  test('[MACRO-9] finds a list by its id under a new name, and else by its name or path', () => {
    const { desk, program } = deskWith('> Pack');
    program.run('list.create', { name: 'Trip' });
    const [list] = [...desk.replica.all()].filter((row) => row.type === 'list' && row.fields.name === 'Trip');
    assert.ok(list);
    desk.app.run('go.inbox');
    const step: Step = {
      type: 'command',
      command: 'task.addTo',
      answers: { list: { words: 'Trip', id: list.id }, text: { words: 'There' } },
      note: '',
    };
    const id = make(program, [step]);
    program.act(() =>
      program.change([{ a: 'set', id: list.id, field: 'name', value: 'Journey' }], 'renamed'),
    );
    program.run(id);
    assert.equal(desk.message, 'Ran ‘Mine’.');
    assert.equal(desk.replica.children(list.id).length, 1);
  });
});

describe('a macro', () => {
  test('[MACRO-10] is stored as a setting that reads back as it was', () => {
    const content = {
      name: 'All of it',
      steps: [
        command('task.due', { value: '{{when}}' }),
        { type: 'script', source: 'function updateVariables(v) { return v; }', note: 'counts' },
        {
          type: 'command',
          command: 'task.move',
          answers: { list: { words: 'Trip', id: '0193b3a0-0000-7000-8000-000000000001' as Id } },
          note: '',
        },
      ] satisfies readonly Step[],
      variables: [
        { name: 'when', value: 'friday', isAsked: false },
        { name: 'who', value: '', isAsked: true },
      ],
      takesLinks: true,
    };
    const read = readMacro(writeMacro(content));
    assert.deepEqual(read, { ok: true, value: content });
    for (const text of [
      '',
      '{}',
      '{"v":1}',
      '{"v":1,"name":"x","steps":[{"cmd":"a b"}]}',
      '{"v":2,"name":"x"}',
    ])
      assert.equal(readMacro(text).ok, false, text);
  });

  test('[MACRO-11] is copied as text without ids, and added from whatever surrounds it', async () => {
    const { desk, program } = deskWith('> Pack');
    make(program, [command('task.due', { value: 'tomorrow' })], { name: 'Plan' });
    const [plan] = program.part(macros).all;
    assert.ok(plan);
    desk.clipboard = `Look at this:\n${sharedText(plan)}\nBye`;
    choose(desk, 'add the macro in the clipboard');
    await desk.settle();
    assert.deepEqual(
      program.part(macros).all.map(({ name, takesLinks }) => [name, takesLinks]),
      [
        ['Plan', false],
        ['Plan 2', false],
      ],
    );
    desk.clipboard = 'nothing';
    choose(desk, 'add the macro in the clipboard');
    await desk.settle();
    assert.match(desk.message, /no macro in the clipboard/);
  });

  test('[MACRO-10] that is larger than a setting is refused with a sentence, and nothing is kept of it', async () => {
    const { desk, program } = deskWith('> Pack');
    const steps = Array.from({ length: 20 }, () => ({
      cmd: 'task.setTitle',
      args: { text: 'x'.repeat(5_000) },
    }));
    desk.clipboard = JSON.stringify({ v: 1, name: 'Huge', steps });
    choose(desk, 'add the macro in the clipboard');
    await desk.settle();
    assert.match(desk.message, /too large/);
    assert.deepEqual(program.part(macros).all, []);
  });

  test('[MACRO-12] that is deleted comes back with undo; one of a newer version stays stored and is not offered', () => {
    const { desk, program } = deskWith('> Pack');
    const id = make(program, [command('task.complete')], { name: 'Plan' });
    choose(desk, 'delete a macro', 'plan');
    assert.equal(program.commands.get(id), undefined);
    desk.press('Mod+Z');
    assert.equal(program.commands.get(id)?.title, 'Plan');
    const other = program.replica.newId();
    const newer = '{"v":7,"name":"Later"}';
    program.act(() =>
      program.change(program.settings.actions({ key: macroKey(other) }, newer), 'from elsewhere'),
    );
    assert.equal(program.commands.get(macroCommand(other)), undefined);
  });
});

describe('a macro that waits', () => {
  test('[MACRO-17] leaves what is done by hand meanwhile to what is selected, and each is an undo', async () => {
    const { desk, program } = deskWith('> Pack\n- Call');
    let answer: (variables: Record<string, string>) => void = () => undefined;
    desk.scripts = {
      run: () =>
        new Promise((resolve) => {
          answer = (variables) => resolve({ ok: true, value: { variables, log: [] } });
        }),
    };
    const id = make(program, [
      { type: 'script', source: 'x', note: '' },
      command('task.setTitle', { text: 'For {{who}}' }),
    ]);
    program.run(id);
    await desk.settle();
    assert.equal(program.run(id).type, 'refused');
    const call = desk.rows()[1];
    assert.ok(call);
    desk.app.pressRow(call.id, { shift: false, mod: false });
    desk.app.run('task.complete');
    assert.deepEqual(
      desk.rows().map((row) => row.done),
      [false, true],
    );
    answer({ who: 'Ann' });
    await desk.until(() => desk.message === 'Ran ‘Mine’.');
    assert.deepEqual(
      desk.rows().map((row) => row.title),
      ['For Ann', 'Call'],
    );
    program.run('edit.undo');
    assert.deepEqual(
      desk.rows().map((row) => [row.title, row.done]),
      [
        ['Pack', false],
        ['Call', true],
      ],
    );
    program.run('edit.undo');
    assert.deepEqual(
      desk.rows().map((row) => row.done),
      [false, false],
    );
  });
});

describe('the macros that come with the app', () => {
  /** What each does to a task that is overdue, in words that the screen shows. */
  const does: Readonly<Record<string, (desk: Desk, program: Program) => unknown>> = {
    'Move to tomorrow': (_, program) => JSON.stringify(firstTask(program).due) === '{"on":"2026-11-28"}',
    'Plan for today': (_, program) => firstTask(program).duration === 25,
    'Waiting for someone': (_, program) => firstTask(program).notes === 'Waiting for Ann since 2026-11-27.',
    Someday: (_, program) => firstTask(program).due === undefined,
    'Done, and follow up in a week': (desk) => desk.rows().some((row) => row.title === 'Follow up: Pack'),
    'Complete and clear': (desk) => desk.rows().every((row) => row.title !== 'Pack'),
    'Turn notes into subtasks': (desk) => desk.rows().some((row) => row.title === 'Buy bread'),
    'New client': (_, program) => titles(program).includes('First invoice for Ann'),
    'Plan a trip': (_, program) => titles(program).includes('Find somewhere to stay in Ann'),
    'Weekly review': (_, program) => titles(program).includes('Review of the week'),
  };
  const firstTask = (program: Program) => {
    const row = [...program.replica.all()].find(
      (each) => each.type === 'task' && each.fields.title === 'Pack',
    );
    assert.ok(row?.type === 'task');
    return row.fields;
  };
  const titles = (program: Program) =>
    [...program.replica.all()].flatMap((row) => (row.type === 'task' ? [row.fields.title] : []));

  test('[MACRO-15] there are ten, each tried here', () => {
    assert.deepEqual(
      Object.keys(does),
      examples.map(({ name }) => name),
    );
    assert.equal(examples.length, 10);
  });

  for (const { name, variables } of examples)
    test(`[MACRO-15] “${name}” is added from the palette, does what it says, and one undo takes it back`, async () => {
      const { desk, program } = deskWith('> Pack\n- Call');
      desk.scripts = await plainScripts();
      if (name === 'Turn notes into subtasks') program.run('task.setNotes', { text: 'Buy bread\nBuy tea' });
      // What is made the first time it is opened, and stays.
      program.run('go.today');
      program.run('go.inbox');
      program.run('task.due', { value: 'yesterday' });
      choose(desk, 'add an example macro', name);
      const before = living(desk);
      choose(desk, name, ...variables.map(() => 'Ann'));
      await desk.until(() => desk.message === `Ran ‘${name}’.`);
      assert.ok(does[name]?.(desk, program), desk.screen());
      program.run('edit.undo');
      assert.equal(living(desk), before);
    });
});

describe('a link to a macro', () => {
  test('[MACRO-16] runs it only where its owner allows that, after asking once, with the values of the link', async () => {
    const { desk, program } = deskWith('> Pack');
    make(program, [command('task.setTitle', { text: 'For {{who}}' })], {
      name: 'Rename it',
      variables: { who: 'nobody' },
    });
    const [macro] = program.part(macros).all;
    assert.ok(macro);
    const follow = async (query: string, isForeign = false, id: Id = macro.id) => {
      desk.app.follow(`/app/open/run-macro/id/${id}${query}`, { isForeign, hasOpened: false });
      await desk.settle();
    };
    await follow('?who=Ann');
    assert.match(desk.message, /A link wants to run ‘Rename it’\. To allow that/);
    choose(desk, 'let links start', 'rename it');
    await follow('?who=Ann');
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'confirm');
    assert.match(dialog.text, /run the macro ‘Rename it’ with who = ‘Ann’/);
    assert.equal(desk.rows()[0]?.title, 'Pack');
    desk.app.run('dialog.confirm');
    assert.equal(desk.rows()[0]?.title, 'For Ann');
    await follow('?who=Bo{{who}}');
    assert.equal(desk.rows()[0]?.title, 'For Bo{{who}}');
    await follow('', true);
    assert.equal(desk.app.view.dialog.get()?.type, 'confirm');
    desk.press('Escape');
    await follow('', false, program.replica.newId());
    assert.match(desk.message, /doesn’t exist/);
  });
});

describe('variables', () => {
  test('[MACRO-13] become their values once; braces after a backslash stay', () => {
    const values = new Map([
      ['a', '1 {{b}}'],
      ['b', '2'],
    ]);
    for (const [text, expanded] of [
      ['x {{a}} {{ b }}', 'x 1 {{b}} 2'],
      ['\\{{a}}', '{{a}}'],
      ['\\\\{{a}}', '\\{{a}}'],
      ['{{', '{{'],
      ['{ {a}} \\n', '{ {a}} \\n'],
    ] as const)
      assert.deepEqual(expand(text, values), { ok: true, value: expanded }, text);
    assert.deepEqual(expand('{{c}}', values), { ok: false, problem: 'There is no variable “c”.' });
    assert.equal(expand('{{1+1}}', values).ok, false);
  });
});
