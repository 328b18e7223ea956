// JavaScript steps in macros that run by keys: they read what is open and selected after the steps before them, and set the variables of
// the steps after them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { definePart } from '#client/app/part.ts';
import type { Program } from '#client/app/program.ts';
import { macroCommand, type Step } from '#client/macros/macro.ts';
import { macros } from '#client/macros/part.ts';
import { Desk } from '../keystrokes/desk.ts';
import { plainScripts } from './engine.ts';

const script = (body: string): Step => ({
  type: 'script',
  source: `function updateVariables(variables, state) { ${body} }`,
  note: '',
});
const command = (id: string, words: Readonly<Record<string, string>>): Step => ({
  type: 'command',
  command: id,
  answers: Object.fromEntries(Object.entries(words).map(([name, each]) => [name, { words: each }])),
  note: '',
});

/** Runs a macro of these steps to its end. */
async function run(outline: string, steps: readonly Step[], hasScripts = true): Promise<Desk> {
  const found: Program[] = [];
  const eye = definePart({ name: 'Eye', create: (each) => (found.push(each), {}) });
  const desk = new Desk(outline, { parts: [eye] });
  const [program] = found;
  assert.ok(program);
  if (hasScripts) desk.scripts = await plainScripts();
  const id = program.replica.newId();
  const variables = [{ name: 'client', value: 'Jo', isAsked: false }];
  program.part(macros).save(id, { name: 'Mine', steps, variables, takesLinks: false }, 'made a macro');
  program.run(macroCommand(id));
  for (let waited = 0; waited < 1_000 && !/^(?:Ran ‘Mine’|‘Mine’ stopped)/.test(desk.message); waited += 1)
    await desk.settle();
  return desk;
}

const titles = (desk: Desk) => desk.rows().map(({ title }) => title);

describe('JavaScript steps', () => {
  test('[MACRO-103] set variables for the steps after them, from what the steps before them did', async () => {
    const desk = await run('> Pack\n- Call', [
      command('task.setTitle', { text: 'For {{client}}' }),
      script('return { ...variables, said: state.selectedTasks[0].title.toUpperCase() };'),
      command('task.setTitle', { text: '{{said}}, {{client}}' }),
    ]);
    assert.equal(desk.message, 'Ran ‘Mine’.');
    assert.deepEqual(titles(desk), ['FOR JO, Jo', 'Call']);
    desk.press('Mod+Z');
    assert.deepEqual(titles(desk), ['Pack', 'Call']);
  });

  test('[MACRO-101] read the open list, with the tasks that are not cleared', async () => {
    const desk = await run('- Pack\n    Bags\n> Call', [
      script(
        'const { selectedList: list } = state; return { all: [list.listType, ...list.tasks.map((task) => task.title + task.indentLevel)].join() };',
      ),
      command('task.setTitle', { text: '{{all}}' }),
    ]);
    assert.deepEqual(titles(desk), ['Pack', 'Bags', 'inbox,Pack0,Bags1,Call0']);
  });

  test('[MACRO-104] stop the macro with a sentence', async () => {
    const wrong = await run('> Pack', [script('return { count: 3 };')]);
    assert.equal(
      wrong.message,
      '‘Mine’ stopped at step 1: updateVariables must return text only: `count` is a number.',
    );
    assert.deepEqual(titles(wrong), ['Pack']);
  });

  test('[MACRO-110] stop the macro where the code that runs them cannot be had', async () => {
    const none = await run('> Pack', [script('return {};')], false);
    assert.match(none.message, /^‘Mine’ stopped at step 1: Scripts can’t run now/);
  });
});
