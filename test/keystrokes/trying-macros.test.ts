// Trying a macro by keys: what it would change is said and nothing is changed, and Enter runs it. Besides, what a macro does with the
// clipboard, and what it asks before it changes very much.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId } from '#core/ids.ts';
import { definePart } from '#client/app/part.ts';
import type { Program } from '#client/app/program.ts';
import { macros } from '#client/macros/part.ts';
import { macroCommand, type Step } from '#client/macros/macro.ts';
import { engineApart } from '#client/macros/trial/apart.ts';
import { dryRun } from '#client/macros/trial/trial.ts';
import type { MacroTrialView } from '#client/macros/trial/trial-view.ts';
import { spoken } from '#client/history/sentences.ts';
import { plainScripts } from '../scripts/engine.ts';
import { Desk } from './desk.ts';
import { SCOPE } from './desk-engine.ts';
import { living } from './fuzz-world.ts';

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

/** Stores a macro of these steps. `asked`: the variable that it asks for. Returns its command. */
function make(program: Program, steps: readonly Step[], asked: readonly string[] = []): string {
  const id = program.replica.newId();
  const variables = asked.map((name) => ({ name, value: 'Ida', isAsked: true }));
  program.part(macros).save(id, { name: 'Mine', steps, variables, takesLinks: false }, 'made a macro');
  return macroCommand(id);
}

const shown = (desk: Desk): MacroTrialView => {
  const dialog = desk.app.view.dialog.get();
  assert.equal(dialog?.type, 'macroTrial');
  return dialog.trial;
};

/** Tries the only macro, from the palette. */
async function tryIt(desk: Desk): Promise<MacroTrialView> {
  desk.press('Mod+K');
  desk.app.paletteInput('try a macro on the selection');
  desk.press('Enter', 'Enter');
  await desk.until(() => {
    desk.timers.advance(0);
    return shown(desk).step !== 'trying';
  });
  desk.within = ['dialog.macroTrial', 'list'];
  return shown(desk);
}

const said = ({ lines }: MacroTrialView) =>
  lines.map(({ kind, type, title, changes }) => [kind, type, title, changes.map(spoken).join('; ')]);

