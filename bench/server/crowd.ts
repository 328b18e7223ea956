// Many people on one server: what ten thousand open sockets cost, how fast it answers while two thousand listen, how soon
// everybody is in sync after all came back at once, and how long it takes to start on a large database. Each part has a
// server of its own and can be asked for alone.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { conditions } from '../machine.ts';
import type { CrowdPart } from '../options.ts';
import { type Cell, type Gate, print, say, show, table } from '../report.ts';
import type { Job, Report } from './crowd-client.ts';
import { prepareAccounts, prepareTasks } from './prepared.ts';
import { type ServerProcess, startProgram } from './server-process.ts';

/** The server lets one account have 20. */
const SOCKETS_PER_ACCOUNT = 20;
const LISTENERS_PER_ACCOUNT = 10;
const SETTLE_MS = 5_000;
const WANTED_RSS_MB = 600;
const OPERATIONS_PER_SECOND = 300;
const WANTED_P99_MS = 100;
const UNSENT = 20;
const WANTED_STORM_S = 60;
const WANTED_START_MS = 3_000;
const ACCOUNTS_IN_DATABASE = 10;
const PROGRAM = 'src/server/main.ts';

interface Size {
  readonly idle: number;
  readonly listening: number;
  readonly tasks: number;
}

const FULL: Size = { idle: 10_000, listening: 2_000, tasks: 1_000_000 };
const QUICK: Size = { idle: 1_000, listening: 200, tasks: 20_000 };

/** What a part found: a line of the table, and what has to be reached. */
interface Found {
  readonly row: readonly Cell[];
  readonly gates: readonly Gate[];
}

/** A figure with its bound. */
export const atMost = (name: string, reached: number, bound: number, unit: string): Gate => ({
  name,
  reached,
  bound,
  unit,
  kind: 'at most',
});

/** Has the clients do something, and resolves with what came of it. */
export async function ask(client: ChildProcess, job: Job): Promise<Report> {
  const over = new AbortController();
  try {
    const ended = once(client, 'exit', over).then(([code]) => {
      throw new Error(`${job.job}: the clients ended with ${String(code)}`);
    });
    client.send(job);
    const [answer] = (await Promise.race([once(client, 'message', over), ended])) as [
      Report | { readonly error: string },
    ];
    if ('error' in answer) throw new Error(`${job.job}: ${answer.error}`);
    return answer;
  } finally {
    over.abort();
  }
}

interface Stage {
  server: ServerProcess;
  /** Ends the server and starts another on the same database. */
  readonly restart: () => Promise<void>;
  readonly ask: (job: Job) => Promise<Report>;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-crowd-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A server with so many accounts, and a process of clients who are signed in to them. */
function onStage<T>(count: number, work: (stage: Stage) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const accounts = await prepareAccounts(folder, count);
    const client = fork(join(import.meta.dirname, 'crowd-client.ts'));
    const begin = async (): Promise<ServerProcess> => {
      const server = await startProgram(PROGRAM, folder);
      await ask(client, { job: 'begin', urls: [server.url], accounts });
      return server;
    };
    const restart = async (): Promise<void> => {
      await stage.server.close();
      stage.server = await begin();
    };
    const stage: Stage = { server: await begin(), restart, ask: (job) => ask(client, job) };
    try {
      return await work(stage);
    } finally {
      client.kill();
      await stage.server.close();
    }
  });
}

const retriesOf = ({ retries }: Report): string =>
  Object.entries(retries)
    .map(([reason, count]) => `${count} × ${reason}`)
    .join('; ') || 'no connection made again';

function measureIdle({ idle }: Size): Promise<Found> {
  return onStage(Math.ceil(idle / SOCKETS_PER_ACCOUNT), async ({ server, ask: tell }) => {
    const emptyMb = server.residentMb();
    const opened = await tell({ job: 'sockets', count: idle });
    await pause(SETTLE_MS);
    const { count } = await tell({ job: 'count' });
    const idleMb = server.residentMb();
    const found = `${show(emptyMb)} MB before, opened in ${show(opened.ms / 1_000, 's')}, ${retriesOf(opened)}`;
    return {
      row: [`${count} idle sockets`, `${show(idleMb)} MB`, found],
      gates: [
        atMost(`${idle} idle sockets: those that are not open`, idle - count, 0, ''),
        atMost(`${idle} idle sockets: memory of the server`, idleMb, WANTED_RSS_MB, 'MB'),
      ],
    };
  });
}

