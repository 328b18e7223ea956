// A device that comes back: a queue of two weeks sent to the last verdict, and the time until it knows that there is
// nothing new. The engine of the app in Node, over the network of a real server process; the disk is memory.
import { setTimeout as pause } from 'node:timers/promises';
import { inboxId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { type Gate, print, say, table } from '../report.ts';
import { distributionOf } from '../statistics.ts';
import { taskTitle } from '../tasks.ts';
import { type BenchAccount, signUp } from './account.ts';
import { openConnection } from './http-connection.ts';
import { createWire, openDevice, type Wire } from './engine-device.ts';
import { startServerProcess } from './server-process.ts';

const QUEUE = 5_000;
const WANTED_DRAIN_MS = 5_000;
const WANTED_RETURN_MS = 200;

/** Of ten operations: four creations, three titles, one note, one completion, one move. */
function* work(engine: Engine, count: number): Generator<Action> {
  const { replica } = engine;
  const parent = inboxId(replica.scope);
  const made: Id[] = [];
  for (let at = 0; at < count; at += 1) {
    const known = made[(at * 7) % Math.max(1, made.length)];
    const last = made.at(-1);
    if (known === undefined || last === undefined || at % 10 < 4) {
      const id = replica.newId();
      made.push(id);
      yield { a: 'create', id, type: 'task', fields: { title: taskTitle(at) }, place: { parent, at: 'end' } };
    } else if (at % 10 === 8) yield { a: 'set', id: known, field: 'status', value: { done: Date.now() } };
    else if (at % 10 === 9 && known !== last) yield { a: 'place', id: known, place: { parent, after: last } };
    // No text replaces one that waits as well, so nothing is dropped as pointless.
    else
      yield {
        a: 'set',
        id: made[made.length - 1 - (at % 4)] ?? last,
        field: at % 10 === 7 ? 'notes' : 'title',
        value: `${taskTitle(at)} again`,
      };
  }
}

function synced(engine: Engine): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (engine.state.get().type !== 'synced') return;
      stop();
      resolve();
    };
    const stop = engine.state.subscribe(look);
    look();
  });
}

interface Drain {
  readonly ms: number;
  readonly pushes: number;
  readonly operations: number;
}

async function drain(engine: Engine, wire: Wire): Promise<Drain> {
  wire.cut();
  for (const action of work(engine, QUEUE)) engine.replica.issue([action]);
  await engine.flushed();
  const before = wire.sent();
  const startedAt = performance.now();
  wire.mend();
  engine.nudge();
  await synced(engine);
  const ms = performance.now() - startedAt;
  const after = wire.sent();
  return { ms, pushes: after.requests - before.requests, operations: after.operations - before.operations };
}

/** From a socket that begins to open to the answer that there is nothing new. */
async function comeBack(engine: Engine, wire: Wire): Promise<number> {
  wire.cut();
  await pause(50);
  const before = wire.sent().requests;
  const startedAt = performance.now();
  wire.mend();
  while (wire.sent().requests === before || engine.state.get().type !== 'synced') await pause(1);
  return performance.now() - startedAt;
}

export async function runReturnSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  say('return: a queue of two weeks');
  const server = await startServerProcess();
  const engines: Engine[] = [];
  try {
    const door = await openConnection(server.url);
    const drains: Drain[] = [];
    let account: BenchAccount | null = null;
    for (let run = 0; run < (quick ? 1 : 3); run += 1) {
      account = await signUp(door, `traveller-${run}`);
      const wire = createWire(server.url, account);
      const engine = await openDevice(account, wire);
      engines.push(engine);
      await synced(engine);
      drains.push(await drain(engine, wire));
    }
    door.close();
    say('return: nothing new');
    if (account === null) throw new Error('No device was opened.');
    const wire = createWire(server.url, account);
    const back = await openDevice(account, wire);
    engines.push(back);
    await synced(back);
    const times: number[] = [];
    for (let at = 0; at < (quick ? 10 : 40); at += 1) times.push(await comeBack(back, wire));
    const { p50, p95 } = distributionOf(times);
    print('## A device that comes back (loopback; the engine in Node, its disk in memory)');
    print(
      table(
        ['', 'ms', 'pushes', 'operations', 'operations/s'],
        drains.map(({ ms, pushes, operations }) => [
          `queue of ${QUEUE.toLocaleString('en')}`,
          ms,
          pushes,
          operations,
          Math.round(operations / (ms / 1_000)),
        ]),
      ),
    );
    print(table(['nothing new: p50 ms', 'p95 ms', 'times'], [[p50, p95, times.length]]));
    const slowest = Math.max(...drains.map(({ ms }) => ms));
    return [
      {
        name: 'queue of 5,000: slowest run',
        reached: slowest,
        bound: WANTED_DRAIN_MS,
        unit: 'ms',
        kind: 'at most',
      },
      {
        name: 'back with nothing new: p95',
        reached: p95,
        bound: WANTED_RETURN_MS,
        unit: 'ms',
        kind: 'at most',
      },
    ];
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
    await server.close();
  }
}
