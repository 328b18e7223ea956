// The thin path through production code: two devices of one account, the server's write path and its database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerChecks } from '#wire/registers.ts';
import { createIdSource, inboxId, listsRoot, parseId, type Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { idsAbove } from '#sync/rows/ancestors.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import type { Clock, DeviceStorage, Random, Timers, Transport } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { partFromWire } from '#sync/rows/codec.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { openDatabase } from '#server/data/database.ts';
import { createExchange, type Exchange } from '#server/sync/exchange.ts';
import { fieldOf } from '#sync/rows/row.ts';

const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
const random: Random = {
  fill: (bytes) => {
    bytes.set(crypto.getRandomValues(new Uint8Array(bytes.length)));
  },
  fraction: () => 0.5,
};
const timers: Timers = {
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};
const newId = createIdSource({ now: () => Date.now(), random: (bytes) => random.fill(bytes) });

function transportOf(
  exchange: Exchange,
  actor: AccountActor,
  listeners: Set<(scope: Id, version: number) => void>,
): Transport {
  return {
    async sync(request) {
      const answer = await exchange.sync(actor, structuredClone(request));
      return answer.ok
        ? { ok: true, value: structuredClone(answer.value) }
        : {
            ok: false,
            problem: { type: 'refused', code: answer.problem.code, message: answer.problem.message },
          };
    },
    async snapshot(scope, place) {
      const answer = await exchange.part(actor, scope, place);
      if (!answer.ok)
        return {
          ok: false,
          problem: { type: 'refused', code: answer.problem.code, message: answer.problem.message },
        };
      return { ok: true, value: partFromWire(answer.value) };
    },
    listen(on) {
      const poke = (scope: Id, version: number): void => on.poke(scope, version);
      listeners.add(poke);
      on.open();
      return () => listeners.delete(poke);
    },
  };
}

interface World {
  readonly scope: Id;
  device(storage?: DeviceStorage): Promise<Engine>;
  close(): Promise<void>;
}

async function createWorld(): Promise<World> {
  const database = await openDatabase({ dataDir: ':memory:' });
  const scope = newId();
  await database.store.createScope({ id: scope, kind: 'personal', owner: 7 });
  const generations = await database.store.openGeneration('first', 1);
  const listeners = new Set<(scope: Id, version: number) => void>();
  const exchange = createExchange({
    store: database.store,
    clock,
    generations,
    publish: (change) => {
      for (const poke of listeners) poke(change.scope, change.to);
    },
    nextTurn: (work) => setImmediate(work),
  });
  const actor: AccountActor = {
    type: 'account',
    account: 7,
    session: must(parseId('018f0000-0000-7000-8000-000000000001'), 'an id'),
    kind: 'web',
    personalScope: scope,
    roles: new Map([[scope, 'owner']]),
  };
  const engines: Engine[] = [];
  return {
    scope,
    async device(storage = createMemoryStorage()) {
      const transport = transportOf(exchange, actor, listeners);
      const engine = createEngine(
        { storage, transport, clock, timers, random, checks: registerChecks },
        { scope, account: 7 },
      );
      engines.push(engine);
      await engine.open();
      await engine.loaded();
      return engine;
    },
    async close() {
      await Promise.all(engines.map((engine) => engine.close()));
      await exchange.idle();
      await database.close();
    },
  };
}

function settled(engine: Engine): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (engine.state.get().type !== 'synced') return;
      stop();
      resolve();
    };
    const stop = engine.state.subscribe(check);
    queueMicrotask(check);
  });
}

function seen(engine: Engine, wanted: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = engine.replica.subscribe(() => {
      if (!wanted()) return;
      stop();
      resolve();
    });
    if (wanted()) {
      stop();
      resolve();
    }
  });
}

function titles(engine: Engine, parent: Id): string[] {
  return engine.replica.children(parent).map((row) => fieldOf(row, 'title') ?? '');
}

function addTask(engine: Engine, title: string, place: { parent: Id; after?: Id }): Id {
  const id = engine.replica.newId();
  const issued = engine.replica.issue([{ a: 'create', id, type: 'task', fields: { title }, place }]);
  assert.deepEqual(issued.verdicts, ['ok']);
  return id;
}