function measureBusy({ listening }: Size, seconds: number): Promise<Found> {
  return onStage(Math.ceil(listening / LISTENERS_PER_ACCOUNT), async ({ server, ask: tell }) => {
    await tell({ job: 'sockets', count: listening });
    await tell({ job: 'join', clients: Math.ceil(listening / LISTENERS_PER_ACCOUNT) });
    const before = server.cpuMs();
    const busy = await tell({ job: 'push', operationsPerSecond: OPERATIONS_PER_SECOND, seconds });
    const cpuMs = server.cpuMs() - before;
    const { p50, p99, max } = busy.latency ?? { p50: Number.NaN, p99: Number.NaN, max: Number.NaN };
    const found =
      `p50 ${show(p50, 'ms')}, longest ${show(max, 'ms')}, ${busy.count} operations, ${busy.heard} messages to sockets; ` +
      `server ${show(cpuMs / busy.count, 'ms')} of processor an operation`;
    const name = `${listening} sockets, ${OPERATIONS_PER_SECOND} operations/s`;
    return {
      row: [`${name}, ${seconds} s`, `p99 ${show(p99, 'ms')}`, found],
      gates: [
        atMost(`${name}: operations not acknowledged`, OPERATIONS_PER_SECOND * seconds - busy.count, 0, ''),
        atMost(`${name}: p99`, p99, WANTED_P99_MS, 'ms'),
      ],
    };
  });
}

function measureStorm({ listening }: Size): Promise<Found> {
  return onStage(Math.ceil(listening / LISTENERS_PER_ACCOUNT), async (stage) => {
    const { ask: tell, restart } = stage;
    await tell({ job: 'join', clients: listening });
    await restart();
    const before = stage.server.cpuMs();
    const storm = await tell({ job: 'storm', operations: UNSENT });
    const cpuMs = stage.server.cpuMs() - before;
    const { count: open } = await tell({ job: 'count' });
    const found =
      `${storm.count} operations, ${open} sockets open, ${retriesOf(storm)}; ` +
      `server ${show(cpuMs / storm.count, 'ms')} of processor an operation`;
    const missing = listening - open + (listening * UNSENT - storm.count);
    return {
      row: [`${listening} come back with ${UNSENT} operations each`, show(storm.ms / 1_000, 's'), found],
      gates: [
        atMost('everybody back at once: sockets and operations that did not get through', missing, 0, ''),
        atMost('everybody back at once: all in sync', storm.ms / 1_000, WANTED_STORM_S, 's'),
      ],
    };
  });
}

/** Milliseconds from starting the process to its word that it is ready, on a database of so many tasks. */
function measureStart({ tasks }: Size): Promise<Found> {
  return inFolder(async (folder) => {
    await prepareTasks(folder, tasks, ACCOUNTS_IN_DATABASE);
    const startedAt = performance.now();
    const server = await startProgram(PROGRAM, folder);
    const ms = performance.now() - startedAt;
    const cpuMs = server.cpuMs();
    const memory = server.residentMb();
    await server.close();
    return {
      row: [
        `start on ${tasks.toLocaleString('en')} tasks`,
        show(ms, 'ms'),
        `${show(cpuMs, 'ms')} of processor, ${show(memory)} MB`,
      ],
      gates: [atMost('start on the large database', ms, WANTED_START_MS, 'ms')],
    };
  });
}

export async function runCrowdSuite({
  quick,
  seconds,
  crowd,
}: {
  readonly quick: boolean;
  readonly seconds: number;
  readonly crowd: readonly CrowdPart[];
}): Promise<Gate[]> {
  const size = quick ? QUICK : FULL;
  const measure: Readonly<Record<CrowdPart, () => Promise<Found>>> = {
    'crowd-idle': () => measureIdle(size),
    'crowd-busy': () => measureBusy(size, seconds),
    'crowd-storm': () => measureStorm(size),
    'crowd-start': () => measureStart(size),
  };
  const found: Found[] = [];
  for (const part of crowd) {
    say(part);
    found.push(await measure[part]());
  }
  print(`## A crowd on one server (SQLite, load ${show(conditions().load)})`);
  print(
    table(
      ['', 'figure', ''],
      found.map(({ row }) => row),
    ),
  );
  return found.flatMap(({ gates }) => gates);
}
