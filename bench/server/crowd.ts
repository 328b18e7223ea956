// Many people on one server: what ten thousand open sockets cost, how fast it answers while two thousand listen, how soon
// everybody is in sync after all came back at once, and how long it takes to start on a large database.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { datasetOf } from '../datasets.ts';
import { conditions } from '../machine.ts';
import { type Gate, print, say, show, table } from '../report.ts';
import { signUp } from './account.ts';
import type { Job, Report } from './crowd-client.ts';
import { fill } from './filled-account.ts';
import { openConnection } from './http-connection.ts';
import { startProgram, startServerProcess } from './server-process.ts';

/** The server lets one account have 20. */
const SOCKETS_PER_ACCOUNT = 20;
const LISTENERS_PER_ACCOUNT = 10;
const WANTED_RSS_MB = 600;
const OPERATIONS_PER_SECOND = 300;
const WANTED_P99_MS = 100;
const UNSENT = 20;
const WANTED_STORM_S = 60;
const WANTED_START_MS = 3_000;
const ACCOUNTS_IN_DATABASE = 10;

interface Size {
  readonly idle: number;
  readonly listening: number;
  readonly tasks: number;
}

const FULL: Size = { idle: 10_000, listening: 2_000, tasks: 1_000_000 };
const QUICK: Size = { idle: 1_000, listening: 200, tasks: 20_000 };

/** What the operating system counts as the process's own memory, in MB. */
function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1_024;
}

async function ask(client: ChildProcess, job: Job): Promise<Report> {
  client.send(job);
  const [answer] = (await once(client, 'message')) as [Report | { readonly error: string }];
  if ('error' in answer) throw new Error(`${job.job}: ${answer.error}`);
  return answer;
}

interface Crowd {
  readonly idleMb: number;
  readonly emptyMb: number;
  readonly opened: Report;
  readonly busy: Report;
  readonly storm: Report;
}

async function measureCrowd({ idle, listening }: Size, seconds: number): Promise<Crowd> {
  const server = await startServerProcess();
  const client = fork(join(import.meta.dirname, 'crowd-client.ts'));
  const { url, pid } = server;
  try {
    const count = Math.max(idle / SOCKETS_PER_ACCOUNT, listening / LISTENERS_PER_ACCOUNT);
    say(`crowd: ${count} accounts`);
    await ask(client, { job: 'accounts', url, count });
    const emptyMb = residentMb(pid);
    say(`crowd: ${idle} sockets`);
    const opened = await ask(client, { job: 'sockets', url, count: idle });
    await pause(5_000);
    const idleMb = residentMb(pid);
    await ask(client, { job: 'part' });
    say(`crowd: ${OPERATIONS_PER_SECOND} operations a second for ${seconds} s, ${listening} sockets`);
    await ask(client, { job: 'sockets', url, count: listening });
    const busy = await ask(client, { job: 'push', url, operationsPerSecond: OPERATIONS_PER_SECOND, seconds });
    await ask(client, { job: 'part' });
    say(`crowd: ${listening} come back with ${UNSENT} operations each`);
    await ask(client, { job: 'prepare', url, clients: listening });
    const storm = await ask(client, { job: 'storm', url, operations: UNSENT });
    return { idleMb, emptyMb, opened, busy, storm };
  } finally {
    client.kill();
    await server.close();
  }
}

/** Milliseconds from starting the process to its word that it is ready, on a database of so many tasks. */
async function measureStart(tasks: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-large-'));
  try {
    const filling = await startProgram('src/server/main.ts', folder);
    try {
      const door = await openConnection(filling.url);
      for (let number = 0; number < ACCOUNTS_IN_DATABASE; number += 1) {
        const account = await signUp(door, `large-${number}`);
        await fill(filling.url, account, datasetOf(tasks / ACCOUNTS_IN_DATABASE, 20));
      }
      door.close();
    } finally {
      await filling.close();
    }
    const startedAt = performance.now();
    const server = await startProgram('src/server/main.ts', folder);
    const ms = performance.now() - startedAt;
    await server.close();
    return ms;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function runCrowdSuite({
  quick,
  seconds,
}: {
  readonly quick: boolean;
  readonly seconds: number;
}): Promise<Gate[]> {
  const size = quick ? QUICK : FULL;
  const crowd = await measureCrowd(size, seconds);
  say(`crowd: starting on ${size.tasks} tasks`);
  const startMs = await measureStart(size.tasks);
  const { load } = conditions();
  const latency = crowd.busy.latency;
  const p99 = latency?.p99 ?? Number.NaN;
  const stormS = crowd.storm.ms / 1_000;
  print(`## A crowd on one server (SQLite, load ${show(load)})`);
  print(
    table(
      ['', 'figure', ''],
      [
        [
          `${crowd.opened.count} idle sockets`,
          `${show(crowd.idleMb)} MB`,
          `${show(crowd.emptyMb)} MB before`,
        ],
        [
          `${size.listening} sockets, ${OPERATIONS_PER_SECOND} operations/s, ${seconds} s`,
          `p99 ${show(p99, 'ms')}`,
          `p50 ${show(latency?.p50 ?? null, 'ms')}, ${crowd.busy.count} pushes`,
        ],
        [
          `${size.listening} come back with ${UNSENT} operations each`,
          show(stormS, 's'),
          `${crowd.storm.count} operations, ${crowd.storm.retries ?? 0} connections made again`,
        ],
        [`start on ${size.tasks.toLocaleString('en')} tasks`, show(startMs, 'ms'), ''],
      ],
    ),
  );
  const missing = size.idle - crowd.opened.count + (size.listening * UNSENT - crowd.storm.count);
  const atMost = { kind: 'at most' } as const;
  return [
    {
      name: 'sockets and operations that did not get through',
      reached: missing,
      bound: 0,
      unit: '',
      ...atMost,
    },
    {
      name: `${size.idle} idle sockets: memory of the server`,
      reached: crowd.idleMb,
      bound: WANTED_RSS_MB,
      unit: 'MB',
      ...atMost,
    },
    {
      name: `${size.listening} sockets at ${OPERATIONS_PER_SECOND}/s: p99`,
      reached: p99,
      bound: WANTED_P99_MS,
      unit: 'ms',
      ...atMost,
    },
    {
      name: 'everybody back at once: all in sync',
      reached: stormS,
      bound: WANTED_STORM_S,
      unit: 's',
      ...atMost,
    },
    { name: 'start on the large database', reached: startMs, bound: WANTED_START_MS, unit: 'ms', ...atMost },
  ];
}