describe('trying a macro', () => {
  test('[MACRO-20] [MACRO-22] says what would change and changes nothing; Enter runs it as one undo', async () => {
    const { desk, program } = deskWith('> Pack\n- Call\n- Read');
    make(program, [
      command('task.setTitle', { text: '{{selection.title}} now' }),
      command('task.setNotes', { text: 'By train' }),
      command('task.addTo', { list: 'Inbox', text: 'Follow up tomorrow' }),
      command('list.create', { name: 'Trip' }),
      command('task.move', { list: 'Trip' }),
    ]);
    desk.press('Shift+ArrowDown');
    const before = living(desk);
    const screen = desk.screen();
    const trial = await tryIt(desk);
    assert.deepEqual(trial.summary, ['Would change 2 tasks, create 1 task and 1 list.']);
    assert.deepEqual(said(trial), [
      ['changed', '', 'Pack', 'moved from the Inbox to Trip; renamed from Pack to Pack now; wrote notes'],
      ['changed', '', 'Call', 'moved from the Inbox to Trip; renamed from Call to Pack now; wrote notes'],
      ['created', '', 'Follow up', 'set the due date to tomorrow'],
      ['created', 'List', 'Trip', ''],
    ]);
    assert.deepEqual(trial.details, [{ name: 'Notes', before: '', after: 'By train' }]);
    assert.equal(desk.screen(), screen);
    assert.equal(living(desk), before);
    desk.press('End');
    assert.equal(shown(desk).active, 3);
    desk.press('Enter');
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.message, 'Ran ‘Mine’ on 2 tasks.');
    desk.press('Mod+Z');
    assert.equal(living(desk), before);
  });

  test('[MACRO-21] says where it would stop, and what would have changed until then; Escape changes nothing', async () => {
    const { desk, program } = deskWith('> Pack');
    make(program, [
      command('task.complete'),
      command('task.move', { list: 'Nowhere' }),
      command('task.delete'),
    ]);
    const before = living(desk);
    const trial = await tryIt(desk);
    assert.deepEqual(trial.summary, [
      'Would stop at step 2: There’s no list ‘Nowhere’.',
      'Until then it would change 1 task.',
    ]);
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(living(desk), before);
  });

  test('[MACRO-52] goes back and forward where a run would', async () => {
    const { desk, program } = deskWith('> Pack');
    desk.app.run('list.create', { name: 'Trip' });
    desk.app.run('go.inbox');
    desk.app.run('list.create', { name: 'Other' });
    make(program, [
      command('go.back'),
      command('go.back'),
      command('task.addTo', { list: 'Inbox', text: 'In {{list.name}}' }),
    ]);
    const trial = await tryIt(desk);
    assert.deepEqual(said(trial), [['created', '', 'In Trip', '']]);
    desk.press('Escape');
    assert.equal(program.placeName, 'Other');
    desk.app.run('go.back');
    assert.equal(program.placeName, 'Inbox');
  });

  test('[MACRO-51] reads the tasks in portions, and is given up where nobody waits for it any more', async () => {
    const many = Array.from({ length: 1_500 }, (_, at) => `${at === 0 ? '>' : '-'} Task ${at}`);
    const { desk, program } = deskWith(many.join('\n'));
    const apart = engineApart(program.engine);
    assert.ok(apart !== null);
    const shares: number[] = [];
    while (!apart.filling.fill(() => true)) shares.push(apart.filling.share);
    assert.ok(shares.length > 2 && shares.every((share, at) => share > (shares[at - 1] ?? 0) && share < 1));
    const rows = (replica: Program['replica']) => [...replica.all()].map(({ id, fields }) => [id, fields]);
    assert.deepEqual(rows(apart.engine.replica), rows(program.replica));
    const inbox = program.workspace.inbox;
    assert.deepEqual(
      apart.engine.replica.children(inbox).map((row) => row.id),
      program.replica.children(inbox).map((row) => row.id),
    );
    make(program, [command('task.complete')]);
    const [macro] = program.part(macros).all;
    assert.ok(macro);
    // Each look at the clock is a portion later.
    const { replica } = program;
    let nowMs = replica.now();
    const told: number[] = [];
    const isLeft = () => told.length > 1;
    Object.defineProperty(replica, 'now', { value: () => (nowMs += 10), configurable: true });
    const trying = dryRun(program.part(macros), macro, new Map(), {
      told: (share) => told.push(share),
      isLeft,
    });
    while (told.length < 2) {
      desk.timers.advance(0);
      await Promise.resolve();
    }
    desk.timers.advance(0);
    assert.equal(await trying, null);
    assert.equal(told.length, 2);
  });

  test('[MACRO-22] asks for the variables that the macro asks for', async () => {
    const { desk, program } = deskWith('> Pack');
    make(program, [command('task.setTitle', { text: 'For {{who}}' })], ['who']);
    const asking = await tryIt(desk);
    assert.deepEqual(
      [asking.step, asking.questions.map(({ name, value }) => [name, value])],
      ['asking', [['who', 'Ida']]],
    );
    desk.app.answer('macroTrial', { action: 'try', values: { who: 'Ann' } });
    await desk.until(() => shown(desk).step === 'shown');
    assert.deepEqual(said(shown(desk)), [['changed', '', 'Pack', 'renamed from Pack to For Ann']]);
    desk.press('Enter');
    assert.equal(desk.rows()[0]?.title, 'For Ann');
  });

  test('[MACRO-20] runs its scripts, and leaves clipboard, settings and places alone', async () => {
    const { desk, program } = deskWith('> Pack\n- Call');
    desk.scripts = await plainScripts();
    desk.clipboard = 'From outside';
    const source = 'function updateVariables(v, state) { return { n: String(state.selectedTasks.length) }; }';
    make(program, [
      command('task.copyText'),
      command('go.today'),
      { type: 'script', source, note: '' },
      command('task.setTitle', { text: '{{n}}' }),
    ]);
    // The palette remembers what was chosen in it.
    const kept = () => [...desk.preferences].filter(([key]) => key !== 'palette');
    const preferences = kept();
    const trial = await tryIt(desk);
    assert.deepEqual(said(trial), [['changed', '', 'Pack', 'renamed from Pack to 1']]);
    assert.equal(desk.clipboard, 'From outside');
    assert.deepEqual(kept(), preferences);
    assert.equal(program.placeName, 'Inbox');
    assert.equal(desk.rows()[0]?.title, 'Pack');
  });

  test('[MACRO-20] says that nothing would change, and what a deletion takes', async () => {
    const { desk, program } = deskWith('> Pack\n-   Bags');
    make(program, [command('task.delete')]);
    const trial = await tryIt(desk);
    assert.deepEqual(trial.summary, ['Would delete 1 task.']);
    assert.deepEqual(said(trial), [['deleted', '', 'Pack', '']]);
    desk.press('Escape');
    program.part(macros).remove(program.part(macros).all[0]?.id ?? inboxId(SCOPE), 'gone');
    make(program, [command('go.today')]);
    assert.deepEqual((await tryIt(desk)).summary, ['Would change nothing.']);
  });
});

