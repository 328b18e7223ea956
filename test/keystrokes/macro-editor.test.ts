// The editor of macros by keys: steps, answers and their completion, variables, scripts, keys, recording into a macro, and what another
// device changes meanwhile.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { MacroEditorAction, MacroEditorView, MacroField } from '#client/macros/editor/editor-view.ts';
import { type Macro, macroCommand, type MacroContent, most, type Step } from '#client/macros/macro.ts';
import { macros } from '#client/macros/part.ts';
import { withRenamed, withShifted } from '#client/macros/editor/edits.ts';
import { definePart } from '#client/app/part.ts';
import type { Program } from '#client/app/program.ts';
import { plainScripts } from '../scripts/engine.ts';
import { Desk } from './desk.ts';

const LIST = ['dialog.macroSteps', 'dialog.macroEditor', 'list'] as const;
const FIELD = ['dialog.macroEditor', 'list'] as const;

const command = (id: string, words: Readonly<Record<string, string>> = {}): Step => ({
  type: 'command',
  command: id,
  answers: Object.fromEntries(Object.entries(words).map(([name, each]) => [name, { words: each }])),
  note: '',
});

const PLAN: MacroContent = {
  name: 'Plan',
  steps: [command('task.due', { value: 'tomorrow' }), command('task.complete')],
  variables: [{ name: 'who', value: 'Ann', isAsked: false }],
  takesLinks: false,
};

class EditorDesk extends Desk {
  readonly program: Program;

  constructor(outline = '> Pack\n- Call') {
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
  }

  /** Opens the editor on a stored macro. */
  edit(content: MacroContent = PLAN): Id {
    const id = this.program.replica.newId();
    this.program.part(macros).save(id, content, 'made a macro');
    this.app.run('macro.edit', { macro: id });
    this.within = LIST;
    return id;
  }

  get view(): MacroEditorView {
    const dialog = this.app.view.dialog.get();
    assert.equal(dialog?.type, 'macroEditor');
    return dialog.macro;
  }

  do(action: MacroEditorAction): void {
    this.app.answer('macroEditor', action);
  }

  /** Enters a field, as the focus does, and types there. */
  write(field: MacroField, text: string, caret = text.length): void {
    this.do({ action: 'enter', field });
    this.do({ action: 'draft', field, text, caret });
    this.within = FIELD;
  }

  /** Escape leaves the field for the list. */
  back(): void {
    this.press('Escape');
    this.within = LIST;
  }

  stored(id: Id): Macro {
    const macro = this.program.part(macros).get(id);
    assert.ok(macro !== null);
    return macro;
  }

  words(id: Id): readonly (readonly string[])[] {
    return this.stored(id).steps.map((step) =>
      step.type === 'script'
        ? ['script', step.source]
        : [step.command, ...Object.values(step.answers).map(({ words }) => words)],
    );
  }
}

const titles = (desk: EditorDesk) => desk.view.entries.map(({ title, detail }) => `${title}: ${detail}`);

