// A real server in a process of its own: SQLite in a fresh folder on disk, or PostgreSQL if that was asked for; limits off so
// that one address may do the work of many, logging off.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');
const START_MS = 20_000;

/** `BENCH_PROFILE=<folder>` has the programs write a profile of their processor time there. */
function profiling(): readonly string[] {
  const folder = process.env['BENCH_PROFILE'];
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds of the processor that it has used so far, its own and the system's for it. */
  cpuMs(): number;
  /** What the operating system counts as its own memory, in MB. */
  residentMb(): number;
  close(): Promise<void>;
}

/** Makes an empty PostgreSQL database and returns its address; null: programs keep their data in SQLite. */
let createDatabase: (() => Promise<string>) | null = null;

/** From now on every program that is started keeps its data in a PostgreSQL database of its own. */
export function keepInPostgres(create: () => Promise<string>): void {
  createDatabase = create;
}

/** What the programs keep their data in, for headings. */
export const databaseName = () => (createDatabase === null ? 'SQLite' : 'PostgreSQL');

/** A tick of the operating system's count of processor time. */
const TICK_MS = 10;

/**
 * What Linux says of a process, from its state on (the third field of /proc/<pid>/stat): the name before that, in brackets, may hold anything.
 * The second is the parent, the 12th to 15th are ticks of user and system time, its own and those of ended children.
 */
function statOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
}

function cpuMsOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Processor time of a process and of all that it started, also of those that have ended. */
export function familyMs(parent: number): number {
  let ms = 0;
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    try {
      const fields = statOf(pid);
      if (pid !== parent && Number(fields[1]) !== parent) continue;
      const own = Number(fields[11]) + Number(fields[12]);
      // Of the parent also that of children it has waited for.
      ms += (own + (pid === parent ? Number(fields[13]) + Number(fields[14]) : 0)) * TICK_MS;
    } catch {
      // It has ended meanwhile.
    }
  }
  return ms;
}

function residentMbOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1_024;
}

/** Starts a program that prints `… ready at <url>` and ends on SIGTERM. Its data folder goes with it, unless it is given. */
export async function startProgram(program: string, kept?: string): Promise<ServerProcess> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'bench-data-'));
  const leave = () => {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const database = createDatabase === null ? {} : { DATABASE_URL: await createDatabase() };
  const child = spawn(process.execPath, [...profiling(), join(ROOT, program)], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'off',
      ...database,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    leave();
  };
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    const url = / ready at (http:\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    clearTimeout(late);
    const pid = child.pid ?? 0;
    return { url, pid, cpuMs: () => cpuMsOf(pid), residentMb: () => residentMbOf(pid), close };
  }
  clearTimeout(late);
  leave();
  throw new Error(`${program} ended before it was ready.`);
}

export const startServerProcess = (): Promise<ServerProcess> => startProgram('src/server/main.ts');
