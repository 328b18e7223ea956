// Facts that must survive a restore of an older database: ended sessions, scopes, their members and moves between them, abandoned
// addresses of lists, erased accounts, and ended passkeys, codes and passwords. An append-only file beside the database, with
// each line on disk before the person is answered. Every line has a checksum; a line cut short by a crash is skipped. No line
// contains a secret.
import { createHmac, randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import type { Id } from '#core/ids.ts';
import { idSchema } from '#wire/values.ts';
import { syncPath } from '../data/new-file.ts';
import type { EssentialWrites } from './room.ts';

const LEDGER_FOLDER = 'ledger';
const LEDGER_FILE = 'ledger.jsonl';

const at = z.int();
const entrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session_revoked'), at, session: idSchema }),
  z.object({ type: z.literal('membership_left'), at, scope: idSchema, account: z.int() }),
  z.object({ type: z.literal('membership_joined'), at, scope: idSchema, account: z.int() }),
  /** A shared list was made; `root` is the list. */
  z.object({ type: z.literal('scope_created'), at, scope: idSchema, owner: z.int(), root: idSchema }),
  /** A shared scope is over: its list has gone back, or never came. */
  z.object({ type: z.literal('scope_closed'), at, scope: idSchema }),
  /** A shared list has another owner. */
  z.object({ type: z.literal('scope_handed'), at, scope: idSchema, account: z.int() }),
  /** Digest of the token of an invitation link. */
  z.object({ type: z.literal('link_ended'), at, hash: z.string() }),
  /** Likewise of a public link. */
  z.object({ type: z.literal('public_link_deleted'), at, hash: z.string() }),
  /** A list moved to another scope with all that is beneath it; `hops`: its hop counter there. */
  z.object({ type: z.literal('moved'), at, root: idSchema, from: idSchema, to: idSchema, hops: z.int() }),
  /** The address under a key of this ledger: recognizable but not readable. */
  z.object({ type: z.literal('account_erased'), at, email: z.string() }),
  /** Digest of the code of a list's e-mail address. */
  z.object({ type: z.literal('mail_address_ended'), at, hash: z.string() }),
  /** Likewise of the address of a person's plan. */
  z.object({ type: z.literal('calendar_feed_ended'), at, hash: z.string() }),
  /** A credential, by its mark (accounts/credential-marks.ts). */
  z.object({
    type: z.literal('credential_ended'),
    at,
    what: z.enum(['passkey', 'codes', 'recovery_codes', 'password']),
    mark: z.string(),
  }),
  /** Something is about to end. It counts only once its own line follows. */
  z.object({ type: z.literal('ending'), at }),
  z.object({ type: z.literal('codes_set'), at, account: z.int(), mark: z.string() }),
  z.object({ type: z.literal('key'), at, key: z.string() }),
]);

/** A line as it is written: an entry, or the key that addresses are disguised with. */
export type LedgerLine = z.infer<typeof entrySchema>;
/** A line of the ledger, as it is written and read. */
export type LedgerEntry = Exclude<LedgerLine, { type: 'key' }>;

export interface LedgerContent {
  /** In the order they were written. */
  readonly entries: readonly LedgerEntry[];
  /** Damaged lines. A crash leaves one at the very end. */
  readonly damaged: number;
}

/** The append-only record of facts that a restore must not undo. */
export interface Ledger {
  /** Resolves when all of it is on disk. Rejects when writing failed; then it may or may not be there. */
  record(entries: readonly LedgerEntry[]): Promise<void>;
  read(): Promise<LedgerContent>;
  /** The recorded form of an erased address. */
  disguise(email: string): string;
  /** Every form that an erased address may have in what was read. */
  disguises(email: string): readonly string[];
  close(): Promise<void>;
}

/** With its checksum and its line end. */
export function lineOf(entry: LedgerLine): string {
  const text = JSON.stringify(entry);
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;
}

