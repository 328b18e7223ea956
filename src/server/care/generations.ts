// The generations of a database, one per start. On a full disk the server starts without its own: it reads under the last
// one, and writes to no scope before its own is recorded.
import { randomUUID } from 'node:crypto';
import type { Clock } from '#sync/replica/ports.ts';
import type { Database } from '../data/database.ts';
import { takesNoWrites } from '../data/storage-trouble.ts';
import type { GenerationRecord } from '../data/store.ts';

export interface Generations {
  /** Oldest first, the current one last. Always the same array; what is opened later, also elsewhere, is appended. */
  readonly known: readonly GenerationRecord[];
  readonly isOpen: boolean;
  /** Resolves when this start's generation is recorded; rejects while that is impossible. */
  open(): Promise<void>;
  /** Learns of those that other processes opened. */
  read(): Promise<void>;
}

class StartedGenerations implements Generations {
  readonly known: GenerationRecord[] = [];
  readonly #database: Pick<Database, 'store' | 'db'>;
  readonly #clock: Clock;
  #isOpen = false;
  #opening: Promise<void> | null = null;

  constructor(database: Pick<Database, 'store' | 'db'>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): Promise<void> {
    if (this.#isOpen) return Promise.resolve();
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async read(): Promise<void> {
    const found = await this.#database.db
      .selectFrom('generation')
      .select(['idx', 'nonce'])
      .orderBy('idx')
      .execute();
    this.#set(found.map(({ idx: index, nonce }) => ({ index, nonce })));
  }

  async #open(): Promise<void> {
    this.#set(await this.#database.store.openGeneration(randomUUID(), this.#clock.now()));
    this.#isOpen = true;
  }

  /** They are only ever added: of two reads the shorter one is the earlier one. */
  #set(records: readonly GenerationRecord[]): void {
    if (records.length > this.known.length) this.known.push(...records.slice(this.known.length));
  }
}

/** Rejects when nothing can be written and there is no earlier generation. */
export async function openGenerations(
  database: Pick<Database, 'store' | 'db'>,
  clock: Clock,
): Promise<Generations> {
  const generations = new StartedGenerations(database, clock);
  try {
    await generations.open();
  } catch (error) {
    if (!takesNoWrites(error)) throw error;
    await generations.read();
    if (generations.known.length === 0) throw error;
  }
  return generations;
}
