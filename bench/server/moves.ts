// A tree of ten thousand tasks moves to another scope: how long all of it takes, how long somebody else's writes wait meanwhile, and
// for how long it holds up a device that sees it, as it happens and afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createIdSource, inboxId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { protocolVersion } from '#wire/version.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { type Gate, print, say, table } from '../report.ts';
import { distributionOf, median, percentile } from '../statistics.ts';
import type { BenchAccount } from './account.ts';
import { createWire, openDevice, random } from './engine-device.ts';
import { type HttpConnection, openConnection } from './http-connection.ts';
import { prepareTree, type PreparedTree } from './prepared.ts';
import { startProgram } from './server-process.ts';

const TASKS = 10_000;
const WANTED_MS = 3_000;
const WANTED_WRITE_MS = 50;
const WANTED_TASK_MS = 16;
/** Between two writes of somebody else. */
const WRITE_EVERY_MS = 10;
const LATE_MS = 60_000;

const newId = createIdSource({ now: () => Date.now(), random: (bytes) => random.fill(bytes) });

/** Something that writes and reads without keeping anything. */
export class Writer {
  readonly #connection: HttpConnection;
  readonly #account: BenchAccount;
  readonly #device = newId();
  #seq = 0;
  #cursors: Readonly<Record<string, { readonly generation: string; readonly version: number }>> = {};

  constructor(connection: HttpConnection, account: BenchAccount) {
    this.#connection = connection;
    this.#account = account;
  }

