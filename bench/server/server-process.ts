// A real server in a process of its own: SQLite in a fresh folder on disk, limits off so that one address may do the
// work of many, logging off.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');
const START_MS = 20_000;

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

/** Starts a program that prints `… ready at <url>` and ends on SIGTERM. Its data folder goes with it, unless it is given. */
export async function startProgram(program: string, kept?: string): Promise<ServerProcess> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'bench-data-'));
  const leave = () => {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const child = spawn(process.execPath, [join(ROOT, program)], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'off',
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
    return { url, pid: child.pid ?? 0, close };
  }
  clearTimeout(late);
  leave();
  throw new Error(`${program} ended before it was ready.`);
}

export const startServerProcess = (): Promise<ServerProcess> => startProgram('src/server/main.ts');
