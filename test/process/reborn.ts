// A real server process that is killed again and again at random moments, and its files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Answered } from '../sealing/asked-office.ts';
import type { SeededRandom } from '../simulator/random.ts';
import { startServerChild, type ServerChild } from './server-child.ts';

/** The process lives so long after a step has begun, at most. */
const LONGEST_MS = 250;
const ADMIN = fileURLToPath(new URL('../../src/server/admin.ts', import.meta.url));

/** The server, whichever process it is at the moment, as a device of one account sees it. */
export class Reborn {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'posthaste-sealing-kill-'));
  kills = 0;
  #server: ServerChild | null = null;

  async start(): Promise<string> {
    this.#server = await startServerChild(this.dataDir);
    return this.#server.address;
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.kill();
  }

  async ask(cookie: string, path: string, body?: unknown): Promise<Answered> {
    const address = this.#server?.address;
    if (address === undefined) return null;
    const headers = { 'content-type': 'application/json', cookie, origin: address };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    try {
      const answer = await fetch(address + path, { headers, ...sent });
      return { status: answer.status, body: await answer.json() };
    } catch {
      // The connection ended with the process.
      return null;
    }
  }

  /** The content of a file, or what the server says: 0, nothing. `content`: is sent instead. */
  async file(cookie: string, name: string, content?: Uint8Array): Promise<Uint8Array | number> {
    const address = this.#server?.address;
    if (address === undefined) return 0;
    const headers = { 'content-type': 'application/octet-stream', cookie, origin: address };
    const sent = content === undefined ? {} : { method: 'POST', body: new Uint8Array(content) };
    try {
      const answer = await fetch(`${address}/app/api/files/${name}`, { headers, ...sent });
      const body = new Uint8Array(await answer.arrayBuffer());
      return answer.ok && content === undefined ? body : answer.status;
    } catch {
      return 0;
    }
  }

  /** Runs a command of the server’s administration while no process is there, and starts one. */
  async admin(...args: readonly string[]): Promise<void> {
    await this.kill();
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: this.dataDir };
    const child = spawn(process.execPath, [ADMIN, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(said);
    await this.start();
  }

  /** Ends the process while this is being done, and starts the next one. */
  async killedDuring(random: SeededRandom, work: () => Promise<unknown>): Promise<void> {
    const done = work().catch(() => undefined);
    await delay(random.below(LONGEST_MS));
    await this.kill();
    this.kills += 1;
    await done;
    await this.start();
  }

  /** Whether any file of the server has the word. */
  has(word: string): boolean {
    const entries = readdirSync(this.dataDir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(word));
  }
}
