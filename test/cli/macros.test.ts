// Macros from the command line and by agents: what is shown, what is asked, and what ends a command. The device is played by calls.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { settingId, type Id } from '#core/ids.ts';
import { macroKey, programsRunMacros } from '#core/macros.ts';
import { type RunOutcome, takeAnswerSchema, type TakenRun } from '#wire/macro-runs.ts';
import { Person } from '../sharing.ts';
import { createDesk, type Desk } from './desk.ts';
import { createEncryptedDesk } from './encrypted-desk.ts';

const MACRO = '0193b3a0-0000-7000-8000-00000000000a' as Id;
const NOTHING: RunOutcome = { state: 'done', message: null, changed: 0, created: 0, deleted: 0, changes: [] };

/** A device that takes every run; `runs` is what it was given. */
function deviceOf(desk: Desk, outcomes: (run: TakenRun) => RunOutcome): TakenRun[] {
  const { server, cookie } = desk.user;
  const runs: TakenRun[] = [];
  desk.onPause = async () => {
    const taken = await server.ask('/app/api/macro-runs/take', { method: 'POST', cookie });
    const { run } = takeAnswerSchema.parse(await taken.json());
    if (run === null) return;
    runs.push(run);
    await server.ask(`/app/api/macro-runs/${run.id}/outcome`, {
      method: 'POST',
      cookie,
      body: outcomes(run),
    });
  };
  return runs;
}

describe('macros at the command line', () => {
  let desk: Desk;
  before(async () => {
    desk = await createDesk();
    const { server, cookie, account, scope } = desk.user;
    const person = new Person(server, { cookie, account, personalScope: scope });
    const vars = [{ name: 'who', value: 'Ada', ask: true }];
    const stored = { v: 1, name: 'Plan tomorrow', steps: [], vars, links: true };
    for (const [key, value] of [
      [programsRunMacros, true],
      [macroKey(MACRO), JSON.stringify(stored)],
    ] as const)
      await person.act({ a: 'create', id: settingId(scope, key), type: 'setting', fields: { key, value } });
  });
  after(() => desk.close());

  const diff = (run: TakenRun): RunOutcome => ({
    ...NOTHING,
    changed: run.isDry ? 2 : 1,
    created: 1,
    changes: run.isDry
      ? [{ id: MACRO, type: 'task', title: 'Pack\u001b[31m', change: 'changed', details: ['completed'] }]
      : [],
  });
  const run = ['macro', 'run', 'plan tomorrow', '--set', 'who=Eve = me'];

  test('[MACRO-43] lists them with what they ask for', async () => {
    assert.equal(await desk.good('macros'), `${MACRO}  Plan tomorrow  asks for who`);
    const { macros } = await desk.json<{ macros: readonly unknown[] }>('macros');
    assert.equal(macros.length, 1);
  });

  test('[MACRO-41] shows what it would change, asks, and runs it on the tasks once somebody agrees', async () => {
    const task = await desk.user.task({ title: 'Pack' });
    await desk.good('list');
    const runs = deviceOf(desk, diff);
    desk.canAsk = true;
    for (const answer of ['', 'n\n', 'yours\n']) {
      desk.input = answer;
      assert.deepEqual(await desk.run(...run, '--tasks', task.id.slice(-6)), {
        code: 0,
        out: 'Nothing was changed.',
        err: '~ Pack [31m\n    completed\n… and 2 others\nIt would be: 2 changed, 1 created.\nRun it? [y/N] ',
      });
    }
    desk.input = 'y\n';
    const { out } = await desk.run(...run, '--tasks', `${task.id.slice(-6)}, ${task.id}`);
    assert.equal(out, 'Ran ‘Plan tomorrow’: 1 changed, 1 created.');
    assert.deepEqual(
      runs.map(({ isDry }) => isDry),
      [true, true, true, true, false],
    );
    assert.deepEqual(runs.at(-1)?.tasks, [task.id]);
    assert.deepEqual(runs.at(-1)?.values, [['who', 'Eve = me']]);
    desk.canAsk = false;
  });

  test('[MACRO-41] runs at once with --yes, only tries with --dry-run, and nothing where nobody can be asked', async () => {
    const runs = deviceOf(desk, diff);
    assert.match((await desk.run(...run)).err, /--dry-run .* or --yes/);
    assert.match(await desk.good(...run, '--dry-run'), /It would be: 2 changed, 1 created\.$/);
    assert.deepEqual(
      runs.map(({ isDry }) => isDry),
      [true, true],
    );
    const { macro_run: made } = await desk.json<{ macro_run: { state: string } }>(...run, '--yes');
    assert.equal(made.state, 'done');
    assert.equal(runs.at(-1)?.isDry, false);
  });

  test('[MACRO-41] ends with the words of what went wrong', async () => {
    deviceOf(desk, () => ({
      ...NOTHING,
      state: 'stopped',
      message: '‘Plan’ stopped at step 2: No.',
      changed: 3,
    }));
    const stopped = await desk.run(...run, '--yes');
    assert.deepEqual(
      [stopped.code, stopped.err],
      [5, 'posthaste: ‘Plan’ stopped at step 2: No. Until then: 3 changed.'],
    );
    desk.onPause = () => Promise.resolve();
    assert.match((await desk.run(...run, '--yes')).err, /No device took it within a minute/);
    for (const [words, said] of [
      [['macro', 'run', 'Other'], /no macro “Other”/],
      [['macro', 'run', 'plan tomorrow'], /asks for who/],
      [['macro', 'go'], /Which macro/],
      [[...run, '--yes', '--dry-run'], /takes no --yes/],
      [['macro', 'run', MACRO, '--set', 'who'], /name=value/],
      [[...run, '--yes', '--tasks', 'ffff'], /isn't a task you've listed/],
    ] as const)
      assert.match((await desk.run(...words)).err, said);
  });
});

