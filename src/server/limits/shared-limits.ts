// Counting together with the other processes, and what holds while that can't be done: the process counts for itself, up to its
// part of each limit. Keys leave this process only as digests under the key of the server.
import type { Clock } from '#sync/replica/ports.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Counted, Counters } from './counters.ts';
import { createGuesses, type Guesses } from './guesses.ts';
import type { Window } from './window.ts';

/** A request waits no longer for a counter. */
const PATIENCE_MS = 1_000;
/** After a failure the counter is left alone for so long. */
const REST_MS = 1_000;
const SWEEP_EVERY_MS = 10 * 60_000;

export interface SharedLimitPorts {
  readonly counters: Counters;
  /** This process, and all that are there. */
  readonly node: string;
  readonly nodes: () => readonly string[];
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Signs with a key that all processes have, and nobody who only sees the counters. */
  readonly sign: (text: string) => string;
  readonly log: Logger;
}

/** What this process has given away of one account. */
interface Place {
  count: number;
  /** Asked for, or on their way back. */
  waiting: number;
  last: Promise<unknown>;
}

/** What a process counts with others. */
export class SharedLimits {
  readonly #ports: SharedLimitPorts;
  readonly #places = new Map<number, Place>();
  readonly #sweeping: NodeJS.Timeout;
  #restsUntil = -Infinity;
  #isFailing = false;

  constructor(ports: SharedLimitPorts) {
    this.#ports = ports;
    this.#sweeping = setInterval(
      () => void this.attempt((counters) => counters.sweep(), undefined),
      SWEEP_EVERY_MS,
    ).unref();
  }

  /** What is counted of this key, without its text. */
  counted(rate: string, key: string): Counted {
    return { rate, key: this.#ports.sign(`limit ${rate} ${key}`).slice(0, 22) };
  }

  /** The part of each window that this process may give away by itself. */
  part(windows: readonly Window[]): readonly Window[] {
    const share = Math.max(1, this.#ports.nodes().length);
    return windows.map(({ count, windowMs }) => ({
      count: Math.max(1, Math.floor(count / share)),
      windowMs,
    }));
  }

  /** What the counters say; `otherwise` while they can't be reached. */
  async attempt<T, O>(work: (counters: Counters) => Promise<T>, otherwise: O): Promise<T | O> {
    const { counters, clock, log } = this.#ports;
    if (clock.monotonic() < this.#restsUntil) return otherwise;
    let late: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Error('The counters do not answer.')), PATIENCE_MS);
    });
    try {
      const result = await Promise.race([work(counters), timeout]);
      this.#isFailing = false;
      return result;
    } catch (error) {
      this.#restsUntil = clock.monotonic() + REST_MS;
      // Told once, not for every call.
      if (!this.#isFailing) log.error('limits_not_shared', errorDetail(error));
      this.#isFailing = true;
      return otherwise;
    } finally {
      clearTimeout(late);
    }
  }

  /** Tries of passwords. */
  guesses(): Guesses {
    const own = createGuesses(() => this.#ports.clock.monotonic());
    const of = (key: string) => this.counted('guesses', key);
    return {
      admit: async (key) => {
        // Counted here, too, for the time without the others.
        const here = await own.admit(key);
        return await this.attempt((counters) => counters.guess(of(key)), here);
      },
      succeeded: async (key) => {
        await own.succeeded(key);
        await this.attempt((counters) => counters.forget(of(key)), undefined);
      },
      giveBack: async (key) => {
        await own.giveBack(key);
        await this.attempt((counters) => counters.giveBack(of(key)), undefined);
      },
    };
  }

  /** Gives a place of the account away, unless all processes together have given away this many. */
  sit(account: number, most: number): Promise<boolean> {
    return this.#inTurn(account, async (place) => {
      const [part] = this.part([{ count: most, windowMs: 0 }]);
      const isFree = await this.#note(account, place.count + 1, most, place.count < (part?.count ?? most));
      if (isFree) place.count += 1;
      return isFree;
    });
  }

  /** The place is free again. */
  leave(account: number, most: number): Promise<boolean> {
    return this.#inTurn(account, (place) => {
      place.count -= 1;
      return this.#note(account, place.count, most, true);
    });
  }

  close(): void {
    clearInterval(this.#sweeping);
  }

  /** One after another: what is noted last is what there is. */
  async #inTurn(account: number, work: (place: Place) => Promise<boolean>): Promise<boolean> {
    const place = this.#places.get(account) ?? { count: 0, waiting: 0, last: Promise.resolve() };
    this.#places.set(account, place);
    place.waiting += 1;
    const done = place.last.then(() => work(place));
    place.last = done;
    const result = await done;
    place.waiting -= 1;
    if (place.waiting === 0 && place.count === 0) this.#places.delete(account);
    return result;
  }

  #note(account: number, count: number, most: number, otherwise: boolean): Promise<boolean> {
    const { node, nodes } = this.#ports;
    return this.attempt(
      (counters) => counters.sit({ account, node, count, most, nodes: nodes() }),
      otherwise,
    );
  }
}
