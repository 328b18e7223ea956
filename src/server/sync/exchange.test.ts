// The exchange by itself: what it answers when the database fails under it.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { completionId, completionIds, createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import { features } from '#wire/features.ts';
import { protocolVersion } from '#wire/version.ts';
import type { SyncRequest } from '#wire/sync.ts';
import type { AccountActor } from '../access/authorise.ts';
import { openDatabase } from '../data/database.ts';
import type { Store } from '../data/store.ts';
import { createExchange } from './exchange.ts';

const newId = createIdSource({ now: () => 1_000, random: (bytes) => randomFillSync(bytes) });

/** An exchange whose database can be told to lose the answer of the next commit. */
async function createBench(context: TestContext) {
  const database = await openDatabase({ dataDir: ':memory:' });
  context.after(() => database.close());
  const scope = newId();
  await database.store.createScope({ id: scope, kind: 'personal', owner: 7 });
  const fault = { losesAnswers: 0 };
  const reads: string[] = [];
  const store = new Proxy(database.store, {
    get(target, name: keyof Store) {
      if (name !== 'write') {
        reads.push(name);
        return target[name].bind(target);
      }
      return async (work: Parameters<Store['write']>[0]) => {
        const result = await target.write(work);
        if (fault.losesAnswers === 0) return result;
        fault.losesAnswers -= 1;
        throw new Error('The connection ended during the commit.');
      };
    },
  });
  const generations = await database.store.openGeneration('first', 1);
  const createOne = (oldestProtocol = 1) =>
    createExchange({
      oldestProtocol,
      store,
      clock: { now: () => 1_000_000, monotonic: () => 0 },
      generations,
      publish: () => undefined,
      nextTurn: (work) => setImmediate(work),
    });
  const exchange = createOne();
  const actor: AccountActor = {
    type: 'account',
    account: 7,
    session: newId(),
    kind: 'web',
    personalScope: scope,
    roles: new Map([[scope, 'owner']]),
  };
  /** Somebody else with a scope of their own. */
  const newActor = async (account: number): Promise<AccountActor> => {
    const personalScope = newId();
    await database.store.createScope({ id: personalScope, kind: 'personal', owner: account });
    return { ...actor, account, session: newId(), personalScope, roles: new Map([[personalScope, 'owner']]) };
  };
  return { exchange, createOne, actor, newActor, scope, fault, store, reads };
}

interface Sent {
  readonly device: Id;
  readonly ops: readonly Record<string, unknown>[];
  readonly cursors?: SyncRequest['cursors'];
}

const request = ({ device, ops, cursors = {} }: Sent): SyncRequest => ({
  schema: protocolVersion,
  device,
  clientNow: 500,
  ops: [...ops],
  ack: 0,
  cursors,
});

const operation = (q: number, scope: Id, action: Record<string, unknown>): Record<string, unknown> => ({
  q,
  u: newId(),
  scope,
  t: 500,
  b: 0,
  ...action,
});

const inboxOf = (scope: Id): Record<string, unknown> => ({
  a: 'create',
  id: inboxId(scope),
  type: 'list',
  fields: { listType: 'inbox' },
  place: { parent: listsRoot(scope) },
});

