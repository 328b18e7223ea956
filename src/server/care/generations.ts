// The generations of a database, one for each run of the installation: the first process opens it, and who comes while
// somebody is there joins it. On a full disk the server starts without: it reads under the last one, and writes to no scope
// before its own is recorded.
import { randomUUID } from 'node:crypto';
import type { Clock } from '#sync/replica/ports.ts';
import type { Database } from '../data/database.ts';
import { type Entering, NotPresentError } from '../data/presence.ts';
import { takesNoWrites } from '../data/storage-trouble.ts';
import type { GenerationRecord } from '../data/store.ts';

type Kept = Pick<Database, 'store' | 'db' | 'presence'>;
type Place = Pick<Entering, 'self' | 'admit'>;

export interface Generations {
  /** Oldest first, the current one last. Always the same array; what is opened later, also elsewhere, is appended. */
  readonly known: readonly GenerationRecord[];
  /** Whether this run's generation is recorded. */
  readonly isOpen: boolean;
  /** Resolves when it is; rejects while that is impossible, or unknown. */
  open(): Promise<void>;
  /** Learns of those that other processes opened. */
  read(): Promise<void>;
  /** Throws while another run may have begun without this process. */
  check(): void;
}

class StartedGenerations implements Generations {
  readonly known: GenerationRecord[] = [];
  readonly #database: Kept;
  readonly #clock: Clock;
  readonly #place: Place;
  #isOpen = false;
  #opening: Promise<void> | null = null;

  constructor(database: Kept, clock: Clock, place: Place) {
    this.#database = database;
    this.#clock = clock;
    this.#place = place;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async open(): Promise<void> {
    this.check();
    if (this.#isOpen) return;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    await this.#opening;
  }

  async read(): Promise<void> {
    const found = await this.#database.db
      .selectFrom('generation')
      .select(['idx', 'nonce'])
      .orderBy('idx')
      .execute();
    this.#set(found.map(({ idx: index, nonce }) => ({ index, nonce })));
  }

  check(): void {
    if (this.#database.presence.isLost) throw new NotPresentError();
  }

  async #open(): Promise<void> {
    const { store, presence } = this.#database;
    const as = await presence.enter({
      begin: async () => this.#set(await store.openGeneration(randomUUID(), this.#clock.now())),
      current: () => this.known.at(-1)?.nonce,
      ...this.#place,
    });
    if (as === 'joined') await this.read();
    this.#isOpen = true;
  }

  /** They are only ever added: of two reads the shorter one is the earlier one. */
  #set(records: readonly GenerationRecord[]): void {
    if (records.length > this.known.length) this.known.push(...records.slice(this.known.length));
  }
}

/**
 * Rejects when nothing can be written and there is no earlier generation, and when this process may not join the others. `place`:
 * absent, it says nothing of itself to them.
 */
export async function openGenerations(database: Kept, clock: Clock, place: Place = {}): Promise<Generations> {
  const generations = new StartedGenerations(database, clock, place);
  try {
    await generations.open();
  } catch (error) {
    if (!takesNoWrites(error)) throw error;
    await generations.read();
    if (generations.known.length === 0) throw error;
  }
  return generations;
}
