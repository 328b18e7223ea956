// A Valkey of its own for tests, or the Redis that Debian has, which speaks the same: on a free port, without a disk, gone afterwards.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canInstall, inPath, install } from '../scripts/system-packages.ts';

const NAMES = ['valkey-server', 'redis-server'];
const PACKAGE = 'redis-server';
const START_LIMIT_MS = 30_000;

/** A running server. */
export interface ValkeyServer {
  /** For `BUS_URL`. */
  readonly url: string;
  /** Ends at once; what it held is lost. */
  crash(): Promise<void>;
  /** Starts again at the same address, empty. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

function find(): string | undefined {
  const present = inPath(NAMES);
  if (present !== undefined || !canInstall()) return present;
  console.log('Installing redis-server for the tests of BUS_URL ...');
  const failure = install(PACKAGE);
  if (failure !== undefined) throw new Error(failure);
  return inPath(NAMES);
}

const program = find();
/** Whether this machine has one, or could be given one. */
export const hasValkey = program !== undefined;
if (!hasValkey)
  console.log('Neither valkey-server nor redis-server is on this machine: BUS_URL is not tested on it.');

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves when it answers. `stop` must be called, also after a failure. */
export async function startValkey(): Promise<ValkeyServer> {
  if (program === undefined) throw new Error('There is no valkey-server.');
  const folder = mkdtempSync(join(tmpdir(), 'posthaste-valkey-'));
  const port = await freePort();
  let child: ChildProcess | null = null;
  const start = async () => {
    const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
    const started = spawn(program, [...settings, '--dir', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`It did not start in time.\n${said}`)), START_LIMIT_MS);
      started.stdout.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-10_000);
        if (!/ready to accept connections/i.test(said)) return;
        clearTimeout(late);
        resolve();
      });
      started.once('exit', (code) => reject(new Error(`It ended with ${code}.\n${said}`)));
    });
  };
  const crash = async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    url: `valkey://127.0.0.1:${port}`,
    start,
    crash,
    async stop() {
      await crash();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
