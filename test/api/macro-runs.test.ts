// Macros that programs run, from the program to the device and back, by calls of both: who may, that one device gets a run and gets
// it once, and what hostile programs come to. On both engines.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { inboxId, settingId, type Id } from '#core/ids.ts';
import { macroKey, programsRunMacros } from '#core/macros.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import type { ApiMacroRun } from '#wire/api/objects.ts';
import { type RunOutcome, takeAnswerSchema, type TakenRun } from '#wire/macro-runs.ts';
import { startPostgres, type PostgresInstance } from '../contracts/postgres-instance.ts';
import { Person } from '../sharing.ts';
import { checkShape } from './api-world.ts';
import { createTestServer, type TestServer } from './harness.ts';

const newId = () => crypto.randomUUID() as Id;
const MINUTE = 60_000;

const outcome = (changes: Partial<RunOutcome> = {}): RunOutcome => ({
  state: 'done',
  message: null,
  changed: 2,
  created: 1,
  deleted: 0,
  changes: [],
  ...changes,
});

/** A person with a program and a device. */
class Owner {
  readonly person: Person;
  readonly #token: string;

  constructor(person: Person, token: string) {
    this.person = person;
    this.#token = token;
  }

  static async come(server: TestServer, email: string, access: 'read' | 'write' = 'write'): Promise<Owner> {
    const person = await Person.come(server, email);
    const { account } = person;
    const made = { account, kind: 'api', userAgent: '', name: 'Robot', access } as const;
    return new Owner(person, (await server.services.sessions.open(made)).token);
  }

  /** With a token that may only read. */
  async reading(): Promise<Owner> {
    const { server, account } = this.person;
    const made = { account, kind: 'api', userAgent: '', access: 'read' } as const;
    return new Owner(this.person, (await server.services.sessions.open(made)).token);
  }

  async set(key: string, value: unknown): Promise<void> {
    const id = settingId(this.person.personalScope as Id, key);
    const { [id]: known } = Object.fromEntries(await this.person.rows());
    await this.person.act(
      known === undefined
        ? { a: 'create', id, type: 'setting', fields: { key, value } }
        : { a: 'set', id, field: 'value', value },
    );
  }

  async macro(content: Readonly<Record<string, unknown>> = {}): Promise<Id> {
    const id = newId();
    const whole = {
      v: 1,
      name: 'Plan',
      steps: [{ cmd: 'task.complete' }],
      vars: [],
      links: true,
      ...content,
    };
    await this.set(macroKey(id), JSON.stringify(whole));
    return id;
  }

  task(title: string): Promise<Id> {
    return this.person.task(title, inboxId(this.person.personalScope as Id));
  }

