// What must stay true when the database is put back to an older state: sessions that were ended, memberships that were
// left, addresses of lists that were given up, accounts that were erased. A file beside the database to which lines are only added, each on disk before the
// person is answered. Every line carries a checksum; a line cut short by a crash is passed over.
import { createHmac, randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import type { Id } from '#core/ids.ts';
import { idSchema } from '#wire/values.ts';
import { syncPath } from '../data/new-file.ts';

const LEDGER_FOLDER = 'ledger';
const LEDGER_FILE = 'ledger.jsonl';

const at = z.int();
const entrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session_revoked'), at, session: idSchema }),
  z.object({ type: z.literal('membership_left'), at, scope: idSchema, account: z.int() }),
  z.object({ type: z.literal('membership_joined'), at, scope: idSchema, account: z.int() }),
  /** The address under a key of this ledger: it can be recognised and not read. */
  z.object({ type: z.literal('account_erased'), at, email: z.string() }),
  /** Digest of the code of a list's e-mail address. */
  z.object({ type: z.literal('mail_address_ended'), at, hash: z.string() }),
  z.object({ type: z.literal('key'), at, key: z.string() }),
]);

type Line = z.infer<typeof entrySchema>;
export type LedgerEntry = Exclude<Line, { type: 'key' }>;

export interface LedgerContent {
  /** In the order they were written. */
  readonly entries: readonly LedgerEntry[];
  /** Lines that are not what was written. One at the very end is what a crash leaves. */
  readonly damaged: number;
}

export interface Ledger {
  /** Resolves when all of it is on disk. Rejects when that cannot be; then it may or may not be there. */
  record(entries: readonly LedgerEntry[]): Promise<void>;
  read(): Promise<LedgerContent>;
  /** How an erased address is written down. */
  disguise(email: string): string;
  close(): Promise<void>;
}

function lineOf(entry: Line): string {
  const text = JSON.stringify(entry);
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;
}

function readLine(line: string): Line | null {
  const text = line.slice(9);
  if (line.slice(0, 9) !== `${crc32(text).toString(16).padStart(8, '0')} `) return null;
  try {
    const entry = entrySchema.safeParse(JSON.parse(text));
    return entry.success ? entry.data : null;
  } catch {
    return null;
  }
}

function readLines(content: string): { readonly lines: readonly Line[]; readonly damaged: number } {
  const read = content.split('\n').filter((line) => line !== '');
  const lines = read.map(readLine).filter((line) => line !== null);
  return { lines, damaged: read.length - lines.length };
}

const disguised = (key: string, email: string) => createHmac('sha256', key).update(email).digest('hex');

class LedgerFile implements Ledger {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #key: string;
  #last: Promise<void> = Promise.resolve();

  constructor(file: FileHandle, path: string, key: string) {
    this.#file = file;
    this.#path = path;
    this.#key = key;
  }

  record(entries: readonly LedgerEntry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    const write = async () => {
      // A line end first: whatever a failed or cut write left behind stays a line of its own.
      await this.#file.appendFile(`\n${entries.map(lineOf).join('')}`);
      await this.#file.datasync();
    };
    // One after another, also after one that failed.
    const written = this.#last.then(write);
    this.#last = written.catch(() => undefined);
    return written;
  }

  async read(): Promise<LedgerContent> {
    const { lines, damaged } = readLines(await readFile(this.#path, 'utf8'));
    return { entries: lines.filter((line) => line.type !== 'key'), damaged };
  }

  disguise(email: string): string {
    return disguised(this.#key, email);
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#file.close();
  }
}

/** Opens the ledger of a data folder, which it makes if need be. Only its owner may read it. */
export async function openLedger(dataDir: string, now: number): Promise<Ledger> {
  const folder = join(dataDir, LEDGER_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, LEDGER_FILE);
  const file = await open(path, 'a', 0o600);
  try {
    await file.chmod(0o600);
    const { lines } = readLines(await readFile(path, 'utf8'));
    const known = lines.find((line) => line.type === 'key')?.key;
    if (known !== undefined) return new LedgerFile(file, path, known);
    const key = randomBytes(32).toString('hex');
    await file.appendFile(`\n${lineOf({ type: 'key', at: now, key })}`);
    await file.datasync();
    syncPath(folder);
    return new LedgerFile(file, path, key);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** For a database that ends with the process: so does this. */
export function createMemoryLedger(): Ledger {
  const entries: LedgerEntry[] = [];
  return {
    record: async (added) => void entries.push(...added),
    read: async () => ({ entries: [...entries], damaged: 0 }),
    disguise: (email) => disguised('', email),
    close: async () => undefined,
  };
}

export const revokedEntries = (sessions: readonly Id[], now: number): readonly LedgerEntry[] =>
  sessions.map((session) => ({ type: 'session_revoked', at: now, session }));
