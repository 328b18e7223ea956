// The server of a fault run with everything that is done to it: killed, stopped, put back to an older state, its disk filled,
// its PostgreSQL crashed. Whatever it does beside what it should is noted as a violation.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PostgresInstance, startPostgres } from '../../contracts/postgres-instance.ts';
import { lastingPort } from '../lasting-port.ts';
import { type ServerChild, startServerChild } from '../server-child.ts';

const ADMIN = fileURLToPath(new URL('../../../src/server/admin.ts', import.meta.url));
const DISK_MB = 96;
const BLOCK = 64 * 1024;

export type StoreName = 'sqlite' | 'postgres';

/** A time in which the server may say that it takes nothing now. */
interface Trouble {
  readonly from: number;
  to: number;
}

export class ServerWorld {
  readonly root = mkdtempSync(join(tmpdir(), 'posthaste-faults-'));
  readonly port: number;
  readonly violations: string[] = [];
  readonly troubles: Trouble[] = [];
  readonly backups: string[] = [];
  /** Whether the disk can be filled. */
  readonly hasDisk: boolean;
  slowestStartMs = 0;
  largestLogBytes = 0;
  readonly #disk: string;
  readonly #postgres: PostgresInstance | null;
  readonly #environment: Readonly<Record<string, string>>;
  #server: ServerChild | null = null;

  static async open(store: StoreName): Promise<ServerWorld> {
    const postgres = store === 'postgres' ? await startPostgres() : null;
    try {
      return new ServerWorld(
        await lastingPort(),
        postgres,
        postgres ? await postgres.createDatabase() : null,
      );
    } catch (error) {
      await postgres?.stop();
      throw error;
    }
  }

  private constructor(port: number, postgres: PostgresInstance | null, url: string | null) {
    this.port = port;
    this.#postgres = postgres;
    this.#disk = join(this.root, 'disk');
    mkdirSync(this.#disk);
    // PostgreSQL's own disk is not filled: what it does then is its own affair.
    const mount = ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=700`, 'tmpfs', this.#disk];
    this.hasDisk = postgres === null && spawnSync('mount', mount).status === 0;
    this.#environment = {
      PORT: String(port),
      BACKUPS: 'off',
      LOG_LEVEL: 'error',
      ...(url === null ? {} : { DATABASE_URL: url.replace('@/', '@localhost/') }),
    };
  }

  get runs(): boolean {
    return this.#server !== null;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get #dataDir(): string {
    return join(this.#disk, 'data');
  }

  async start(): Promise<void> {
    const server = await startServerChild(this.#dataDir, this.#environment);
    this.#server = server;
    this.slowestStartMs = Math.max(this.slowestStartMs, server.readyMs);
    server.child.once('exit', (code, signal) => {
      if (this.#server !== server) return;
      this.#server = null;
      const last = server.lastOutput().slice(-2_000);
      this.violations.push(`the server ended by itself with ${code ?? signal}: ${last}`);
    });
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.kill();
    this.#measureLog();
  }

  /** As an operator stops it. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const ended = once(server.child, 'exit') as Promise<[number | null, string | null]>;
    server.child.kill('SIGTERM');
    const [code, signal] = await ended;
    if (code !== 0) this.violations.push(`the server was told to stop and ended with ${code ?? signal}`);
  }

  /** Marks the time that the work takes, and a while after it, as one in which refusals are right. */
  async during(afterMs: number, work: () => Promise<void>): Promise<void> {
    const trouble: Trouble = { from: Date.now() - 50, to: Infinity };
    this.troubles.push(trouble);
    await work();
    trouble.to = Date.now() + afterMs;
  }

  async backup(): Promise<void> {
    const path = join(this.root, `backup-${this.backups.length}.db`);
    if (await this.#admin('backup', path)) this.backups.push(path);
  }

  /** With the server stopped. `which` from 0, the oldest backup, to 1, the newest. */
  async restore(which: number): Promise<void> {
    const path = this.backups[Math.min(this.backups.length - 1, Math.floor(which * this.backups.length))];
    if (path === undefined) throw new Error('There is no backup.');
    await this.#admin('restore', path);
    // What was there before is kept beside it; on a small disk an operator looks to that.
    for (const name of existsSync(this.#dataDir) ? readdirSync(this.#dataDir) : [])
      if (name.includes('before-restore')) rmSync(join(this.#dataDir, name));
  }

  async crashDatabase(): Promise<void> {
    await this.#postgres?.crash();
  }

  fillDisk(): void {
    const file = openSync(join(this.#disk, 'filler'), 'w');
    const block = Buffer.alloc(BLOCK);
    try {
      for (let size = BLOCK; size >= 1; size = Math.floor(size / 2))
        this.#fillWith(file, block.subarray(0, size));
    } finally {
      closeSync(file);
    }
  }

  #fillWith(file: number, block: Buffer): void {
    for (let at = 0; at <= (DISK_MB * 1024 * 1024) / BLOCK; at += 1) {
      try {
        if (writeSync(file, block) < block.length) return;
      } catch {
        // Full, which is what was wanted.
        return;
      }
    }
  }

  freeDisk(): void {
    rmSync(join(this.#disk, 'filler'), { force: true });
  }

  async close(): Promise<void> {
    await this.kill();
    await this.#postgres?.stop();
    if (this.hasDisk) spawnSync('umount', ['-l', this.#disk]);
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Refusals of the server that no fault explains. */
  unexplained(
    statuses: readonly { readonly status: number; readonly path: string; readonly at: number }[],
  ): string[] {
    return statuses.flatMap(({ status, path, at }) => {
      const isTroubled = this.troubles.some(({ from, to }) => from <= at && at <= to);
      const isWord = status === 503 || status === 507;
      if (isWord && isTroubled) return [];
      return [`${path} was answered ${status}${isTroubled ? '' : ', and nothing was done to the server'}`];
    });
  }

  #measureLog(): void {
    const path = join(this.#dataDir, 'posthaste.db-wal');
    if (existsSync(path)) this.largestLogBytes = Math.max(this.largestLogBytes, statSync(path).size);
  }

  async #admin(...words: readonly string[]): Promise<boolean> {
    const child = spawn(process.execPath, [ADMIN, ...words], {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: this.#dataDir, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) this.violations.push(`"${words.join(' ')}" ended with ${code}: ${said}`);
    return code === 0;
  }
}