  async call(method: string, path: string, body?: unknown) {
    const given = body === undefined ? {} : typeof body === 'string' ? { raw: body } : { body };
    const answer = await this.person.server.ask(path, { method, bearer: this.#token, ...given });
    const read = (await answer.json()) as Readonly<Record<string, unknown>>;
    checkShape(method, path, { status: answer.status, body: read });
    return { status: answer.status, ...read } as Readonly<Record<string, unknown>> & {
      readonly status: number;
    };
  }

  /** A run that was accepted. */
  async start(body: Readonly<Record<string, unknown>>): Promise<ApiMacroRun> {
    const answer = await this.call('POST', '/macro_runs', body);
    assert.equal(answer.status, 202, JSON.stringify(answer));
    return answer['macro_run'] as ApiMacroRun;
  }

  async known(id: string): Promise<ApiMacroRun> {
    return (await this.call('GET', `/macro_runs/${id}`))['macro_run'] as ApiMacroRun;
  }

  async take(): Promise<TakenRun | null> {
    const { server, cookie } = this.person;
    const answer = await server.ask('/app/api/macro-runs/take', { method: 'POST', cookie });
    assert.equal(answer.status, 200);
    return takeAnswerSchema.parse(await answer.json()).run;
  }

  async tell(id: string, body: unknown): Promise<number> {
    const { server, cookie } = this.person;
    return (await server.ask(`/app/api/macro-runs/${id}/outcome`, { method: 'POST', cookie, body })).status;
  }
}

function suite(open: () => Promise<Database>): void {
  describe('macros that programs run', () => {
    let server: TestServer;
    let ann: Owner;
    let ben: Owner;
    before(async () => {
      server = await createTestServer({ open });
      ann = await Owner.come(server, 'ann@example.org');
      ben = await Owner.come(server, 'ben@example.org');
      await ann.set(programsRunMacros, true);
      await ben.set(programsRunMacros, true);
    });
    after(() => server.close());

    test('[MACRO-31] [MACRO-34] [MACRO-36] a run goes to a device with its tasks and values, and its outcome to the program', async () => {
      const macro = await ann.macro({ vars: [{ name: 'who', value: 'Ada', ask: true }] });
      const tasks = [await ann.task('One'), await ann.task('Two')];
      const run = await ann.start({
        macro_id: macro,
        task_ids: [...tasks, tasks[0]],
        variables: { who: 'Eve' },
      });
      assert.deepEqual([run.state, run.dry_run, run.macro_id], ['waiting', false, macro]);
      const taken = await ann.take();
      assert.deepEqual(taken, {
        id: run.id,
        macro,
        tasks,
        values: [['who', 'Eve']],
        isDry: false,
        program: 'Robot',
      });
      assert.equal((await ann.known(run.id)).state, 'running');
      const { db } = server.database;
      const stored = await db
        .selectFrom('macro_run')
        .selectAll()
        .where('id', '=', run.id as Id)
        .execute();
      assert.deepEqual(
        stored.map(({ content }) => content),
        [null],
      );
      assert.equal(await ann.tell(run.id, outcome({ message: 'Fine.' })), 200);
      const { state, message, changed_count: changed, created_count: created } = await ann.known(run.id);
      assert.deepEqual([state, message, changed, created], ['done', 'Fine.', 2, 1]);
      // What was said first counts.
      assert.equal(await ann.tell(run.id, outcome({ state: 'stopped' })), 200);
      assert.equal((await ann.known(run.id)).state, 'done');
      server.clock.pass(61 * MINUTE);
      assert.equal((await ann.call('GET', `/macro_runs/${run.id}`)).status, 404);
    });

    test('[MACRO-31] of many devices that ask at once one gets it', async () => {
      const run = await ann.start({ macro_id: await ann.macro() });
      const taken = await Promise.all(Array.from({ length: 8 }, () => ann.take()));
      assert.deepEqual(
        taken.flatMap((each) => each?.id ?? []),
        [run.id],
      );
      assert.equal(await ben.take(), null);
      assert.equal(await ben.tell(run.id, outcome()), 404);
    });

    test('[MACRO-32] the same request is the same run, and another with its id a conflict', async () => {
      const body = { id: newId(), macro_id: await ann.macro(), dry_run: true };
      assert.equal((await ann.start(body)).id, body.id);
      assert.equal((await ann.start(body)).id, body.id);
      assert.equal((await ann.take())?.id, body.id);
      assert.equal((await ann.start(body)).state, 'running');
      assert.equal(await ann.take(), null);
      assert.equal((await ann.call('POST', '/macro_runs', { ...body, dry_run: false })).status, 409);
      // Ids of others say nothing.
      const own = { ...body, macro_id: await ben.macro() };
      assert.equal((await ben.start(own)).state, 'waiting');
      assert.equal((await ben.take())?.macro, own.macro_id);
    });

    test('[MACRO-33] [MACRO-36] without a device a run is over after a minute, and a silent device is called lost', async () => {
      const macro = await ann.macro();
      const late = await ann.start({ macro_id: macro, task_ids: [await ann.task('Late')] });
      server.clock.pass(MINUTE);
      const known = await ann.known(late.id);
      assert.equal(known.state, 'expired');
      assert.match(known.message ?? '', /within a minute/);
      assert.equal(await ann.take(), null);
      const run = await ann.start({ macro_id: macro });
      const { db } = server.database;
      const stored = await db
        .selectFrom('macro_run')
        .selectAll()
        .where('id', '=', late.id as Id)
        .execute();
      assert.equal(stored[0]?.content, null);
      assert.equal((await ann.take())?.id, run.id);
      server.clock.pass(2 * MINUTE);
      assert.equal((await ann.known(run.id)).state, 'lost');
      assert.equal(await ann.take(), null);
      assert.equal(await ann.tell(run.id, outcome({ state: 'stopped', message: 'It slept.' })), 200);
      const { state, message } = await ann.known(run.id);
      assert.deepEqual([state, message], ['stopped', 'It slept.']);
    });

    test('[MACRO-30] [MACRO-43] the switch, the macro and the token have to permit it', async () => {
      const closed = await ann.macro({ name: 'Closed', links: false });
      const opened = await ann.macro({
        name: 'Open',
        vars: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2', ask: true },
        ],
      });
      const listed = async (owner: Owner) => {
        const { macros } = (await owner.call('GET', '/macros')) as unknown as {
          readonly macros: readonly { id: string }[];
        };
        return macros.filter(({ id }) => id === closed || id === opened);
      };
      const shown = (isOn: boolean) => [
        { id: closed, name: 'Closed', variables: [], can_run: false },
        { id: opened, name: 'Open', variables: [{ name: 'b', offered_value: '2' }], can_run: isOn },
      ];
      assert.deepEqual(await listed(ann), shown(true));
      assert.deepEqual(await listed(ben), []);
      const asked = { macro_id: opened, variables: { b: '' } };
      const status = async (owner: Owner, body: unknown) => {
        const { status: code, message } = await owner.call('POST', '/macro_runs', body);
        return [code, message];
      };
      assert.match(String((await status(ann, { macro_id: closed }))[1]), /may not run this macro/);
      assert.equal((await status(await ann.reading(), asked))[0], 403);
      await ann.set(programsRunMacros, false);
      assert.deepEqual(await listed(ann), shown(false));
      assert.match(String((await status(ann, asked))[1]), /Let programs run macros/);
      await ann.set(programsRunMacros, true);
      assert.equal((await status(ann, asked))[0], 202);
      assert.equal((await ann.take())?.macro, opened);
    });

    test('[MACRO-34] [MACRO-35] what is foreign, unknown, too large or no value is refused, and nothing waits then', async () => {
      const macro = await ann.macro({ vars: [{ name: 'who', value: '', ask: true }] });
      const variables = { who: 'Eve' };
      const foreign = { macro: await ben.macro(), task: await ben.task('Secret') };
      const many = Array.from({ length: 501 }, newId);
      const gone = await ann.task('Gone');
      await ann.person.act({ a: 'delete', id: gone });
      const cases: readonly (readonly [unknown, number, string?])[] = [
        [{ macro_id: foreign.macro, variables }, 404],
        [{ macro_id: newId(), variables }, 404],
        [{ macro_id: 'x', variables }, 422, 'macro_id'],
        [{ macro_id: macro, variables, task_ids: [foreign.task] }, 404, 'task_ids'],
        [{ macro_id: macro, variables, task_ids: [gone] }, 404, 'task_ids'],
        [{ macro_id: macro, variables, task_ids: many }, 422, 'task_ids'],
        [{ macro_id: macro, variables, task_ids: inboxId(ann.person.personalScope as Id) }, 422, 'task_ids'],
        [
          { macro_id: macro, variables, task_ids: [inboxId(ann.person.personalScope as Id)] },
          404,
          'task_ids',
        ],
        [{ macro_id: macro }, 422, 'variables.who'],
        [{ macro_id: macro, variables: { ...variables, more: '' } }, 422, 'variables.more'],
        [{ macro_id: macro, variables: { who: 'x'.repeat(1_001) } }, 422],
        [{ macro_id: macro, variables: { who: 7 } }, 422],
        [{ macro_id: macro, variables: { ...variables, 'a b': '' } }, 422],
        [`{"macro_id":"${macro}","variables":{"who":"Eve","__proto__":"x"}}`, 422],
        [`{"macro_id":"${macro}","variables":{"constructor":"x"}}`, 422],
        [{ macro_id: macro, variables, dry_run: 'no' }, 422, 'dry_run'],
        ['[]', 422],
        [{ macro_id: macro, variables: { who: 'x'.repeat(2_000_000) } }, 413],
      ];
      for (const [body, wanted, field] of cases) {
        const answer = await ann.call('POST', '/macro_runs', body);
        const about = JSON.stringify([body, answer]).slice(0, 300);
        assert.equal(answer.status, wanted, about);
        if (field !== undefined) assert.equal(answer['field'], field, about);
      }
      assert.equal(await ann.take(), null);
      // A macro of a newer version, or a damaged one, is none.
      const strange = [
        { v: 2 },
        { name: '' },
        { vars: [{ name: '__proto__x y', value: '' }] },
        { vars: 'x' },
      ];
      for (const content of strange)
        assert.equal(
          (await ann.call('POST', '/macro_runs', { macro_id: await ann.macro(content) })).status,
          404,
        );
    });

    test('[MACRO-31] what a device says has to have its form', async () => {
      const run = await ann.start({ macro_id: await ann.macro(), dry_run: true });
      assert.equal((await ann.take())?.isDry, true);
      const details = ['completed'];
      const change = { id: newId(), type: 'task', title: 'T', change: 'changed' as const, details };
      const wrong = [
        {},
        { ...outcome(), state: 'waiting' },
        { ...outcome(), changed: -1 },
        { ...outcome(), message: 'x'.repeat(501) },
        { ...outcome(), changes: Array.from({ length: 201 }, () => change) },
      ];
      for (const body of wrong)
        assert.equal(await ann.tell(run.id, body), 422, JSON.stringify(body).slice(0, 80));
      assert.equal(await ann.tell(newId(), outcome()), 404);
      assert.equal(await ann.tell(run.id, outcome({ changes: [change] })), 200);
      assert.deepEqual((await ann.known(run.id)).changes, [change]);
    });
  });
}

suite(() => openDatabase({ dataDir: ':memory:' }));

describe('PostgreSQL', () => {
  let instance: PostgresInstance | undefined;
  before(async () => {
    instance = await startPostgres();
  });
  after(() => instance?.stop());
  suite(async () => openDatabase({ url: await must(instance, 'started').createDatabase(), dataDir: '' }));
});

describe('what is kept of runs', () => {
  test('[MACRO-36] goes with housekeeping, too', async () => {
    const server = await createTestServer();
    const ann = await Owner.come(server, 'ann@example.org');
    await ann.set(programsRunMacros, true);
    const run = await ann.start({ macro_id: await ann.macro() });
    const { db } = server.database;
    const kept = async () => (await db.selectFrom('macro_run').select(['id', 'content']).execute())[0];
    server.clock.pass(MINUTE);
    await server.services.care.run();
    assert.deepEqual(await kept(), { id: run.id, content: null });
    server.clock.pass(60 * MINUTE);
    assert.equal((await server.services.care.run()).macroRuns, 1);
    assert.equal(await kept(), undefined);
    await server.close();
  });
});

describe('the limit of runs', () => {
  test('[MACRO-37] is ten in ten seconds', async () => {
    const server = await createTestServer({ environment: { RATE_LIMITS: 'default' } });
    const ann = await Owner.come(server, 'ann@example.org');
    await ann.set(programsRunMacros, true);
    const macro = await ann.macro();
    server.clock.pass(MINUTE);
    for (let count = 0; count < 10; count += 1) await ann.start({ macro_id: macro });
    assert.equal((await ann.call('POST', '/macro_runs', { macro_id: macro })).status, 429);
    server.clock.pass(10_000);
    await ann.start({ macro_id: macro });
    await server.close();
  });
});