  async send(...actions: readonly Action[]): Promise<SyncResponse> {
    const { scope, cookie } = this.#account;
    const [now, ack] = [Date.now(), this.#seq];
    const ops = actions.map((action) => {
      this.#seq += 1;
      return { ...action, q: this.#seq, u: newId(), scope, t: now, b: 0 };
    });
    const head = { schema: protocolVersion, device: this.#device, clientNow: now, ack };
    const body = JSON.stringify({ ...head, ops, cursors: this.#cursors });
    const { status, body: answer } = await this.#connection.post('/sync/v1', body, cookie);
    if (status !== 200) throw new Error(`The server answered ${status}: ${JSON.stringify(answer)}`);
    const { changes, results, ...rest } = answer as SyncResponse;
    if (results.length < actions.length) throw new Error('A write was not judged.');
    for (const [, verdict] of results)
      if (verdict !== 'ok') throw new Error(`A write was refused: ${verdict}`);
    this.#cursors = Object.fromEntries([
      ...Object.entries(this.#cursors),
      ...changes.map(({ scope: of, generation, to }) => [of, { generation, version: to }]),
    ]);
    return { ...rest, changes, results };
  }
}

/** Resolves when so many rows have left a scope, with the milliseconds since it was called. */
async function untilMoved(mover: Writer, move: Action, count: number): Promise<number> {
  const started = performance.now();
  let moved = 0;
  const hear = ({ changes }: SyncResponse): void => {
    for (const { moved: some = [] } of changes) moved += some.length;
  };
  hear(await mover.send(move));
  while (moved < count) {
    if (performance.now() - started > LATE_MS) throw new Error(`Only ${moved} rows moved.`);
    await delay(50);
    hear(await mover.send());
  }
  return performance.now() - started;
}

/** What the work gives, and how long each write of somebody else took meanwhile. */
export async function besideWrites<T>(
  writer: Writer,
  { scope }: BenchAccount,
  work: () => Promise<T>,
): Promise<readonly [T, readonly number[]]> {
  const writes: number[] = [];
  let isOver = false;
  const write = async (): Promise<void> => {
    while (!isOver) {
      const started = performance.now();
      const place = { parent: inboxId(scope) };
      await writer.send({ a: 'create', id: newId(), type: 'task', fields: { title: 'Beside' }, place });
      writes.push(performance.now() - started);
      await delay(WRITE_EVERY_MS);
    }
  };
  const writing = write();
  try {
    return [await work(), writes];
  } finally {
    isOver = true;
    await writing;
  }
}

/** The longest time for which this process came to nothing else. */
async function longestTask(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return longest;
}

async function untilAll(engine: Engine, ids: readonly Id[], scope: Id): Promise<void> {
  const late = performance.now() + LATE_MS;
  while (ids.some((id) => engine.replica.row(id)?.scope !== scope)) {
    if (performance.now() > late) throw new Error('The device does not follow.');
    await delay(100);
  }
}

interface Found {
  readonly tookMs: number;
  readonly writes: readonly number[];
  readonly live: number;
  readonly later: number;
}

/** Moves the tree there and back with somebody writing, then there with a device listening, then back while it is away. */
async function measure(url: string, { owner, other, root, list }: PreparedTree): Promise<Found> {
  const [door, next] = [await openConnection(url), await openConnection(url)];
  const [mover, writer] = [new Writer(door, owner), new Writer(next, other)];
  const place = (parent: Id): Action => ({ a: 'place', id: root, place: { parent } });
  const home = inboxId(owner.scope);
  const shared = (await mover.send()).changes.find(({ scope }) => scope !== owner.scope)?.scope ?? list;
  await writer.send();
  const [tookMs, writes] = await besideWrites(writer, other, () => untilMoved(mover, place(list), TASKS));
  await untilMoved(mover, place(home), TASKS);
  const wire = createWire(url, owner);
  const engine = await openDevice(owner, wire);
  const late = performance.now() + LATE_MS;
  while (engine.replica.row(root) === undefined || engine.facts().digest !== 'equal') {
    if (performance.now() > late) throw new Error('The device does not read its scopes.');
    await delay(100);
  }
  const ids = [...engine.replica.all()].filter(({ type }) => type === 'task').map(({ id }) => id);
  const live = await longestTask(async () => {
    await mover.send(place(list));
    await untilAll(engine, ids, shared);
  });
  await untilMoved(mover, { a: 'set', id: root, field: 'title', value: 'There' }, 0);
  wire.cut();
  const before = new Set(ids);
  await untilMoved(mover, place(home), TASKS);
  const later = await longestTask(async () => {
    wire.mend();
    await untilAll(engine, [...before], owner.scope);
  });
  await engine.close();
  door.close();
  next.close();
  return { tookMs, writes, live, later };
}

/** Prints what the move of a large tree costs everybody. */
export async function runMoveSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  const runs: Found[] = [];
  for (let run = 0; run < (quick ? 1 : 3); run += 1) {
    say(`moves, run ${run + 1}`);
    const folder = mkdtempSync(join(tmpdir(), 'bench-moves-'));
    try {
      const tree = await prepareTree(folder, TASKS);
      const server = await startProgram('src/server/main.ts', folder);
      try {
        runs.push(await measure(server.url, tree));
      } finally {
        await server.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  const { p50, p99, max } = distributionOf(runs.flatMap(({ writes }) => writes));
  const of = (figure: (run: Found) => number): number => median(runs.map(figure));
  const [tookMs, live, later] = [of((run) => run.tookMs), of((run) => run.live), of((run) => run.later)];
  print(`## A tree of ${TASKS.toLocaleString('en')} tasks moves to another scope (SQLite)`);
  print(
    table(
      [
        'all of it, s',
        'write of another account, p50 ms',
        'p99 ms',
        'longest',
        'longest task of a device, live',
        'on its return',
      ],
      [[tookMs / 1_000, p50, p99, max, live, later]],
    ),
  );
  const gate = { unit: 'ms', kind: 'at most' } as const;
  return [
    { ...gate, name: 'move of 10,000 tasks: all of it', reached: tookMs, bound: WANTED_MS },
    { ...gate, name: 'write of another account meanwhile: p99', reached: p99, bound: WANTED_WRITE_MS },
    {
      ...gate,
      name: 'longest task of a device that follows',
      reached: percentile([live, later], 1),
      bound: WANTED_TASK_MS,
    },
  ];
}
