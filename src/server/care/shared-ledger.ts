// The ledger of several servers: each writes its own file, and what it wrote goes on into the bucket, where all of them read all of it.
// A line is on the disk of its server before the person is answered. While the bucket takes nothing it waits there, also over a
// restart. An object in a bucket cannot be appended to: the one that is being written is written anew until it is large.
import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { IN_MEMORY } from '../config.ts';
import { isPostgresUrl } from '../data/location.ts';
import { Bucket } from '../files/bucket.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import {
  createMemoryLedger,
  disguised,
  type Ledger,
  type LedgerContent,
  type LedgerEntry,
  type LedgerLine,
  lineOf,
  openLedger,
  type OwnLedger,
  readLines,
} from './ledger.ts';

const FOLDER = 'ledger/';
const ENDING = '.jsonl';
/** An object of this size is left as it is, and the next one begun. */
const FULL_BYTES = 64 * 1_024;
const READ_AT_ONCE = 8;
const PATIENCE_MS = 3_000;

class SharedLedger implements Ledger {
  readonly #own: OwnLedger;
  readonly #bucket: Bucket;
  readonly #log: Logger;
  readonly #name = randomUUID();
  /** Of which it is known that they are in the bucket. */
  readonly #shared = new Set<string>();
  #waiting: string[] = [];
  #keys: readonly string[] = [];
  /** Begins each object: without its key nobody else knows what addresses were disguised with. */
  #head = '';
  #object = '';
  #number = 1;
  #sharing: Promise<void> | null = null;

  constructor(own: OwnLedger, bucket: Bucket, log: Logger) {
    this.#own = own;
    this.#bucket = bucket;
    this.#log = log;
  }

  async open(): Promise<void> {
    const { lines } = await this.#own.lines();
    this.#head = lines
      .filter(({ type }) => type === 'key')
      .map(lineOf)
      .join('');
  }

  async record(entries: readonly LedgerEntry[]): Promise<void> {
    await this.#own.record(entries);
    this.#waiting.push(...entries.map(lineOf));
    await this.#shareSoon();
  }

  async read(): Promise<LedgerContent> {
    const own = await this.#own.lines();
    const others = await this.#fromBucket().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`The ledger in the bucket of BLOB_URL can't be read: ${reason}`);
    });
    const byText = new Map([...others.lines, ...own.lines].map((line) => [lineOf(line), line]));
    this.#keys = [...byText.values()].flatMap((line) => (line.type === 'key' ? [line.key] : []));
    // What could not be shared before.
    for (const line of own.lines)
      if (line.type !== 'key' && !this.#shared.has(lineOf(line))) this.#waiting.push(lineOf(line));
    await this.#shareSoon();
    const entries = [...byText.values()].filter((line) => line.type !== 'key');
    return {
      entries: entries.toSorted((a, b) => a.at - b.at),
      damaged: own.damaged + others.damaged,
    };
  }

  disguise(email: string): string {
    return this.#own.disguise(email);
  }

  disguises(email: string): readonly string[] {
    return [...new Set([this.disguise(email), ...this.#keys.map((key) => disguised(key, email))])];
  }

  async close(): Promise<void> {
    await this.#shareSoon();
    await this.#own.close();
  }

  async #fromBucket(): Promise<{ readonly lines: readonly LedgerLine[]; readonly damaged: number }> {
    const keys: string[] = [];
    for await (const { key } of this.#bucket.list(FOLDER)) if (key.endsWith(ENDING)) keys.push(key);
    const lines: LedgerLine[] = [];
    let damaged = 0;
    const work = async () => {
      for (let key = keys.shift(); key !== undefined; key = keys.shift()) {
        const found = readLines(await (await this.#bucket.ask('GET', key, {})).text());
        lines.push(...found.lines);
        damaged += found.damaged;
      }
    };
    await Promise.all(Array.from({ length: READ_AT_ONCE }, work));
    for (const line of lines) this.#shared.add(lineOf(line));
    return { lines, damaged };
  }

  /** A bucket that is slow holds nobody up for long. */
  async #shareSoon(): Promise<void> {
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      late = setTimeout(resolve, PATIENCE_MS);
    });
    await Promise.race([this.#share(), patience]);
    clearTimeout(late);
  }

  /** Never rejects: what the bucket doesn't take waits for the next time. */
  async #share(): Promise<void> {
    // Lines that came while others were on their way go together.
    while (this.#waiting.length > 0) {
      if (this.#sharing !== null) {
        await this.#sharing;
        continue;
      }
      let isTaken = false;
      this.#sharing = this.#write().then(
        () => {
          isTaken = true;
        },
        (error: unknown) => this.#log.error('ledger_not_shared', errorDetail(error)),
      );
      await this.#sharing;
      this.#sharing = null;
      if (!isTaken) return;
    }
  }

  async #write(): Promise<void> {
    const lines = [...new Set(this.#waiting)].filter((line) => !this.#shared.has(line));
    const count = this.#waiting.length;
    if (lines.length > 0) {
      const object = (this.#object || this.#head) + lines.join('');
      const key = `${FOLDER}${this.#name}-${this.#number}${ENDING}`;
      await this.#bucket.ask('PUT', key, { body: object });
      this.#object = object;
      for (const line of lines) this.#shared.add(line);
    }
    this.#waiting = this.#waiting.slice(count);
    if (this.#object.length < FULL_BYTES) return;
    this.#object = '';
    this.#number += 1;
  }
}

/** What the ledger of a server depends on. */
export type LedgerConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'bucket'>;

/** The ledger of this configuration: of several servers where there can be some. */
export async function openLedgerOf(
  { dataDir, databaseUrl, bucket }: LedgerConfig,
  now: number,
  log: Logger,
): Promise<Ledger> {
  if (dataDir === IN_MEMORY) return createMemoryLedger();
  const own = await openLedger(dataDir, now);
  const isShared = databaseUrl !== null && isPostgresUrl(databaseUrl) && bucket !== null;
  if (!isShared) return own;
  const shared = new SharedLedger(own, new Bucket(bucket), log);
  await shared.open();
  return shared;
}
