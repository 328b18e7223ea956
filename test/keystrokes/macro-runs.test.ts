// Macros that programs run, as a device does them: by keys, against a server in memory that has runs to give.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { inboxId, type Id } from '#core/ids.ts';
import { definePart } from '#client/app/part.ts';
import type { Program } from '#client/app/program.ts';
import { lazyRuns } from '#client/macro-runs/lazy.ts';
import type { MacroRunsPort } from '#client/macro-runs/port.ts';
import { programsMayRun } from '#client/macro-runs/setting.ts';
import type { Step } from '#client/macros/macro.ts';
import { macros } from '#client/macros/part.ts';
import type { RunOutcome, TakenRun } from '#wire/macro-runs.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { noAccount, noLive } from './no-server.ts';

/** The server, as a device hears of it. */
class Runs implements MacroRunsPort {
  readonly waiting: TakenRun[] = [];
  readonly told: RunOutcome[] = [];
  asked = 0;
  /** So many answers are lost. */
  deaf = 0;
  #hear: (() => void) | null = null;

  listen(waiting: () => void): () => void {
    this.#hear = waiting;
    return () => (this.#hear = null);
  }

  take(): Promise<TakenRun | null> {
    this.asked += 1;
    return Promise.resolve(this.waiting.shift() ?? null);
  }

  tell(_id: Id, outcome: RunOutcome): Promise<boolean> {
    this.told.push(outcome);
    this.deaf -= 1;
    return Promise.resolve(this.deaf < 0);
  }

  give(run: TakenRun): void {
    this.waiting.push(run);
    this.#hear?.();
  }
}

const titled = (text: string): Step => ({
  type: 'command',
  command: 'task.setTitle',
  answers: { text: { words: text } },
  note: '',
});

interface Stage {
  readonly desk: Desk;
  readonly program: Program;
  readonly runs: Runs;
  readonly macro: Id;
  readonly id: (title: string) => Id;
  readonly titles: () => readonly (string | undefined)[];
  readonly give: (tasks: readonly Id[], more?: Partial<TakenRun>) => void;
  /** Time passes. */
  readonly pass: (ms?: number) => Promise<void>;
}

async function stage(
  steps: readonly Step[] = [titled('For {{who}}')],
  { isOn = true, takesLinks = true } = {},
): Promise<Stage> {
  const runs = new Runs();
  let found: Program | null = null;
  const eye = definePart({
    name: 'Eye',
    create(program) {
      found = program;
      return {};
    },
  });
  const account = {
    ...noAccount,
    email: 'ann@example.org',
    live: () => Promise.resolve({ ...noLive, macroRuns: () => runs }),
  };
  const desk = new Desk('> Pack\n- Call\n- Read', { account, parts: [eye], isConfirmed: true });
  const program: Program = must(found as Program | null, 'the part has been created');
  const macro = program.replica.newId();
  const variables = [{ name: 'who', value: 'nobody', isAsked: false }];
  program.part(macros).save(macro, { name: 'Mine', steps, variables, takesLinks }, 'made a macro');
  if (isOn) program.change(program.settings.actions(programsMayRun, true), 'let programs run macros');
  // The server answers whatever it is asked for.
  desk.engine.known = {
    get heardAt() {
      return desk.engine.nudges;
    },
  };
  await Promise.all([lazyRuns.load(), program.part(macros).load(), program.undo.load()]);
  await import('#client/macros/trial/trial.ts');
  await desk.settle();
  const pass = async (ms = 1_000) => {
    for (let passed = 0; passed < ms; passed += 50) {
      desk.timers.advance(50);
      await desk.settle();
    }
  };
  return {
    desk,
    program,
    runs,
    macro,
    pass,
    id: (title) => must(desk.rows().find((row) => row.title === title)?.id, title),
    titles: () => desk.rows().map(({ title }) => title),
    give(tasks, more = {}) {
      runs.give({
        id: program.replica.newId(),
        macro,
        tasks: [...tasks],
        values: [],
        isDry: false,
        program: 'Robot',
        ...more,
      });
    },
  };
}

describe('a macro that a program runs', () => {
  test('[MACRO-38] is about the named tasks, one undo that names the program, and leaves the selection alone', async () => {
    const { desk, runs, id, titles, give, pass } = await stage([
      titled('For {{who}}'),
      { type: 'command', command: 'task.complete', answers: {}, note: '' },
    ]);
    const cursor = () => desk.rows().findIndex((row) => row.cursor);
    const before = cursor();
    give([id('Call'), id('Read')], { values: [['who', 'Eve {{x}}']] });
    await pass();
    assert.deepEqual(titles(), ['Pack', 'For Eve {{x}}', 'For Eve {{x}}']);
    assert.equal(desk.message, 'Ran ‘Mine’ on 2 tasks for Robot.');
    assert.equal(cursor(), before);
    assert.deepEqual(runs.told, [
      { state: 'done', message: null, changed: 2, created: 0, deleted: 0, changes: [] },
    ]);
    desk.press('Mod+Z');
    assert.deepEqual(titles(), ['Pack', 'Call', 'Read']);
    assert.match(desk.message, /ran ‘Mine’ for Robot/);
  });

  test('[MACRO-38] waits until nothing is written or answered, and runs one after the other', async () => {
    const { desk, runs, id, titles, give, pass } = await stage();
    const [call, read] = [id('Call'), id('Read')];
    desk.press('Enter');
    give([call]);
    give([read], { values: [['who', 'you']] });
    await pass();
    assert.equal(runs.asked, 0);
    desk.press('Escape');
    desk.press('Mod+K');
    await pass();
    assert.equal(runs.asked, 0);
    desk.press('Escape');
    await pass(3_000);
    assert.deepEqual(titles().slice(-2), ['For nobody', 'For you']);
    assert.equal(runs.told.length, 2);
  });

  test('[MACRO-30] asks for nothing where programs may run no macros, and does not run what may not be started from outside', async () => {
    const off = await stage(undefined, { isOn: false });
    off.give([off.id('Call')]);
    await off.pass();
    assert.equal(off.runs.asked, 0);
    const closed = await stage(undefined, { takesLinks: false });
    closed.give([closed.id('Call')]);
    await closed.pass();
    assert.deepEqual(closed.titles(), ['Pack', 'Call', 'Read']);
    assert.equal(closed.runs.told[0]?.message, 'Programs may not run ‘Mine’.');
  });

  test('[MACRO-39] asks for news first, waits for a task that is on its way, and stops where one does not come', async () => {
    const { desk, program, runs, id, titles, give, pass } = await stage();
    const late = program.replica.newId();
    give([id('Call'), late]);
    await pass(2_000);
    assert.ok(desk.engine.nudges > 0);
    assert.deepEqual([runs.asked, runs.told.length], [1, 0]);
    const place = { parent: inboxId(SCOPE) };
    desk.replica.issue([{ a: 'create', id: late, type: 'task', fields: { title: 'Late' }, place }]);
    await pass();
    assert.deepEqual(titles(), ['Pack', 'For nobody', 'Read', 'For nobody']);
    give([program.replica.newId(), id('Read')]);
    await pass(8_000);
    assert.equal(runs.told.at(-1)?.message, 'This device doesn’t have 1 task of them.');
    give([id('Read')], { macro: program.replica.newId() });
    await pass(8_000);
    assert.equal(runs.told.at(-1)?.message, 'This device doesn’t have the macro.');
    assert.deepEqual(titles(), ['Pack', 'For nobody', 'Read', 'For nobody']);
  });

  test('[MACRO-5] [MACRO-38] that stops says where and why, and what it changed before', async () => {
    const { runs, id, give, pass } = await stage([titled('First'), titled('For {{nobody}}')]);
    give([id('Call')]);
    await pass();
    assert.deepEqual(runs.told, [
      {
        state: 'stopped',
        message: '‘Mine’ stopped at step 2: There is no variable “nobody”.',
        changed: 1,
        created: 0,
        deleted: 0,
        changes: [],
      },
    ]);
  });

  test('[MACRO-33] is told again where the server did not hear, and not run again', async () => {
    const { desk, runs, id, titles, give, pass } = await stage([
      { type: 'command', command: 'task.duplicate', answers: {}, note: '' },
    ]);
    runs.deaf = 2;
    give([id('Call')]);
    await pass(10_000);
    assert.equal(runs.told.length, 3);
    assert.equal(titles().length, 4);
    assert.equal(runs.told[0]?.created, 1);
    desk.press('Mod+Z');
    assert.equal(titles().length, 3);
  });

  test('[MACRO-40] is tried without a change, and says in words what it would do', async () => {
    const { desk, runs, id, titles, give, pass } = await stage([
      titled('For {{who}}'),
      { type: 'command', command: 'task.complete', answers: {}, note: '' },
    ]);
    const [call, read] = [id('Call'), id('Read')];
    const pending = desk.replica.pending.length;
    give([call, read], { isDry: true, values: [['who', 'Eve']] });
    await pass(3_000);
    assert.deepEqual(titles(), ['Pack', 'Call', 'Read']);
    assert.equal(desk.replica.pending.length, pending);
    assert.equal(desk.message, '');
    const details = (title: string) => [`renamed from ${title} to For Eve`, 'completed'];
    const { changes, ...rest } = must(runs.told[0], 'an outcome');
    assert.deepEqual(rest, { state: 'done', message: null, changed: 2, created: 0, deleted: 0 });
    assert.deepEqual(changes, [
      { id: call, type: 'task', title: 'Call', change: 'changed', details: details('Call') },
      { id: read, type: 'task', title: 'Read', change: 'changed', details: details('Read') },
    ]);
    // What was tried comes to the same once it runs.
    give([call, read], { values: [['who', 'Eve']] });
    await pass();
    assert.equal(runs.told[1]?.changed, 2);
    give([call], { isDry: true, values: [] });
    await pass(3_000);
    assert.equal(runs.told[2]?.state, 'done');
  });

  test('[MACRO-40] says of a try that stops where and why', async () => {
    const { runs, id, titles, give, pass } = await stage([titled('First'), titled('For {{nobody}}')]);
    give([id('Call')], { isDry: true });
    await pass(3_000);
    assert.deepEqual(titles(), ['Pack', 'Call', 'Read']);
    const { state, message, changed } = must(runs.told[0], 'an outcome');
    assert.deepEqual(
      [state, message, changed],
      ['stopped', '‘Mine’ stopped at step 2: There is no variable “nobody”.', 1],
    );
  });
});
