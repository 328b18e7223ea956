// The server part: how many operations a second are made durable, beside the least a server of this kind can cost.
import { type Cell, type Gate, print, say, table } from '../report.ts';
import { conditions } from '../machine.ts';
import { type BenchAccount, signUp } from './account.ts';
import { PushingDevice } from './device.ts';
import { openConnection } from './http-connection.ts';
import { type LoadResult, runClosed, runOpen } from './load.ts';
import { databaseName, type ServerProcess, startProgram, startServerProcess } from './server-process.ts';

const ACCOUNTS = 32;
const DEVICES_PER_ACCOUNT = 2;
const WANTED_OPERATIONS = 3_000;
const WANTED_P99_MS = 50;
const WARM_UP_SECONDS = 5;
/** A device pushes what was done since its last push: one key, a few, or a burst (a paste, a return from offline). */
const PUSH_SIZES = [1, 5, 20];
const OPEN_PUSH_SIZE = 5;

interface Loaded {
  readonly closed: ReadonlyMap<number, LoadResult>;
  readonly open: LoadResult;
  readonly load: number;
}

async function load(
  server: ServerProcess,
  accounts: readonly BenchAccount[],
  seconds: number,
): Promise<Loaded> {
  const sockets = await Promise.all(
    accounts.flatMap(() => Array.from({ length: DEVICES_PER_ACCOUNT }, () => openConnection(server.url))),
  );
  const devices = sockets.map((socket, at) => {
    const account = accounts[at % accounts.length];
    if (!account) throw new Error('There are no accounts to push for.');
    return new PushingDevice(account, socket);
  });
  for (const device of devices) await device.join();
  // Until what is run most is compiled, and PostgreSQL knows that there are rows (postgres-young.ts).
  await runClosed(devices, 1, WARM_UP_SECONDS);
  const closed = new Map<number, LoadResult>();
  for (const size of PUSH_SIZES) closed.set(size, await runClosed(devices, size, seconds));
  const open = await runOpen(devices, {
    count: OPEN_PUSH_SIZE,
    operationsPerSecond: WANTED_OPERATIONS,
    seconds,
  });
  for (const socket of sockets) socket.close();
  return { closed, open, load: conditions().load };
}

async function measureOurs(seconds: number): Promise<Loaded> {
  const server = await startServerProcess();
  try {
    const door = await openConnection(server.url);
    const accounts: BenchAccount[] = [];
    for (let at = 0; at < ACCOUNTS; at += 1) accounts.push(await signUp(door, `person-${at}`));
    door.close();
    return await load(server, accounts, seconds);
  } finally {
    await server.close();
  }
}

async function measureBare(seconds: number): Promise<Loaded> {
  const server = await startProgram('bench/server/bare-server.ts');
  try {
    const accounts = Array.from({ length: ACCOUNTS }, (_, number): BenchAccount => ({
      number,
      scope: bareScope(number),
      cookie: 'none=',
    }));
    return await load(server, accounts, seconds);
  } finally {
    await server.close();
  }
}

function bareScope(number: number): BenchAccount['scope'] {
  return `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}` as BenchAccount['scope'];
}

function row(name: string, result: LoadResult, ratio: Cell): Cell[] {
  const { p50, p95, p99 } = result.latency;
  return [
    name,
    Math.round(result.operationsPerSecond),
    Math.round(result.pushesPerSecond),
    p50,
    p95,
    p99,
    ratio,
  ];
}

export async function runServerSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  const seconds = quick ? 3 : 10;
  say('server: the bare one');
  const bare = await measureBare(seconds);
  say('server: ours');
  const ours = await measureOurs(seconds);
  const rows: Cell[][] = [];
  for (const size of PUSH_SIZES) {
    const least = bare.closed.get(size);
    const real = ours.closed.get(size);
    if (!least || !real) continue;
    const ratio = `${(real.operationsPerSecond / least.operationsPerSecond).toFixed(2)} × bare`;
    rows.push(row(`bare, ${size} a push`, least, ''), row(`Posthaste, ${size} a push`, real, ratio));
  }
  const name = `at ${WANTED_OPERATIONS.toLocaleString('en')}/s, ${OPEN_PUSH_SIZE} a push`;
  rows.push(row(`bare, ${name}`, bare.open, ''), row(`Posthaste, ${name}`, ours.open, ''));
  print(
    `## Server: durable operations (${databaseName()}, ${ACCOUNTS * DEVICES_PER_ACCOUNT} connections, load ${ours.load.toFixed(1)})`,
  );
  print(table(['', 'operations/s', 'pushes/s', 'p50 ms', 'p95 ms', 'p99 ms', ''], rows));
  const best = ours.closed.get(OPEN_PUSH_SIZE)?.operationsPerSecond ?? 0;
  return [
    {
      name: `server, ${OPEN_PUSH_SIZE} a push: durable operations/s`,
      reached: best,
      bound: WANTED_OPERATIONS,
      unit: '/s',
      kind: 'at least',
    },
    {
      name: `server at ${WANTED_OPERATIONS}/s: p99`,
      reached: ours.open.latency.p99,
      bound: WANTED_P99_MS,
      unit: 'ms',
      kind: 'at most',
    },
  ];
}
