// Histories of devices at several servers while these are killed, stand still, lose their links and their database: what was acknowledged is
// there once, no device sees anything go back, and in the end all of them show the same. The checker knows nothing of how the servers do it.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { createIdSource, inboxId, type Id } from '#core/ids.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import type { Action } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { SeededRandom } from '../../simulator/random.ts';
import { signUp, type SignedUp } from '../server-child.ts';
import { type Cluster, linkNames } from './cluster.ts';
import { createWire, openEngine } from './devices.ts';
import { type SeenTask, Witness } from './witness.ts';

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

/** What happens to the servers while the devices work. */
export const troubles = [
  'kill',
  'stop',
  'cut',
  'crash',
  'link',
  'failover',
  'silent failover',
  'synchronous failover',
] as const;
export type Trouble = (typeof troubles)[number];

/** How often each comes where nothing else is asked for. */
const USUAL: readonly Trouble[] = [
  ...Array.from({ length: 4 }, () => 'kill' as const),
  'stop',
  'stop',
  'cut',
  'cut',
  'cut',
  'crash',
];

export interface HistoriesOptions {
  /** Drawn from, one after the other. */
  readonly wheel?: readonly Trouble[];
  /** After so many of them it is quiet. */
  readonly most?: number;
  /** How long an answer may take before a device asks again; as long as in the app, where nothing is said. */
  readonly patienceMs?: number;
  readonly seed: number;
  readonly histories: number;
  /** As many at once, each of an account of its own. */
  readonly atOnce: number;
  /** The longest that a server stands still. */
  readonly standsMs: number;
  /** How long a link is in trouble. */
  readonly linkMs?: number;
}

export interface HistoriesReport {
  readonly acknowledged: number;
  readonly histories: number;
}

