// What a recording makes of what a person does: steps with their words, and a sentence about what can be no step. Besides, macros that
// are deleted or come from a text.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { macroCommand, type Step } from '#client/macros/macro.ts';
import { sharedText } from '#client/macros/shared-text.ts';
import { macros } from '#client/macros/part.ts';
import { definePart } from '#client/app/part.ts';
import type { Program } from '#client/app/program.ts';
import { Desk } from './desk.ts';

/** Chooses in the palette by words, and answers what it asks. */
function choose(desk: Desk, ...words: readonly string[]): void {
  desk.press('Mod+K');
  for (const each of words) {
    desk.app.paletteInput(each);
    desk.press('Enter');
  }
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

const sayStep = (step: Step): string =>
  step.type === 'script'
    ? 'script'
    : [step.command, ...Object.values(step.answers).map(({ words }) => words)].join(' | ');

/** What is recorded of `acts`: the steps, and what the end of the recording said. */
function recorded(
  { desk, program }: ReturnType<typeof deskWith>,
  acts: () => void,
): { readonly steps: readonly string[]; readonly said: string } {
  choose(desk, 'record a macro');
  acts();
  choose(desk, 'stop recording');
  const dialog = desk.app.view.dialog.get();
  if (dialog?.type !== 'macroEditor') return { steps: [], said: desk.message ?? '' };
  const said = dialog.macro.answer?.text ?? '';
  const [macro] = program.part(macros).all;
  desk.app.run('dialog.close');
  if (macro !== undefined) program.part(macros).remove(macro.id, 'removed it');
  return { steps: (macro?.steps ?? []).map((step) => sayStep(step)), said };
}

describe('what is recorded', () => {
  test('[MACRO-25] labels chosen in their dialog are put on or taken off by name, new ones as well', () => {
    const at = deskWith('> Pack\n- Call');
    const pick = (text: string) => {
      at.desk.press('l');
      at.desk.app.answer('labels', { action: 'filter', text });
      at.desk.app.answer('labels', { action: 'pick', staysOpen: false });
    };
    assert.deepEqual(recorded(at, () => pick('Planned')).steps, ['label.put | Planned']);
    assert.deepEqual(recorded(at, () => pick('Planned')).steps, ['label.take | Planned']);
    assert.deepEqual(recorded(at, () => pick('Planned, Urgent')).steps, [
      'label.put | Planned',
      'label.put | Urgent',
    ]);
  });

  test('[MACRO-26] notes that are written become their text, or the line that was added', () => {
    const at = deskWith('> Pack\n- Call');
    const write = (text: string) => {
      at.desk.press('n');
      at.desk.type(text);
      at.desk.press('Escape');
    };
    assert.deepEqual(recorded(at, () => write('Ask {{Ann}}')).steps, ['task.setNotes | Ask \\{{Ann}}']);
    assert.deepEqual(recorded(at, () => write('\nand Ben')).steps, ['task.appendNotes | and Ben']);
    const several = recorded(at, () => {
      write('\nand Cy\nand Di');
      at.desk.press('Space');
    });
    assert.deepEqual(several.steps, [
      'task.setNotes | Ask \\{{Ann}}\nand Ben\nand Cy\nand Di',
      'task.complete',
    ]);
  });

  test('[MACRO-27] what is added by quick entry is a task with its words in that list', () => {
    const at = deskWith('> Pack');
    const enter = (text: string) => {
      at.desk.app.run('task.quickEntry');
      at.desk.app.answer('quickEntry', { action: 'type', text, caret: text.length });
      at.desk.app.answer('quickEntry', { action: 'save' });
    };
    const { steps, said } = recorded(at, () => enter('Call Ann tomorrow #phone'));
    assert.deepEqual(steps, ['task.addTo | Call Ann tomorrow #phone | Inbox']);
    assert.equal(said, 'Recorded 1 step.');
  });

  test('[MACRO-28] a reminder keeps its words, typed or chosen', () => {
    const at = deskWith('> Pack');
    choose(at.desk, 'set due date', 'friday 5pm');
    const { steps } = recorded(at, () => {
      choose(at.desk, 'remind me', 'tomorrow 9am');
      choose(at.desk, 'remind me', '10m');
    });
    assert.deepEqual(steps, ['task.remind | tomorrow 9am', 'task.remind | 10m']);
  });

  test('[MACRO-29] what can be no step is named at the end, and closing and leaving are none', () => {
    const at = deskWith('> Pack');
    const { steps, said } = recorded(at, () => {
      at.desk.press('Space');
      at.desk.app.run('label.manage');
      at.desk.app.answer('labelManager', { action: 'filter', text: 'Errands' });
      at.desk.within = ['dialog.labelManager', 'list'];
      at.desk.press('Enter');
      at.desk.within = [];
      at.desk.app.run('dialog.close');
    });
    assert.deepEqual(steps, ['task.complete']);
    assert.equal(said, 'Recorded 1 step. Not recorded: created label ‘Errands’.');
  });

  test('[MACRO-29] a step that was undone and done again is one', () => {
    const at = deskWith('> Pack');
    const { steps } = recorded(at, () => at.desk.press('Space', 'Mod+Z', 'Mod+Shift+Z'));
    assert.deepEqual(steps, ['task.complete']);
    assert.equal(
      recorded(at, () => at.desk.press('Space', 'Mod+Z')).said,
      'There’s no macro, as there’s no step.',
    );
  });
});

const command = (id: string, words: Readonly<Record<string, string>> = {}): Step => ({
  type: 'command',
  command: id,
  answers: Object.fromEntries(Object.entries(words).map(([name, each]) => [name, { words: each }])),
  note: '',
});

/** Stores a macro of these steps; returns its command. */
function make(program: Program, steps: readonly Step[], { name }: { readonly name: string }): string {
  const id = program.replica.newId();
  program.part(macros).save(id, { name, steps, variables: [], takesLinks: false }, 'made a macro');
  return macroCommand(id);
}

describe('a macro that is gone or comes', () => {
  test('[MACRO-48] the key of a deleted macro says so, and runs it again once that is undone', () => {
    const { desk, program } = deskWith('> Pack');
    const id = make(program, [command('task.due', { value: 'tomorrow' })], { name: 'Plan' });
    const own = JSON.stringify({ add: [{ context: 'navigate', keys: 'Mod+Alt+9', command: id }], drop: [] });
    program.act(() => program.change(program.settings.actions({ key: 'keysOwn' }, own), 'set a key'));
    choose(desk, 'delete a macro', 'plan');
    desk.press('Mod+Alt+9');
    assert.match(desk.message, /^That macro was deleted\./);
    desk.press('Mod+Z', 'Mod+Alt+9');
    assert.equal(desk.message, 'Ran ‘Plan’.');
  });

  test('[MACRO-50] names the first step that can’t run here, and calls a text that was cut off that', async () => {
    const { desk, program } = deskWith('> Pack');
    make(program, [command('task.complete'), command('task.move', { list: 'Nowhere' })], { name: 'Plan' });
    const [plan] = program.part(macros).all;
    assert.ok(plan);
    desk.clipboard = sharedText(plan);
    choose(desk, 'add the macro in the clipboard');
    await desk.settle();
    assert.equal(desk.message, 'Added the macro ‘Plan 2’. Step 2 can’t run yet: There’s no list ‘Nowhere’.');
    for (const length of [40, 80]) {
      desk.clipboard = sharedText(plan).slice(0, length);
      choose(desk, 'add the macro in the clipboard');
      await desk.settle();
      assert.match(desk.message, /^The end of this macro is missing\./);
    }
  });
});
