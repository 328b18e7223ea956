// Histories of devices at several servers while these are killed, stand still and lose their database: what was acknowledged is there once, no
// device sees a list go back, and in the end all of them show the same. The checker knows nothing of how the servers do it.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { createIdSource, inboxId, type Id } from '#core/ids.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import type { Action } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { SeededRandom } from '../../simulator/random.ts';
import { signUp, type SignedUp } from '../server-child.ts';
import type { Cluster } from './cluster.ts';
import { createWire, openEngine } from './devices.ts';

const DEVICES = 3;
const STEPS = 12;
const LATE_MS = 60_000;
/** How often it is looked whether all is said; a device that is asked to hurry more often only keeps the servers busy. */
const LOOK_MS = 250;

const newId = createIdSource({
  now: () => Date.now(),
  random: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  },
});

export interface HistoriesOptions {
  readonly seed: number;
  readonly histories: number;
  /** As many at once, each of an account of its own. */
  readonly atOnce: number;
  /** The longest that a server stands still. */
  readonly standsMs: number;
}

export interface HistoriesReport {
  readonly acknowledged: number;
  readonly histories: number;
}

/** Somebody new. A try that failed may have made them all the same: the next one has another name. */
async function person(cluster: Cluster, name: string): Promise<SignedUp> {
  const late = performance.now() + LATE_MS;
  for (let tries = 0; ; tries += 1) {
    const [address] = cluster.addresses;
    try {
      if (address !== undefined) return await signUp(address, `${name}-${tries}@example.org`);
    } catch (error) {
      if (performance.now() > late) throw error;
    }
    await delay(100);
  }
}

const tasksOf = (engine: Engine) =>
  [...engine.replica.all()].flatMap((row) =>
    row.type === 'task'
      ? [{ id: row.id, title: row.fields.title, status: row.fields.status, place: placeOf(row) }]
      : [],
  );

function act(engine: Engine, random: SeededRandom, turn: number): void {
  const parent = inboxId(engine.replica.scope);
  const tasks = tasksOf(engine);
  const known = tasks.length > 0 && random.chance(0.6) ? random.pick(tasks).id : null;
  const other = tasks.length > 0 ? random.pick(tasks).id : null;
  const actions: Record<string, () => Action> = {
    create: () => ({
      a: 'create',
      id: newId(),
      type: 'task',
      fields: { title: `Task ${turn}` },
      place: { parent, at: 'end' },
    }),
    title: () => ({ a: 'set', id: known as Id, field: 'title', value: `Title ${turn}` }),
    done: () => ({ a: 'set', id: known as Id, field: 'status', value: { done: Date.now() } }),
    move: () => ({ a: 'place', id: known as Id, place: { parent, after: other as Id } }),
  };
  const kind =
    known === null ? 'create' : other === known ? 'title' : random.pick(['title', 'done', 'move'] as const);
  engine.replica.issue([(actions[kind] ?? (() => assert.fail()))()]);
}

/** Until what each has is at the servers, and what they have is at each. */
async function settle(engines: readonly Engine[]): Promise<void> {
  const late = performance.now() + LATE_MS;
  const said = () =>
    engines.map((engine) => JSON.stringify(tasksOf(engine).toSorted((a, b) => (a.id < b.id ? -1 : 1))));
  for (let same = 0; same < 2;) {
    assert.ok(
      performance.now() < late,
      `not the same on all devices: ${engines.map((each) => JSON.stringify(each.state.get())).join(' ')}`,
    );
    await delay(LOOK_MS);
    for (const engine of engines) if (engine.state.get().type !== 'synced') engine.nudge();
    const isSent = engines.every((engine) => engine.state.get().type === 'synced');
    same = isSent && new Set(said()).size === 1 ? same + 1 : 0;
  }
}

/** One account's devices, while whatever happens to the servers happens. Resolves with how many operations were acknowledged. */
async function live(cluster: Cluster, name: string, random: SeededRandom): Promise<number> {
  const account = await person(cluster, name);
  const wires = Array.from({ length: DEVICES }, () =>
    createWire(() => cluster.addresses, account, random.fork()),
  );
  const engines: Engine[] = [];
  try {
    for (const { transport } of wires) engines.push(await openEngine(account, transport));
    const [first] = engines;
    assert.ok(first);
    const { scope } = account;
    // The Inbox is there.
    await settle([first]);
    for (let turn = 0; turn < STEPS; turn += 1) {
      act(random.pick(engines), random, turn);
      await delay(random.between(0, 60));
    }
    await settle(engines);
    const late = await openEngine(
      account,
      createWire(() => cluster.addresses, account, random.fork()).transport,
    );
    engines.push(late);
    await settle(engines);
    const taken = await cluster.taken(scope);
    for (const [u, times] of taken)
      assert.equal(times, 1, `operation ${u} stands in the history ${times} times`);
    let count = 0;
    for (const { seen } of wires) {
      assert.deepEqual(seen.problems, []);
      assert.equal(seen.rollbacks, 0);
      for (const u of seen.acknowledged)
        assert.ok(taken.has(u), `operation ${u} was acknowledged and is lost`);
      count += seen.acknowledged.size;
    }
    return count;
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
}

async function disturb(cluster: Cluster, random: SeededRandom, standsMs: number): Promise<void> {
  const place = random.below(3);
  const draw = random.below(10);
  if (draw < 4) await cluster.kill(place);
  else if (draw < 6) await cluster.stop(place, random.between(200, standsMs));
  else if (draw < 9) await cluster.cut(random.pick([0.2, 0.5, 1]));
  else await cluster.crash();
}

/** Lives through so many histories; rejects with the first that breaks a rule, and its seed. */
export async function runHistories(
  cluster: Cluster,
  { seed, histories, atOnce, standsMs }: HistoriesOptions,
): Promise<HistoriesReport> {
  let acknowledged = 0;
  let isOver = false;
  const random = new SeededRandom(seed);
  const disturbing = (async () => {
    while (!isOver) {
      await delay(random.between(100, 900));
      await disturb(cluster, random, standsMs);
    }
  })();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let history = next++; history < histories; history = next++) {
      try {
        const count = await live(
          cluster,
          `person-${seed}-${history}`,
          new SeededRandom(seed * 100_000 + history),
        );
        acknowledged += count;
      } catch (error) {
        const what = error instanceof Error ? error.message : String(error);
        throw new Error(`history ${history} of seed ${seed}: ${what}`, { cause: error });
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    isOver = true;
    await disturbing;
  }
  await cluster.settled(LATE_MS);
  return { acknowledged, histories };
}
