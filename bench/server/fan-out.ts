// Fifty members of one shared list who all write: how long an operation takes from the device that made it to all the others, and
// how soon after the last one every device holds the same. Over sockets and requests of a real server process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { conditions } from '../machine.ts';
import { type Gate, print, say, table } from '../report.ts';
import { distributionOf } from '../statistics.ts';
import { FanOutDevice } from './fan-out-device.ts';
import { openConnection } from './http-connection.ts';
import { shareList } from './people.ts';
import { type ServerProcess, startProgram } from './server-process.ts';

const PEOPLE = 50;
const PER_SECOND = 20;
const SECOND_MS = 1_000;
/** Each member has so many tasks to write on, so that none is written on twice before all have seen it. */
const TASKS_OF_ONE = 40;
const WANTED = { p99Ms: 200, equalMs: 1_000 };
const LATE_MS = 20_000;

/** When each operation was made, and how long it took to each device but its own. */
class Delays {
  readonly values: number[] = [];
  readonly #issuedAt = new Map<string, { readonly by: number; readonly at: number }>();

  issued(title: string, by: number): void {
    this.#issuedAt.set(title, { by, at: performance.now() });
  }

  heard(title: string, by: number): void {
    const issued = this.#issuedAt.get(title);
    if (issued !== undefined && issued.by !== by) this.values.push(performance.now() - issued.at);
  }
}

async function untilSettled(devices: readonly FanOutDevice[]): Promise<number> {
  const startedAt = performance.now();
  const isOver = () =>
    devices.every((device) => device.isSettled) && new Set(devices.map(({ version }) => version)).size === 1;
  while (!isOver()) {
    if (performance.now() - startedAt > LATE_MS) throw new Error('The devices do not become equal.');
    await pause(5);
  }
  return performance.now() - startedAt;
}

/** Everybody makes their own tasks. */
async function fill(devices: readonly FanOutDevice[], list: Id): Promise<readonly (readonly Id[])[]> {
  const tasks = devices.map(() => Array.from({ length: TASKS_OF_ONE }, () => crypto.randomUUID() as Id));
  for (const [at, device] of devices.entries())
    for (const id of tasks[at] ?? [])
      device.issue({ a: 'create', id, type: 'task', fields: { title: 'Task' }, place: { parent: list } });
  await untilSettled(devices);
  return tasks;
}

async function everybodyWrites(
  devices: readonly FanOutDevice[],
  tasks: readonly (readonly Id[])[],
  { delays, seconds }: { readonly delays: Delays; readonly seconds: number },
): Promise<void> {
  const startedAt = performance.now();
  const gap = SECOND_MS / PER_SECOND / devices.length;
  const count = devices.length * PER_SECOND * seconds;
  for (let at = 0; at < count; at += 1) {
    const by = at % devices.length;
    const round = Math.floor(at / devices.length);
    const id = tasks[by]?.[round % TASKS_OF_ONE];
    const title = `Task ${by} in round ${round}`;
    if (id === undefined) throw new Error('Every member has tasks.');
    const action: Action = { a: 'set', id, field: 'title', value: title };
    delays.issued(title, by);
    devices[by]?.issue(action);
    const wait = startedAt + (at + 1) * gap - performance.now();
    if (wait > 1) await pause(wait);
  }
}

async function measure(server: ServerProcess, folder: string, seconds: number): Promise<Gate[]> {
  const door = await openConnection(server.url);
  const { accounts, list, scope } = await shareList(door, folder, PEOPLE);
  door.close();
  const delays = new Delays();
  const devices: FanOutDevice[] = [];
  for (const [by, account] of accounts.entries()) {
    const heard = (title: string) => delays.heard(title, by);
    devices.push(await FanOutDevice.open(server.url, account, { scope, heard }));
  }
  const tasks = await fill(devices, list);
  const sum = (what: keyof FanOutDevice['count']) =>
    devices.reduce((total, { count }) => total + count[what], 0);
  const counted = () => ({ requests: sum('requests'), deltas: sum('deltas'), pokes: sum('pokes') });
  const [before, cpuBefore, ownBefore] = [counted(), server.cpuMs(), process.cpuUsage()];
  await everybodyWrites(devices, tasks, { delays, seconds });
  const own = process.cpuUsage(ownBefore);
  const [cpuMs, after] = [server.cpuMs() - cpuBefore, counted()];
  const equalMs = await untilSettled(devices);
  for (const device of devices) device.close();
  const { p50, p95, p99, max, count } = distributionOf(delays.values);
  const missing = PEOPLE * PER_SECOND * seconds * (PEOPLE - 1) - count;
  const each = (what: keyof FanOutDevice['count']) => (after[what] - before[what]) / seconds;
  print(
    `## ${PEOPLE} people write ${PER_SECOND} operations a second each in one list (SQLite, ${seconds} s, load ${conditions().load.toFixed(1)}; a 16 ms frame before sending included)`,
  );
  print(
    table(
      [
        'p50 ms',
        'p95 ms',
        'p99 ms',
        'longest',
        'all equal after the last, ms',
        'requests/s',
        'deltas/s',
        'pokes/s',
        'server, of a core %',
        'devices, of a core %',
      ],
      [
        [
          p50,
          p95,
          p99,
          max,
          equalMs,
          each('requests'),
          each('deltas'),
          each('pokes'),
          (cpuMs / seconds / SECOND_MS) * 100,
          ((own.user + own.system) / 1_000 / seconds / SECOND_MS) * 100,
        ],
      ],
    ),
  );
  const gate = { kind: 'at most' } as const;
  return [
    { ...gate, name: 'operation to all members: p99', reached: p99, bound: WANTED.p99Ms, unit: 'ms' },
    {
      ...gate,
      name: 'all members equal after the last',
      reached: equalMs,
      bound: WANTED.equalMs,
      unit: 'ms',
    },
    { ...gate, name: 'operations that a member was not told', reached: missing, bound: 0, unit: '' },
  ];
}

/** Between devices of a real server, with requests and sockets as the app has them. */
export async function runFanOutSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  say(`fan-out: ${PEOPLE} people in one list`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-fan-out-'));
  const server = await startProgram('src/server/main.ts', folder);
  try {
    return await measure(server, folder, quick ? 5 : 20);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
