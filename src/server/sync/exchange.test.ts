// The exchange by itself: what it answers when the database fails under it.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
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
  const store = new Proxy(database.store, {
    get(target, name: keyof Store) {
      if (name !== 'write') return target[name].bind(target);
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
  return { exchange, createOne, actor, scope, fault };
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
    assert.equal(newer.ok ? 'answered' : newer.code, 'too_new');
    const older = await createOne(protocolVersion + 1).sync(actor, push);
    assert.equal(older.ok ? 'answered' : older.code, 'too_old');
    const rightly = await exchange.sync(actor, push);
    assert.ok(rightly.ok);
    assert.deepEqual(rightly.response.results, [[1, 'ok']]);
  });

  it('shows a commit whose answer was lost to whoever asks next', async (context) => {
    const { exchange, actor, scope, fault } = await createBench(context);
    const device = newId();
    const first = await exchange.sync(actor, request({ device, ops: [operation(1, scope, inboxOf(scope))] }));
    assert.ok(first.ok);
    const version = first.response.changes[0]?.to ?? 0;
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
    assert.deepEqual(again.response.results, [[2, 'ok']]);
    assert.deepEqual(
      again.response.changes.flatMap(({ rows }) => rows.map(({ id }) => id)),
      [task['id']],
    );
  });

  it('shows what another process wrote, although it remembers what it wrote itself', async (context) => {
    const { exchange, createOne, actor, scope } = await createBench(context);
    const [device, id] = [newId(), newId()];
    const first = await exchange.sync(actor, request({ device, ops: [operation(1, scope, inboxOf(scope))] }));
    assert.ok(first.ok);
    const version = first.response.changes[0]?.to ?? 0;
    const create = { a: 'create', id, type: 'task', fields: {}, place: { parent: inboxId(scope) } };
    await createOne().sync(actor, request({ device: newId(), ops: [operation(1, scope, create)] }));
    const cursors = { [scope]: { generation: 'first', version } };
    const pulled = await exchange.sync(actor, request({ device, ops: [], cursors }));
    assert.ok(pulled.ok);
    assert.deepEqual(
      pulled.response.changes.flatMap(({ rows }) => rows.map((row) => row.id)),
      [id],
    );
  });
});