/** Somebody new. A try that failed may have made them all the same: the next one has another name. */
export async function person(cluster: Cluster, name: string): Promise<SignedUp> {
  const late = performance.now() + LATE_MS;
  for (let tries = 0; ; tries += 1) {
    const [address] = cluster.addresses;
    try {
      if (address !== undefined) {
        const someone = await signUp(address, `${name}-${tries}@example.org`);
        // An account goes with a database that is lost before it was followed: nobody could bring it back.
        if (await cluster.isFollowed()) return someone;
      }
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

/** The tasks that a device shows. */
export const shownBy = (engine: Engine): readonly SeenTask[] =>
  tasksOf(engine).map(({ id, title, status }) => ({ id, title, isDone: (status ?? null) !== null }));

/** What one history is made of. */
export interface Story {
  readonly witness: Witness;
  readonly made: Set<Id>;
  readonly problems: string[];
}

/** One device does something. */
export function act(engine: Engine, random: SeededRandom, turn: number, { witness, made }: Story): void {
  const parent = inboxId(engine.replica.scope);
  const tasks = tasksOf(engine);
  const task = tasks.length > 0 && random.chance(0.6) ? random.pick(tasks) : null;
  const known = task?.id ?? null;
  const other = tasks.length > 0 ? random.pick(tasks).id : null;
  const title = `${known === null ? 'Task' : 'Title'} ${turn}`;
  const actions: Record<string, () => Action> = {
    create: () => {
      const id = newId();
      made.add(id);
      witness.writes(title, null);
      return { a: 'create', id, type: 'task', fields: { title }, place: { parent, at: 'end' } };
    },
    title: () => {
      witness.writes(title, String(task?.title));
      return { a: 'set', id: known as Id, field: 'title', value: title };
    },
    done: () => ({ a: 'set', id: known as Id, field: 'status', value: { done: Date.now() } }),
    move: () => ({ a: 'place', id: known as Id, place: { parent, after: other as Id } }),
  };
  const kind =
    known === null ? 'create' : other === known ? 'title' : random.pick(['title', 'done', 'move'] as const);
  engine.replica.issue([(actions[kind] ?? (() => assert.fail()))()]);
}

/** Until what each has is at the servers, and what they have is at each. */
export async function settle(engines: readonly Engine[], { witness, problems }: Story): Promise<void> {
  const late = performance.now() + LATE_MS;
  const said = () =>
    engines.map((engine) => JSON.stringify(tasksOf(engine).toSorted((a, b) => (a.id < b.id ? -1 : 1))));
  for (let same = 0; same < 2;) {
    assert.ok(
      performance.now() < late,
      `not the same on all devices: ${engines.map((each) => JSON.stringify(each.state.get())).join(' ')}`,
    );
    await delay(LOOK_MS);
    for (const [at, engine] of engines.entries())
      problems.push(...witness.shows(`device ${at}`, shownBy(engine)));
    for (const engine of engines) if (engine.state.get().type !== 'synced') engine.nudge();
    const isSent = engines.every((engine) => engine.state.get().type === 'synced');
    same = isSent && new Set(said()).size === 1 ? same + 1 : 0;
  }
}

/** What contradicts what the devices were told and did. */
export function judge(
  { witness, made, problems }: Story,
  ends: ReadonlyMap<string, readonly SeenTask[]>,
): readonly string[] {
  const wrong = [...ends].flatMap(([who, tasks]) =>
    [...witness.missing(tasks), ...witness.surplus(tasks, made)].map((what) => `${who}: ${what}`),
  );
  return [...problems, ...wrong];
}

/** One account's devices, while whatever happens to the servers happens. Resolves with how many operations were acknowledged. */
async function live(
  cluster: Cluster,
  {
    name,
    random,
    patienceMs,
  }: { readonly name: string; readonly random: SeededRandom; readonly patienceMs?: number },
): Promise<number> {
  const account = await person(cluster, name);
  const { failover, lost } = cluster.counts;
  const wireOf = () =>
    createWire(() => cluster.addresses, account, {
      random: random.fork(),
      ...(patienceMs === undefined ? {} : { patienceMs }),
    });
  const wires = Array.from({ length: DEVICES }, wireOf);
  const engines: Engine[] = [];
  const story: Story = { witness: new Witness(), made: new Set(), problems: [] };
  try {
    for (const { transport } of wires) engines.push(await openEngine(account, transport));
    const [first] = engines;
    assert.ok(first);
    const { scope } = account;
    // The Inbox is there.
    await settle([first], story);
    for (let turn = 0; turn < STEPS; turn += 1) {
      act(random.pick(engines), random, turn, story);
      await delay(random.between(0, 60));
    }
    await settle(engines, story);
    engines.push(await openEngine(account, wireOf().transport));
    await settle(engines, story);
    const ends = new Map<string, readonly SeenTask[]>(
      engines.map((engine, at) => [`device ${at}`, shownBy(engine)]),
    );
    ends.set('the database', await cluster.tasks(scope));
    for (const { seen } of wires)
      for (const operation of seen.acknowledged.values()) story.witness.acknowledges(operation);
    assert.deepEqual(judge(story, ends), []);
    const taken = await cluster.taken(scope);
    for (const [u, times] of taken)
      assert.equal(times, 1, `operation ${u} stands in the history ${times} times`);
    // What a lost database had taken stands in no history any more: devices brought back what it was about.
    const isWhole = cluster.counts.lost === lost;
    let count = 0;
    for (const { seen } of wires) {
      assert.deepEqual(seen.problems, []);
      assert.ok(seen.rollbacks <= cluster.counts.failover - failover, `${seen.rollbacks} rollbacks`);
      for (const u of seen.acknowledged.keys())
        assert.ok(!isWhole || taken.has(u), `operation ${u} was acknowledged and is lost`);
      count += seen.acknowledged.size;
    }
    return count;
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
}

async function disturb(
  cluster: Cluster,
  random: SeededRandom,
  { wheel = USUAL, standsMs, linkMs = standsMs }: HistoriesOptions,
): Promise<void> {
  const place = random.below(3);
  // Databases do not fail over one after the other, before their servers are back.
  const failOver = async (
    following: 'asynchronous' | 'synchronous',
    connections: 'cut' | 'silent' = 'cut',
  ) => {
    await cluster.failOver(random.between(100, 600), following, connections);
    await cluster.settled(LATE_MS);
    await delay(random.between(0, 2_000));
  };
  const ways: Readonly<Record<Trouble, () => Promise<void>>> = {
    kill: () => cluster.kill(place),
    stop: () => cluster.stop(place, random.between(200, standsMs)),
    cut: () => cluster.cut(random.pick([0.2, 0.5, 1])),
    crash: () => cluster.crash(),
    link: () =>
      cluster.trouble(
        place,
        random.pick(linkNames),
        random.pick(['cut', 'silent', 'slow'] as const),
        random.between(200, linkMs),
      ),
    failover: () => failOver('asynchronous'),
    'silent failover': () => failOver('asynchronous', 'silent'),
    'synchronous failover': () => failOver('synchronous'),
  };
  await ways[random.pick(wheel)]();
}

/** Lives through so many histories; rejects with the first that breaks a rule, and its seed. */
export async function runHistories(cluster: Cluster, options: HistoriesOptions): Promise<HistoriesReport> {
  const { seed, histories, atOnce, patienceMs, most = Infinity } = options;
  let acknowledged = 0;
  let isOver = false;
  const random = new SeededRandom(seed);
  const disturbing = (async () => {
    for (let count = 0; !isOver && count < most; count += 1) {
      await delay(random.between(100, 900));
      await disturb(cluster, random, options);
    }
  })();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let history = next++; history < histories; history = next++) {
      try {
        const count = await live(cluster, {
          name: `person-${seed}-${history}`,
          random: new SeededRandom(seed * 100_000 + history),
          ...(patienceMs === undefined ? {} : { patienceMs }),
        });
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

/** Histories over servers of which all but one are of an earlier program, and then over all of them as they are replaced. */
export async function runMixed(cluster: Cluster, options: HistoriesOptions): Promise<HistoriesReport> {
  const [, ...others] = cluster.addresses.keys();
  await cluster.replace(0);
  const half = { ...options, histories: Math.ceil(options.histories / 2) };
  const { acknowledged } = await runHistories(cluster, half);
  const replacing = (async () => {
    for (const place of others) await cluster.replace(place);
  })();
  // Nothing else happens meanwhile: what is killed comes back as what it was.
  const [, later] = await Promise.all([
    replacing,
    runHistories(cluster, { ...half, seed: options.seed + 1, most: 0 }),
  ]);
  return { acknowledged: acknowledged + later.acknowledged, histories: 2 * half.histories };
}