describe('the editor of a macro', () => {
  test('[MACRO-60] shows the macro, its steps in words and its variables, and has them all by the arrows', () => {
    const desk = new EditorDesk();
    desk.edit();
    assert.deepEqual(titles(desk), [
      'Plan: 2 steps',
      'Set due date: tomorrow',
      'Complete task: ',
      'who: Ann',
    ]);
    const chosen = () => desk.view.chosen.kind;
    assert.equal(chosen(), 'macro');
    desk.press('Down');
    assert.equal(chosen(), 'step');
    desk.press('End');
    assert.equal(chosen(), 'variable');
    desk.press('Home', 'Down', 'Enter');
    assert.equal(desk.view.wanted.place, 'answer.value');
  });

  test('[MACRO-61] stores an answer by Enter, by leaving its field and by closing; each is one undo', () => {
    const desk = new EditorDesk();
    const id = desk.edit();
    desk.press('Down');
    desk.write('answer.value', 'friday');
    desk.press('Enter');
    assert.deepEqual(desk.words(id)[0], ['task.due', 'friday']);
    desk.write('answer.value', 'monday');
    desk.do({ action: 'leave', field: 'answer.value' });
    assert.deepEqual(desk.words(id)[0], ['task.due', 'monday']);
    desk.write('answer.value', 'sunday');
    desk.app.closeDialog();
    assert.deepEqual(desk.words(id)[0], ['task.due', 'sunday']);
    desk.within = [];
    desk.press('Mod+Z');
    assert.deepEqual(desk.words(id)[0], ['task.due', 'monday']);
    desk.press('Mod+Z', 'Mod+Z');
    assert.deepEqual(desk.words(id)[0], ['task.due', 'tomorrow']);
  });

  test('[MACRO-62] adds, moves, duplicates and removes steps, and takes each back by the undo key', () => {
    const desk = new EditorDesk();
    const id = desk.edit();
    const commands = () => desk.words(id).map(([first]) => first);
    desk.press('Down', 'n');
    desk.within = FIELD;
    desk.do({ action: 'query', text: 'append a line' });
    desk.press('Enter');
    assert.deepEqual(commands(), ['task.due', 'task.appendNotes', 'task.complete']);
    assert.equal(desk.view.wanted.place, 'answer.text');
    desk.within = LIST;
    desk.press('Alt+Down', 'Alt+Down');
    assert.deepEqual(commands(), ['task.due', 'task.complete', 'task.appendNotes']);
    assert.equal(desk.view.active, 3);
    desk.press('Home', 'Down', 'Mod+D');
    assert.deepEqual(commands(), ['task.due', 'task.due', 'task.complete', 'task.appendNotes']);
    desk.press('Delete');
    assert.equal(desk.view.answer?.text, 'Removed the step.');
    desk.press('Mod+Z');
    assert.deepEqual(commands(), ['task.due', 'task.due', 'task.complete', 'task.appendNotes']);
    desk.press('Mod+Z', 'Mod+Z', 'Mod+Z');
    assert.deepEqual(commands(), ['task.due', 'task.complete']);
  });

  test('[MACRO-62] offers no command about macros, and not the macro itself', () => {
    const desk = new EditorDesk();
    desk.edit({ ...PLAN, name: 'Zebra' });
    const offered = (text: string) => {
      desk.do({ action: 'add' });
      desk.do({ action: 'query', text });
      return desk.view.adding?.options.map(({ title }) => title) ?? [];
    };
    assert.ok(!offered('zebra').includes('Zebra'));
    assert.ok(!offered('record a macro').includes('Record a macro'));
    assert.ok(offered('complete').includes('Complete task'));
    assert.ok(offered('script').includes('Run JavaScript'));
    desk.press('Escape');
    assert.equal(desk.view.adding, null);
  });

  test('[MACRO-63] completes variables after two braces, and names of lists, labels and choices', () => {
    const desk = new EditorDesk();
    const id = desk.edit({ ...PLAN, steps: [command('task.addTo', { list: '', text: '' })] });
    desk.press('Down');
    desk.write('answer.text', 'Call {{w');
    assert.deepEqual(
      desk.view.completion?.options.map(({ title }) => title),
      ['who'],
    );
    desk.press('Enter');
    desk.do({ action: 'commit' });
    assert.deepEqual(desk.words(id)[0], ['task.addTo', '', 'Call {{who}}']);
    assert.equal(desk.view.wanted.at, 'Call {{who}}'.length);
    desk.write('answer.list', 'inb');
    desk.press('Enter', 'Enter');
    const [step] = desk.stored(id).steps;
    assert.ok(step?.type === 'command');
    assert.equal(step.answers['list']?.words, 'Inbox');
    assert.equal(step.answers['list'].id, desk.program.workspace.inbox);
    desk.write('answer.list', 'Inbox at home');
    desk.press('Enter');
    assert.deepEqual(Object.values(desk.stored(id).steps)[0], {
      ...step,
      answers: { ...step.answers, list: { words: 'Inbox at home' } },
    });
    desk.write('answer.text', String.raw`\{{w`);
    assert.equal(desk.view.completion, null);
  });

  test('[MACRO-64] renames a variable wherever a step uses it, asks for it, and refuses names that are none', () => {
    const desk = new EditorDesk();
    const text = String.raw`{{ who }} and \{{who}} and {{whom}}`;
    const id = desk.edit({ ...PLAN, steps: [command('task.setTitle', { text })] });
    desk.press('End');
    desk.write('variable', 'person');
    desk.press('Enter');
    assert.deepEqual(desk.words(id)[0], ['task.setTitle', String.raw`{{person}} and \{{who}} and {{whom}}`]);
    assert.equal(desk.stored(id).variables[0]?.name, 'person');
    desk.write('variable', '9 lives');
    desk.press('Enter');
    assert.match(desk.view.answer?.text ?? '', /begins with a letter/);
    assert.equal(desk.stored(id).variables[0]?.name, 'person');
    desk.back();
    desk.press('v');
    assert.deepEqual(desk.stored(id).variables[1], { name: 'text', value: '', isAsked: true });
    desk.write('variable', 'person');
    desk.press('Enter');
    assert.match(desk.view.answer?.text ?? '', /already a variable/);
    desk.back();
    assert.equal(desk.view.active, 3);
    desk.do({ action: 'asked', isOn: false });
    assert.equal(desk.stored(id).variables[1]?.isAsked, false);
  });

  test('[MACRO-65] says what is wrong with a step before it runs', () => {
    const desk = new EditorDesk();
    desk.edit({
      ...PLAN,
      steps: [
        command('task.due', { value: '' }),
        command('task.setTitle', { text: '{{nobody}}' }),
        command('no.such'),
        command('edit.undo'),
        { type: 'script', source: ' ', note: '' },
        command('task.setTitle', { text: '{{fromScript}}' }),
      ],
    });
    assert.deepEqual(
      desk.view.entries.slice(1, 7).map(({ problem }) => problem),
      [
        'It needs an answer: Due when? “fri 5pm”, “in 3 days”, “none”',
        'There is no variable “nobody”.',
        'This version doesn’t have this command.',
        'It can’t be part of a macro.',
        'There’s no script yet.',
        null,
      ],
    );
  });

  test('[MACRO-66] runs a script on the selection without changing anything: its console, its variables, the line that is wrong', async () => {
    const desk = new EditorDesk();
    desk.scripts = await plainScripts();
    const source =
      'function updateVariables(v, state) {\n  console.log(state.selectedTasks[0].title);\n  return { who: v.who + "!" };\n}';
    desk.edit({ ...PLAN, steps: [{ type: 'script', source, note: '' }] });
    desk.press('Down');
    const check = async () => {
      desk.do({ action: 'enter', field: 'source' });
      desk.within = ['dialog.macroEditor'];
      desk.press('Mod+Enter');
      for (let n = 0; n < 50; n += 1) {
        const { chosen } = desk.view;
        if (chosen.kind === 'script' && chosen.check?.isRunning === false) return chosen.check;
        await desk.settle();
      }
      throw new Error('The script has no end.');
    };
    const found = await check();
    assert.deepEqual(found.log, ['Pack']);
    assert.deepEqual(found.variables, [{ name: 'who', value: 'Ann!' }]);
    assert.equal(desk.stored(desk.program.part(macros).all[0]?.id ?? ('' as Id)).variables[0]?.value, 'Ann');
    desk.write('source', 'function updateVariables() {\n  throw new Error("no");\n}');
    const wrong = await check();
    assert.equal(wrong.line, 2);
    assert.match(wrong.problem ?? '', /no/);
  });

  test('[MACRO-73] is tried as it is written, comes back when the trial is closed, and not when it was run', async () => {
    const desk = new EditorDesk();
    const id = desk.edit({ ...PLAN, steps: [command('task.complete')], variables: [] });
    const dialog = () => desk.app.view.dialog.get()?.type ?? null;
    desk.press('Down', 'Mod+Enter');
    await desk.until(() => {
      const shown = desk.app.view.dialog.get();
      return shown?.type === 'macroTrial';
    });
    for (let n = 0; n < 5; n += 1) await desk.settle();
    assert.deepEqual(
      desk.rows().map(({ done }) => done),
      [false, false],
    );
    desk.within = [];
    desk.press('Escape');
    await desk.until(() => dialog() === 'macroEditor');
    assert.equal(desk.view.active, 1);
    assert.equal(desk.view.name, desk.stored(id).name);
    desk.within = LIST;
    desk.press('Mod+Enter');
    await desk.until(() => dialog() === 'macroTrial');
    for (let n = 0; n < 5; n += 1) await desk.settle();
    desk.within = ['dialog.macroTrial', 'list'];
    desk.press('Enter');
    await desk.until(() => desk.rows().some(({ done }) => done));
    for (let n = 0; n < 5; n += 1) await desk.settle();
    assert.equal(dialog(), null);
  });

  test('[MACRO-67] records more steps behind the chosen one, and comes back with them', () => {
    const desk = new EditorDesk();
    const id = desk.edit();
    desk.press('Down', 'q');
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.app.view.status.get().recording, 'a macro');
    assert.match(desk.message, /^Recording a macro/);
    desk.within = [];
    desk.app.run('label.put', { name: 'Planned' });
    desk.app.run('macro.stop');
    assert.equal(desk.app.view.status.get().recording, null);
    assert.equal(desk.view.answer?.text, 'Recorded 1 step.');
    assert.deepEqual(
      desk.words(id).map(([first]) => first),
      ['task.due', 'label.put', 'task.complete'],
    );
    assert.equal(desk.view.active, 2);
  });

  test('[MACRO-68] what was recorded until the app closes is kept as a macro', async () => {
    const desk = new EditorDesk();
    desk.app.run('macro.record');
    desk.app.run('task.due', { value: 'tomorrow' });
    await desk.app.close();
    const [kept] = desk.program.part(macros).all;
    assert.equal(kept?.name, 'Recorded macro');
    assert.equal(kept.steps.length, 1);
  });

  test('[MACRO-69] keeps what is typed where another device has moved or removed the step meanwhile', () => {
    const desk = new EditorDesk();
    const id = desk.edit();
    const elsewhere = (change: (macro: MacroContent) => MacroContent) => {
      const { id: _, ...content } = desk.stored(id);
      desk.program.part(macros).save(id, change(content), 'elsewhere');
      desk.program.act(() => desk.program.dialog.refresh());
    };
    desk.press('Down');
    desk.write('answer.value', 'friday');
    elsewhere((macro) => withShifted(macro, 0, 1));
    desk.do({ action: 'commit' });
    assert.deepEqual(desk.words(id), [['task.complete'], ['task.due', 'friday']]);
    desk.do({ action: 'choose', index: 2 });
    desk.write('answer.value', 'sunday');
    elsewhere((macro) => ({ ...macro, steps: [command('task.complete')] }));
    desk.do({ action: 'commit' });
    assert.deepEqual(desk.words(id), [['task.complete'], ['task.due', 'sunday']]);
    desk.program.part(macros).remove(id, 'elsewhere');
    desk.program.act(() => desk.program.dialog.refresh());
    assert.equal(desk.app.view.dialog.get(), null);
  });

  test('[MACRO-44] Escape comes back to the list from a switch, an icon or a button, before it closes the editor', () => {
    const desk = new EditorDesk();
    desk.edit();
    desk.do({ action: 'atControl' });
    const { turn } = desk.view.wanted;
    desk.within = FIELD;
    desk.back();
    assert.deepEqual(desk.view.wanted, { place: 'entries', at: null, turn: turn + 1 });
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
  });

  test('[MACRO-45] where another device removes what is written in or chosen, the focus stays in the editor, and that is said', () => {
    const desk = new EditorDesk();
    const id = desk.edit();
    const elsewhere = (change: (macro: MacroContent) => MacroContent) => {
      const { id: _, ...content } = desk.stored(id);
      desk.program.part(macros).save(id, change(content), 'elsewhere');
      desk.program.act(() => desk.program.dialog.refresh());
    };
    desk.press('Down');
    desk.write('answer.value', 'friday');
    elsewhere((macro) => withShifted(macro, 0, 1));
    assert.deepEqual([desk.view.active, desk.view.wanted.place], [2, 'answer.value']);
    elsewhere((macro) => ({ ...macro, steps: [command('task.complete')] }));
    assert.deepEqual([desk.view.active, desk.view.wanted.place], [2, 'answer.value']);
    assert.deepEqual(desk.words(id), [['task.complete'], ['task.due', 'friday']]);
    assert.equal(
      desk.view.answer?.text,
      'Another device removed this step. What you typed makes it a step again.',
    );
    desk.do({ action: 'enter', field: 'answer.value' });
    elsewhere((macro) => ({ ...macro, steps: [command('task.complete')] }));
    assert.equal(desk.view.wanted.place, 'entries');
    assert.equal(desk.view.answer?.text, 'Another device removed the step that was chosen.');
  });

  test('[MACRO-46] what keys do to a step is said, and what is undone is said once', () => {
    const desk = new EditorDesk();
    desk.edit();
    const after = (key: string) => {
      desk.press(key);
      return desk.view.answer?.text;
    };
    assert.match(after('Delete') ?? '', /choose “Delete macro.”$/);
    desk.press('Down');
    assert.equal(after('Alt+Up'), 'It’s the first step.');
    assert.equal(after('Alt+Down'), 'Moved to step 2 of 2.');
    assert.equal(after('Mod+D'), 'Duplicated as step 3 of 3.');
    assert.equal(after('Mod+Z'), 'Undone: duplicated a step of ‘Plan’.');
    assert.equal(desk.message, '');
  });

  test('[MACRO-49] says at a step that its date is none, or that its list or label is not there, unless a step makes it', () => {
    const desk = new EditorDesk();
    const problems = (...steps: readonly Step[]) => {
      desk.edit({ ...PLAN, name: 'Other', steps });
      const found = desk.view.entries.filter(({ kind }) => kind === 'step').map(({ problem }) => problem);
      desk.app.closeDialog();
      return found;
    };
    const toNowhere = command('task.move', { list: 'Nowhere' });
    assert.deepEqual(
      problems(
        command('task.due', { value: 'blah' }),
        command('task.due', { value: 'next friday 5pm' }),
        command('task.due', { value: 'none' }),
        command('task.due', { value: '{{who}}' }),
        toNowhere,
        command('task.move', { list: 'Inbox' }),
      ),
      ['“blah” isn’t a date.', null, null, null, 'There’s no list ‘Nowhere’.', null],
    );
    assert.deepEqual(problems(command('list.create', { name: 'Nowhere' }), toNowhere), [null, null]);
    assert.deepEqual(
      problems(
        command('task.planTime', { value: 'tomorrow' }),
        command('task.planTime', { value: 'tomorrow 9-10:30' }),
        command('task.planTime', { value: 'none' }),
      ),
      ['“tomorrow” isn’t a time, like “today 14:00 45m.”', null, null],
    );
  });

  test('[MACRO-53] says of a step without answers whether it asks when it runs', () => {
    const desk = new EditorDesk();
    desk.edit({ ...PLAN, steps: [command('task.complete'), command('label.pick')] });
    const asks = () => {
      desk.press('Down');
      const { chosen } = desk.view;
      return chosen.kind === 'step' && chosen.asksLater;
    };
    assert.deepEqual([asks(), asks()], [false, true]);
  });

  test('[MACRO-70] a new macro is stored with its first change, and none is left behind without one', () => {
    const desk = new EditorDesk();
    desk.app.run('macro.new');
    desk.within = LIST;
    desk.press('Escape', 'Escape');
    assert.deepEqual(desk.program.part(macros).all, []);
    desk.app.run('macro.new');
    desk.write('name', 'Mine');
    desk.press('Enter');
    const [made] = desk.program.part(macros).all;
    assert.equal(made?.name, 'Mine');
  });

  test('[MACRO-71] has an icon, a link where links may run it, its text for others, and a copy', () => {
    const desk = new EditorDesk();
    const id = desk.edit();
    desk.do({ action: 'icon', icon: 'mail' });
    assert.equal(desk.stored(id).icon, 'mail');
    assert.equal(desk.program.commands.get(macroCommand(id))?.icon, 'mail');
    desk.do({ action: 'links', isOn: true });
    assert.equal(desk.stored(id).takesLinks, true);
    desk.do({ action: 'copyMacro' });
    assert.deepEqual(
      desk.program.part(macros).all.map(({ name }) => name),
      ['Plan', 'Plan 2'],
    );
    assert.equal(desk.view.name, 'Plan 2');
    desk.do({ action: 'delete' });
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.program.part(macros).all.length, 1);
    desk.within = [];
    desk.press('Mod+Z');
    assert.equal(desk.program.part(macros).all.length, 2);
  });

  test('[MACRO-72] refuses what is too large, and keeps what was there', () => {
    const desk = new EditorDesk();
    const id = desk.edit();
    desk.press('Down');
    desk.write('answer.value', 'x'.repeat(most.value + 1));
    desk.do({ action: 'commit' });
    assert.match(desk.view.answer?.text ?? '', /10,000 characters/);
    assert.deepEqual(desk.words(id)[0], ['task.due', 'tomorrow']);
    desk.write('answer.value', 'friday');
    const source = `// ${'x'.repeat(70_000)}`;
    desk.do({ action: 'add' });
    desk.do({ action: 'query', text: 'run javascript' });
    desk.do({ action: 'addStep', index: 0 });
    desk.write('source', source);
    desk.do({ action: 'commit' });
    assert.match(desk.view.answer?.text ?? '', /64 KB/);
    // It stays in its field, and is there again after the editor was left.
    const typed = () => {
      const { chosen } = desk.view;
      return chosen.kind === 'script' ? chosen.source : '';
    };
    assert.equal(typed(), source);
    desk.within = ['dialog.macroEditor'];
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    assert.match(desk.message, /What you typed is there/);
    desk.app.run('macro.edit', { macro: id });
    assert.equal(typed(), source);
  });
});

describe('changes to a macro', () => {
  test('[MACRO-64] a renamed variable is the same one everywhere', () => {
    const renamed = withRenamed(
      { ...PLAN, steps: [command('task.setTitle', { text: '{{who}}{{ who }}{{whose}}' })] },
      'who',
      'whom',
    );
    const [step] = renamed.steps;
    assert.ok(step?.type === 'command');
    assert.equal(step.answers['text']?.words, '{{whom}}{{whom}}{{whose}}');
  });
});