describe('replication', () => {
  it('shows on the second device what the first one does, in its order', async () => {
    const world = await createWorld();
    const first = await world.device();
    const second = await world.device();
    const inbox = inboxId(world.scope);
    const a = addTask(first, 'a', { parent: inbox });
    const c = addTask(first, 'c', { parent: inbox, after: a });
    addTask(first, 'b', { parent: inbox, after: a });
    first.replica.issue([{ a: 'complete', id: c, occ: 0, at: 5, next: null }]);
    await settled(first);
    await seen(second, () => fieldOf(second.replica.row(c), 'status') !== undefined);
    // Into gaps that are stored already: between, before and after.
    addTask(second, 'a2', { parent: inbox, after: a });
    await settled(second);
    addTask(second, 'd', { parent: inbox });
    await settled(second);
    assert.deepEqual(titles(second, inbox), ['a', 'a2', 'b', 'c', 'd']);
    assert.deepEqual(fieldOf(second.replica.row(c), 'status'), { done: 5 });
    await world.close();
  });

  it('takes back a move, a title and a creation by their inverses', async () => {
    const world = await createWorld();
    const engine = await world.device();
    const inbox = inboxId(world.scope);
    const a = addTask(engine, 'a', { parent: inbox });
    const b = addTask(engine, 'b', { parent: inbox, after: a });
    const moved = engine.replica.issue([{ a: 'place', id: a, place: { parent: b } }]);
    const named = engine.replica.issue([{ a: 'set', id: b, field: 'title', value: 'B' }]);
    assert.deepEqual(titles(engine, inbox), ['B']);
    await settled(engine);
    engine.replica.issue(named.inverses);
    engine.replica.issue(moved.inverses);
    assert.deepEqual(titles(engine, inbox), ['a', 'b']);
    await settled(engine);
    assert.deepEqual(titles(engine, inbox), ['a', 'b']);
    await world.close();
  });

  it('keeps what two devices did while one of them was away, and refuses a cycle', async () => {
    const world = await createWorld();
    const first = await world.device();
    const second = await world.device();
    const inbox = inboxId(world.scope);
    const a = addTask(first, 'a', { parent: inbox });
    const b = addTask(first, 'b', { parent: inbox, after: a });
    await seen(second, () => second.replica.row(b) !== undefined);
    // Both in the same turn: neither has seen the other.
    first.replica.issue([{ a: 'place', id: a, place: { parent: b } }]);
    second.replica.issue([{ a: 'place', id: b, place: { parent: a } }]);
    await Promise.all([settled(first), settled(second)]);
    const places = (engine: Engine): unknown[] =>
      [a, b].map((id) => fieldOf(engine.replica.row(id), 'place'));
    await seen(first, () => JSON.stringify(places(first)) === JSON.stringify(places(second)));
    const tops = titles(first, inbox);
    assert.equal(tops.length, 1, 'one of the two moves stands, the other made a cycle');
    await world.close();
  });

  it('[SYNC-32] a device that was away while two tasks changed places, 2,100 others between, is never shown a circle', async () => {
    const world = await createWorld();
    const first = await world.device();
    const contents = new MemoryContents();
    const inbox = inboxId(world.scope);
    const p = addTask(first, 'P', { parent: inbox });
    const q = addTask(first, 'Q', { parent: p });
    await settled(first);
    const before = await world.device(createMemoryStorage(contents));
    await seen(before, () => before.replica.row(q) !== undefined);
    await settled(before);
    await before.close();
    first.replica.issue([{ a: 'place', id: q, place: { parent: inbox } }]);
    first.replica.issue([{ a: 'place', id: p, place: { parent: q } }]);
    for (let made = 0; made < 2_100; made += 1) addTask(first, `task ${made}`, { parent: inbox });
    // Its row is the newest of all: where it stands now comes with the last page.
    first.replica.issue([{ a: 'set', id: q, field: 'title', value: 'Q again' }]);
    await settled(first);
    const back = await world.device(createMemoryStorage(contents));
    const shown: (readonly Id[])[] = [];
    back.replica.subscribe(() => {
      const above = [...idsAbove(p, (id) => back.replica.row(id))];
      assert.equal(new Set(above).size, above.length);
      shown.push(above);
      // Work goes on between the pages, beneath what moved.
      if (shown.length < 4) queueMicrotask(() => addTask(back, 'added', { parent: p }));
    });
    await seen(back, () => fieldOf(back.replica.row(q), 'title') === 'Q again');
    await settled(back);
    assert.deepEqual(shown.at(-1), [q, inbox, listsRoot(world.scope)]);
    assert.deepEqual(titles(back, p), ['added', 'added', 'added']);
    await world.close();
  });
});