describe('macros of an encrypted account at the command line', () => {
  const RUN = 'This account is encrypted, so programs can’t run its macros. Run them in the app.';
  const READ = 'This account is encrypted, so this server can’t read its macros. Open them in the app.';

  test('[SEAL-356] with the key they are listed as what no program may run, and a run is refused before anything else is asked', async () => {
    const desk = await createEncryptedDesk();
    const { replica } = desk.device.engine;
    const vars = [{ name: 'who', value: 'Ada', ask: true }];
    const stored = { v: 1, name: 'Canary plan', steps: [], vars, links: true };
    const settings = [
      [programsRunMacros, true],
      [macroKey(MACRO), JSON.stringify(stored)],
    ] as const;
    for (const [key, value] of settings)
      replica.issue([
        { a: 'create', id: settingId(desk.user.scope, key), type: 'setting', fields: { key, value } },
      ] as never);
    await desk.device.sync();
    assert.equal(await desk.good('macros'), `${MACRO}  Canary plan  asks for who  (not for programs)`);
    for (const words of [[], ['--yes'], ['--dry-run'], ['--set', 'who=me', '--yes']]) {
      const { code, err } = await desk.run('macro', 'run', 'canary plan', ...words);
      assert.deepEqual([code, err], [5, `posthaste: ${RUN}`]);
    }
    assert.ok(desk.requests.every((each) => !each.includes('macro_runs')));
    // What would be asked of the server has a word of nobody’s, by programs without the key neither.
    const { server, token } = desk.user;
    const body = { macro_id: MACRO, variables: { who: 'canary' } };
    const asked = await server.ask('/api/macro_runs', { method: 'POST', bearer: token, body });
    assert.deepEqual([asked.status, ((await asked.json()) as { message: string }).message], [409, RUN]);
    const listed = await server.ask('/api/macros', { bearer: token });
    assert.deepEqual([listed.status, ((await listed.json()) as { message: string }).message], [409, READ]);
    assert.deepEqual(await server.database.db.selectFrom('macro_run').selectAll().execute(), []);
    await desk.good('key', 'forget');
    const without = await desk.run('macros');
    assert.deepEqual([without.code, without.err.endsWith(`posthaste: ${READ}`)], [5, true], without.err);
    await desk.device.close();
    await desk.close();
  });
});