describe('exchange', () => {
  it('refuses a protocol that it does not speak yet, or no longer, and changes nothing', async (context) => {
    const { exchange, createOne, actor, scope } = await createBench(context);
    const push = request({ device: newId(), ops: [operation(1, scope, inboxOf(scope))] });
    const newer = await exchange.sync(actor, { ...push, schema: protocolVersion + 1 });
    assert.equal(newer.ok ? 'answered' : newer.problem.code, 'too_new');
    const older = await createOne(protocolVersion + 1).sync(actor, push);
    assert.equal(older.ok ? 'answered' : older.problem.code, 'too_old');
    const rightly = await exchange.sync(actor, push);
    assert.ok(rightly.ok);
    assert.deepEqual(rightly.value.results, [[1, 'ok']]);
  });

  it('answers a push by what its commit left, and reads again only what another process may have written', async (context) => {
    const { exchange, actor, scope, store, reads } = await createBench(context);
    const device = newId();
    const first = await exchange.sync(actor, request({ device, ops: [operation(1, scope, inboxOf(scope))] }));
    assert.ok(first.ok);
    const [{ generation, to: version } = { generation: '', to: 0 }] = first.value.changes;
    const next = (q: number) => {
      const task = { a: 'create', id: newId(), type: 'task', place: { parent: inboxId(scope) } };
      const ops = [operation(q, scope, { ...task, fields: { title: `${q}` } })];
      return request({ device, ops, cursors: { [scope]: { generation, version } } });
    };
    reads.length = 0;
    const second = await exchange.sync(actor, next(2));
    assert.equal(reads.join(), '');
    assert.deepEqual(second.ok && second.value.changes.map(({ from, to }) => [from, to]), [[1, 2]]);
    await store.write(async (tx) => {
      const [head] = (await tx.lockScopes([scope])).values();
      const nothing = { scopeGenerations: [], tombstones: [], devices: [], results: [], forgetResults: [] };
      await tx.save({ ...nothing, scopes: [{ ...head!, version: 3 }], rows: [], history: [] });
    });
    reads.length = 0;
    const third = await exchange.sync(actor, next(3));
    assert.deepEqual(third.ok && third.value.changes.map(({ from, to }) => [from, to]), [[1, 4]]);
    assert.ok(reads.includes('changes'));
  });

  it('[SYNC-73] names what it can do beyond its protocol version in every answer', async (context) => {
    const { exchange, actor } = await createBench(context);
    const answer = await exchange.sync(actor, request({ device: newId(), ops: [] }));
    assert.deepEqual(answer.ok && answer.value.features, features);
  });

  it('[SYNC-74] tells a device that is older than a scope asks for to update, before judging anything', async (context) => {
    const { exchange, actor, newActor, scope, store } = await createBench(context);
    const device = newId();
    const push = request({ device, ops: [operation(1, scope, inboxOf(scope))] });
    const older = { ...push, schema: protocolVersion - 1 };
    const before = await exchange.sync(actor, { ...older, ops: [] });
    assert.ok(before.ok, 'it may read what asks for nothing');
    const shared = newId();
    await store.createScope({ id: shared, kind: 'list', owner: 7 });
    await store.write(async (tx) => {
      await tx.lockScopes([shared]);
      await tx.raiseMinSchema(shared, protocolVersion);
    });
    const roles = new Map([...actor.roles, [shared, 'member' as const]]);
    assert.ok((await exchange.sync(actor, { ...older, ops: [] })).ok, 'who may not read it is not asked');
    for (const _again of [1, 2]) {
      const refused = await exchange.sync({ ...actor, roles }, older);
      assert.equal(refused.ok ? 'answered' : refused.problem.code, 'too_old');
    }
    assert.ok((await exchange.sync(await newActor(8), { ...older, device: newId(), ops: [] })).ok);
    const updated = await exchange.sync({ ...actor, roles }, push);
    assert.deepEqual(updated.ok && updated.value.results, [[1, 'ok']]);
  });

  it('shows a commit whose answer was lost to whoever asks next', async (context) => {
    const { exchange, actor, scope, fault } = await createBench(context);
    const device = newId();
    const first = await exchange.sync(actor, request({ device, ops: [operation(1, scope, inboxOf(scope))] }));
    assert.ok(first.ok);
    const version = first.value.changes[0]?.to ?? 0;
    const task = operation(2, scope, {
      a: 'create',
      id: newId(),
      type: 'task',
      fields: { title: 'kept' },
      place: { parent: inboxId(scope) },
    });
    fault.losesAnswers = 1;
    const push = request({ device, ops: [task], cursors: { [scope]: { generation: 'first', version } } });
    await assert.rejects(exchange.sync(actor, push));
    const again = await exchange.sync(actor, push);
    assert.ok(again.ok);
    assert.deepEqual(again.value.results, [[2, 'ok']]);
    assert.deepEqual(
      again.value.changes.flatMap(({ rows }) => rows.map(({ id }) => id)),
      [task['id']],
    );
  });

  it('shows what another process wrote, although it remembers what it wrote itself', async (context) => {
    const { exchange, createOne, actor, scope } = await createBench(context);
    const [device, id] = [newId(), newId()];
    const first = await exchange.sync(actor, request({ device, ops: [operation(1, scope, inboxOf(scope))] }));
    assert.ok(first.ok);
    const version = first.value.changes[0]?.to ?? 0;
    const create = { a: 'create', id, type: 'task', fields: {}, place: { parent: inboxId(scope) } };
    await createOne().sync(actor, request({ device: newId(), ops: [operation(1, scope, create)] }));
    const cursors = { [scope]: { generation: 'first', version } };
    const pulled = await exchange.sync(actor, request({ device, ops: [], cursors }));
    assert.ok(pulled.ok);
    assert.deepEqual(
      pulled.value.changes.flatMap(({ rows }) => rows.map((row) => row.id)),
      [id],
    );
  });

  const taskOf = (scope: Id, id: Id, fields: Record<string, unknown>) => ({
    a: 'create',
    id,
    type: 'task',
    fields,
    place: { parent: inboxId(scope) },
  });
  const daily = {
    value: 1,
    unit: 'days',
    metadata: null,
    from: 'due date',
    missed: 'every',
    anchorDay: null,
  };
  const completion = (id: Id) => ({
    a: 'complete',
    id,
    occ: 0,
    at: 5,
    next: { due: { on: '2026-06-02' }, start: null },
  });

  it('[SYNC-9] leaves the record of a completion also where another account has taken its id', async (context) => {
    const { exchange, actor, scope, newActor } = await createBench(context);
    const [task, other] = [newId(), await newActor(8)];
    const series = taskOf(scope, task, { repeat: daily, due: { on: '2026-06-01' } });
    const ops = [inboxOf(scope), series].map((action, at) => operation(at + 1, scope, action));
    const device = newId();
    await exchange.sync(actor, request({ device, ops }));
    // Somebody who knows the task's id: a record of it is refused, another thing with the record's id is their own.
    const theirs = other.personalScope;
    const record = { a: 'create', id: completionId(task, 0), type: 'completion' };
    const squatting = [
      inboxOf(theirs),
      { ...record, fields: { task, occ: 0, at: 1, title: '' } },
      taskOf(theirs, completionId(task, 0), { title: 'taken' }),
    ].map((action, at) => operation(at + 1, theirs, action));
    const taken = await exchange.sync(other, request({ device: newId(), ops: squatting }));
    assert.ok(taken.ok);
    assert.deepEqual(
      taken.value.results.map(([, verdict]) => verdict),
      ['ok', 'badparent', 'ok'],
    );
    const push = request({ device, ops: [operation(3, scope, completion(task))] });
    const done = await exchange.sync(actor, push);
    assert.ok(done.ok);
    assert.deepEqual(done.value.results, [[3, 'ok']]);
    const rows = done.value.changes.flatMap((change) => change.rows);
    const records = rows.filter(({ type }) => type === 'completion');
    assert.deepEqual(
      records.map(({ id, f }) => [id, f['task'], f['occ']]),
      [[completionIds(scope, task, 0)[1], task, 0]],
    );
    const [, , spare] = completionIds(scope, task, 0);
    const again = operation(4, scope, { ...record, id: spare, fields: { task, occ: 1, at: 1, title: '' } });
    const invalid = await exchange.sync(actor, request({ device, ops: [again] }));
    assert.deepEqual(invalid.ok && invalid.value.results, [[4, 'invalid']]);
  });

  it('[SYNC-2] takes an edit for as old as it was when its request began to arrive', async (context) => {
    const { exchange, actor, scope } = await createBench(context);
    const [device, other, task] = [newId(), newId(), newId()];
    const made = [inboxOf(scope), taskOf(scope, task, {})];
    const ops = made.map((action, at) => ({ ...operation(at + 1, scope, action), t: -100_000 }));
    await exchange.sync(actor, request({ device, ops }));
    const title = (value: string) => ({ a: 'set', id: task, field: 'title', value });
    // Written a second before its request, which took 25 seconds to arrive; meanwhile somebody wrote five seconds ago.
    const late = request({ device, ops: [{ ...operation(3, scope, title('slow')), t: -500 }] });
    const early = request({ device: other, ops: [{ ...operation(1, scope, title('later')), t: -4_500 }] });
    await exchange.sync(actor, early);
    const answer = await exchange.sync(actor, late, 25_000);
    assert.deepEqual(answer.ok && answer.value.results, [[3, 'superseded']]);
  });

  for (const [name, sentAgo, verdict] of [
    ['as it was when its request was sent', 25_000, 'superseded'],
    ['as it was at the arrival, if the device is that wrong about the time', 12 * 3_600_000, 'ok'],
    ['as it was at the arrival, if it was sent later by the device’s clock', -25_000, 'ok'],
  ] as const)
    it(`[SYNC-2] takes an edit for as old ${name}`, async (context) => {
      const { exchange, actor, scope } = await createBench(context);
      const [device, other, task] = [newId(), newId(), newId()];
      const made = [inboxOf(scope), taskOf(scope, task, {})];
      const ops = made.map((action, at) => ({ ...operation(at + 1, scope, action), t: -100_000 }));
      const started = await exchange.sync(actor, request({ device, ops }));
      assert.ok(started.ok);
      const title = (value: string) => ({ a: 'set', id: task, field: 'title', value });
      const later = request({ device: other, ops: [{ ...operation(1, scope, title('later')), t: -4_500 }] });
      await exchange.sync(actor, later);
      // Written half a second before it was sent; the way to the server's door took `sentAgo`.
      const slow = request({ device, ops: [{ ...operation(3, scope, title('slow')), t: -500 }] });
      const sentAt = started.value.serverNow - sentAgo;
      const answer = await exchange.sync(actor, { ...slow, sentAt });
      assert.deepEqual(answer.ok && answer.value.results, [[3, verdict]]);
    });

  it('[SYNC-1] believes nobody to have seen what is still to come', async (context) => {
    const { exchange, actor, scope } = await createBench(context);
    const [device, other, task] = [newId(), newId(), newId()];
    const made = [inboxOf(scope), taskOf(scope, task, {})];
    const ops = made.map((action, at) => ({ ...operation(at + 1, scope, action), t: -100_000 }));
    await exchange.sync(actor, request({ device, ops }));
    const title = (value: string) => ({ a: 'set', id: task, field: 'title', value });
    const push = request({ device: other, ops: [operation(1, scope, title('present'))] });
    await exchange.sync(actor, push);
    // An older edit by somebody who says to have seen version 900.
    const old = { ...operation(3, scope, title('old')), t: -9_000, b: 900 };
    const answer = await exchange.sync(actor, request({ device, ops: [old] }));
    assert.deepEqual(answer.ok && answer.value.results, [[3, 'superseded']]);
  });
});
