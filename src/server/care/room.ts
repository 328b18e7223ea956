// Keeps essential work going on a full disk: gives up the ballast and checkpoints the database, so that people can still
// sign in and out, and keeps small writes in memory until there is space. Not here: refusing new content when little is
// left (disk-watch.ts).
import type { Clock } from '#sync/replica/ports.ts';
import type { Database } from '../data/database.ts';
import { storageTrouble, takesNoWrites } from '../data/storage-trouble.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Ballast } from './ballast.ts';

const TEND_EVERY_MS = 5_000;
/** A starting server has better things to do than write a large file. */
const FIRST_BALLAST_MS = 60_000;
/** Beyond this number droppable writes are no longer kept in memory. */
const MOST_WAITING = 1_000;

/** Small writes that a full disk must not stop. */
export interface EssentialWrites {
  /** Retries once with the space of the ballast. Rejects when that was not enough. */
  essential<T>(work: () => Promise<T>): Promise<T>;
  /**
   * As `essential`, but a write that still finds no space waits in memory, in order, and this resolves. `mayDrop`: not
   * worth the memory when very many wait.
   */
  eventually(work: () => Promise<unknown>, options?: { readonly mayDrop?: boolean }): Promise<void>;
}

/** For commands, which report a failed write instead. */
export const plainWrites: EssentialWrites = {
  essential: (work) => work(),
  async eventually(work) {
    await work();
  },
};

/** The space of the data folder's disk, and the writes that wait for it. */
export interface Room extends EssentialWrites {
  /** Checkpoints, gives up or remakes the ballast, and writes waiting ones. Also called by a timer once started. */
  tend(): Promise<void>;
  /** A write found no space: gives up the ballast if it is still there. */
  relieve(): Promise<void>;
  /** Makes the ballast if there is space for it. Resolves with whether it exists. */
  makeBallast(): Promise<boolean>;
  /** Number of writes waiting in memory. */
  waiting(): number;
  start(): void;
  /** Tries waiting writes once more. */
  stop(): Promise<void>;
}

export interface RoomPorts {
  /** Null: no ballast. */
  readonly ballast: Ballast | null;
  readonly database: Pick<Database, 'checkpoint' | 'release'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Logger;
}

class DiskRoom implements Room {
  readonly #ports: RoomPorts;
  readonly #startedAt: number;
  readonly #waiting: (() => Promise<unknown>)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #tending: Promise<void> | null = null;
  #relieving: Promise<void> | null = null;

  constructor(ports: RoomPorts) {
    this.#ports = ports;
    this.#startedAt = ports.clock.monotonic();
  }

  async essential<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (storageTrouble(error) !== 'full') throw error;
      await this.relieve();
      return await work();
    }
  }

  async eventually(
    work: () => Promise<unknown>,
    { mayDrop = false }: { readonly mayDrop?: boolean } = {},
  ): Promise<void> {
    try {
      // Earlier writes come first.
      if (this.#waiting.length === 0) {
        await this.essential(work);
        return;
      }
    } catch (error) {
      if (!takesNoWrites(error)) throw error;
      this.#ports.log.error('writes_wait_for_room');
    }
    if (!mayDrop || this.#waiting.length < MOST_WAITING) this.#waiting.push(work);
  }

  tend(): Promise<void> {
    this.#tending ??= this.#tend().finally(() => {
      this.#tending = null;
    });
    return this.#tending;
  }

  relieve(): Promise<void> {
    this.#relieving ??= this.#giveUp().finally(() => {
      this.#relieving = null;
    });
    return this.#relieving;
  }

  async makeBallast(): Promise<boolean> {
    const { ballast, log } = this.#ports;
    if (ballast === null || ballast.isKept) return ballast !== null;
    try {
      const bytes = await ballast.make();
      if (bytes > 0) log.info('ballast_made', { count: bytes });
      return bytes > 0;
    } catch (error) {
      log.error('ballast_not_made', errorDetail(error));
      return false;
    }
  }

  waiting(): number {
    return this.#waiting.length;
  }

  start(): void {
    const { log } = this.#ports;
    const tend = () => this.tend().catch((error: unknown) => log.error('room_failed', errorDetail(error)));
    this.#timer = setInterval(() => void tend(), TEND_EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#tending?.catch(() => undefined);
    await this.#write();
    if (this.#waiting.length > 0) this.#ports.log.error('writes_lost', { count: this.#waiting.length });
  }

  async #tend(): Promise<void> {
    const { ballast, database, clock } = this.#ports;
    if (ballast?.isKept === true && ballast.isShort) await this.relieve();
    else await database.checkpoint();
    await this.#write();
    const isSettled = clock.monotonic() - this.#startedAt >= FIRST_BALLAST_MS;
    if (isSettled && ballast?.isKept === false) await this.makeBallast();
  }

  /** The space of the database's log is freed as well. */
  async #giveUp(): Promise<void> {
    const { ballast, database, log } = this.#ports;
    if (ballast?.isKept === true) {
      ballast.giveUp();
      log.error('disk_full_ballast_given_up');
    }
    await database.release();
  }

  /** Stops at the first write that still finds no space. One that fails otherwise is logged and dropped. */
  async #write(): Promise<void> {
    for (let work = this.#waiting[0]; work !== undefined; work = this.#waiting[0]) {
      try {
        await work();
      } catch (error) {
        if (storageTrouble(error) !== null) return;
        this.#ports.log.error('write_failed', errorDetail(error));
      }
      this.#waiting.shift();
    }
  }
}

/** The room of a data folder; nothing happens by timer before `start`. */
export function createRoom(ports: RoomPorts): Room {
  return new DiskRoom(ports);
}