function readLine(line: string): LedgerLine | null {
  const text = line.slice(9);
  if (line.slice(0, 9) !== `${crc32(text).toString(16).padStart(8, '0')} `) return null;
  try {
    const entry = entrySchema.safeParse(JSON.parse(text));
    return entry.success ? entry.data : null;
  } catch {
    return null;
  }
}

/** What is in lines, and how many are damaged. */
export function readLines(content: string): LedgerLines {
  const read = content.split('\n').filter((line) => line !== '');
  const lines = read.map(readLine).filter((line) => line !== null);
  return { lines, damaged: read.length - lines.length };
}

/** An address under a key of a ledger. */
export const disguised = (key: string, email: string) =>
  createHmac('sha256', key).update(email).digest('hex');

interface LedgerLines {
  readonly lines: readonly LedgerLine[];
  readonly damaged: number;
}

/** A ledger in one file. */
export interface OwnLedger extends Ledger {
  /** Everything in it, its key too. */
  lines(): Promise<LedgerLines>;
}

class LedgerFile implements OwnLedger {
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
      // A line end first: the remains of a failed or cut write stay on their own line.
      await this.#file.appendFile(`\n${entries.map(lineOf).join('')}`);
      await this.#file.datasync();
    };
    // Writes one after another, also after a failed one.
    const written = this.#last.then(write);
    this.#last = written.catch(() => undefined);
    return written;
  }

  async read(): Promise<LedgerContent> {
    const { lines, damaged } = await this.lines();
    return { entries: lines.filter((line) => line.type !== 'key'), damaged };
  }

  async lines(): Promise<LedgerLines> {
    return readLines(await readFile(this.#path, 'utf8'));
  }

  disguise(email: string): string {
    return disguised(this.#key, email);
  }

  disguises(email: string): readonly string[] {
    return [this.disguise(email)];
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#file.close();
  }
}

/** Opens the ledger of a data folder, creating it if necessary. Readable only by its owner. */
export async function openLedger(dataDir: string, now: number): Promise<OwnLedger> {
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
    disguises: (email) => [disguised('', email)],
    close: async () => undefined,
  };
}

/** Entries for sessions that end now. */
export const revokedEntries = (sessions: readonly Id[], now: number): readonly LedgerEntry[] =>
  sessions.map((session) => ({ type: 'session_revoked', at: now, session }));

/**
 * Ends something that a restored backup must not bring back. Nothing changes that could not be written down: a line goes
 * before. What ended is written down after the database has let it go: what it could not write has not ended, and must
 * not end with the next start. `work` resolves with what it did, and whether anything ended.
 */
export async function ending<T>(
  { ledger, room }: { readonly ledger: Pick<Ledger, 'record'>; readonly room: EssentialWrites },
  entries: readonly LedgerEntry[],
  work: () => Promise<{ readonly done: T; readonly hasEnded: boolean }>,
): Promise<T> {
  const [first] = entries;
  if (first !== undefined) await ledger.record([{ type: 'ending', at: first.at }]);
  const { done, hasEnded } = await work();
  if (hasEnded) await room.eventually(() => ledger.record(entries));
  return done;
}

/** The revoked sessions in a ledger. */
export const revokedIn = ({ entries }: LedgerContent): readonly Id[] =>
  entries.flatMap((entry) => (entry.type === 'session_revoked' ? [entry.session as Id] : []));

type EndedCredential = Extract<LedgerEntry, { type: 'credential_ended' }>;

/** Entries for credentials of one kind that end now, by their marks. */
export const endedEntries = (
  what: EndedCredential['what'],
  marks: readonly string[],
  now: number,
): readonly LedgerEntry[] => marks.map((mark) => ({ type: 'credential_ended', at: now, what, mark }));

/** Marks of ended credentials. `what`: only of this kind. */
export const endedMarks = (
  { entries }: Pick<LedgerContent, 'entries'>,
  what?: EndedCredential['what'],
): ReadonlySet<string> =>
  new Set(
    entries.flatMap((entry) =>
      entry.type === 'credential_ended' && (what === undefined || entry.what === what) ? [entry.mark] : [],
    ),
  );