describe('a macro and the clipboard', () => {
  test('[MACRO-24] waits for what is cut, which is a part of its undo, and attaches no files', async () => {
    const { desk, program } = deskWith('> Pack\n- Call');
    const before = living(desk);
    program.run(
      make(program, [
        command('task.setTitle', { text: 'Bags' }),
        command('task.cut'),
        command('go.today'),
        command('file.attach'),
      ]),
    );
    await desk.until(() => desk.message.startsWith('‘Mine’'));
    assert.equal(desk.message, '‘Mine’ stopped at step 4: It can’t be part of a macro.');
    assert.match(desk.clipboard ?? '', /Bags/);
    assert.ok(!living(desk).includes('Bags'));
    desk.app.run('edit.undo');
    assert.equal(living(desk), before);
  });
});

describe('a macro that changes very much', () => {
  const many = 10_000;
  function large() {
    const { desk, program } = deskWith('> Pack');
    for (let made = 0; made < many; made += 1_000)
      desk.replica.issue(
        Array.from({ length: 1_000 }, (_, at) => {
          const fields = { title: `Task ${made + at}` };
          const place = { parent: inboxId(SCOPE) };
          return { a: 'create', id: desk.replica.newId(), type: 'task', fields, place } as const;
        }),
      );
    desk.press('Mod+A');
    const id = make(program, [
      command('task.duration', { value: '5m' }),
      command('list.create', { name: 'Trip' }),
    ]);
    program.run(id);
    return { desk, program };
  }
  const settled = (desk: Desk, isSo: () => boolean) =>
    desk.until(() => {
      desk.timers.advance(0);
      return isSo();
    });
  const question = (desk: Desk) => {
    const dialog = desk.app.view.dialog.get();
    return dialog?.type === 'confirm' ? dialog.text : null;
  };

  test('[MACRO-23] asks before it goes on, with the number, and takes all of it back without a yes', async () => {
    const { desk, program } = large();
    const durations = () =>
      [...desk.replica.all()].filter((row) => row.type === 'task' && row.fields.duration !== undefined)
        .length;
    await settled(desk, () => question(desk) !== null);
    assert.equal(
      question(desk),
      '‘Mine’ has changed 10,001 items so far. Go on? If not, all of that is taken back.',
    );
    assert.equal(durations(), 10_001);
    desk.press('Escape');
    await settled(desk, () => durations() === 0);
    assert.equal(desk.message, 'Took back what ‘Mine’ had changed.');
    assert.equal(program.part(macros).isRunning, false);
    assert.ok(!desk.lists().some(({ name }) => name === 'Trip'));
  });

  test('[MACRO-23] goes on after a yes', async () => {
    const { desk } = large();
    await settled(desk, () => question(desk) !== null);
    desk.app.answer('confirm', { action: 'confirm' });
    await settled(desk, () => /^Ran ‘Mine’ on [\d,]+ tasks\.$/.test(desk.message));
    assert.ok(desk.lists().some(({ name }) => name === 'Trip'));
  });
});
