// Corrects the ages of waiting operations when the device's clock is set: while the app runs, its monotonic clock shows
// it; while it did not run, only the server's clock can.
import type { Operation } from './operation.ts';
import type { Clock } from '../replica/ports.ts';

/** A smaller jump is drift, which is accepted as it comes; ms. */
const JUMP_MS = 2_000;
/** A smaller difference may be the travel time of an answer; ms. */
const SET_ANEW_MS = 60_000;

/**
 * Watches the device's clock and corrects the times of waiting operations. The replica calls it before it issues, and
 * with every answer.
 */
export class Ages {
  readonly #clock: Clock;
  /** Wall time minus monotonic time at the last check. */
  #anchor: number;
  /** Numbers of operations from earlier runs, until an answer shows whether the clock was set since then. */
  #earlier: ReadonlySet<number>;
  /** Numbers of operations moved since the last call of `takeMoved`. */
  readonly #moved = new Set<number>();

  constructor(clock: Clock, outbox: readonly Operation[]) {
    this.#clock = clock;
    this.#anchor = clock.now() - clock.monotonic();
    this.#earlier = new Set(outbox.map(({ q }) => q));
  }

  /** Whether all of them can be sent with the current clock. */
  get areKnown(): boolean {
    return this.#earlier.size === 0;
  }

  /** By how much the clock has jumped since the last check, in ms; 0: not at all. */
  jumped(): number {
    const anchor = this.#clock.now() - this.#clock.monotonic();
    const jump = Math.round(anchor - this.#anchor);
    if (Math.abs(jump) <= JUMP_MS) return 0;
    this.#anchor = anchor;
    return jump;
  }

  /**
   * Handles an answer. `setBy`: how far the clock is ahead compared with the previous answer, in ms; null: there was
   * none.
   */
  learn(queue: readonly Operation[], setBy: number | null): Operation[] {
    const earlier = this.#earlier;
    this.#earlier = new Set();
    if (setBy === null || Math.abs(setBy) < SET_ANEW_MS) return [...queue];
    return this.move(queue, setBy, earlier);
  }

  /** Moves the times of the operations, or of those with these numbers, to the current clock. */
  move(queue: readonly Operation[], byMs: number, only?: ReadonlySet<number>): Operation[] {
    return queue.map((operation) => {
      if (only?.has(operation.q) === false) return operation;
      this.#moved.add(operation.q);
      return { ...operation, t: operation.t + byMs };
    });
  }

  /** The operations moved since the last call: they have to be saved. */
  takeMoved(queue: readonly Operation[]): readonly Operation[] {
    if (this.#moved.size === 0) return [];
    const taken = queue.filter(({ q }) => this.#moved.has(q));
    this.#moved.clear();
    return taken;
  }
}
