// The server's clock as a device knows it, and the times that it gives to what it sends. Loaded with the network. How the
// server reads them is server/sync/effective-time.ts.
import type { SyncRequest } from '#wire/sync.ts';
import type { Operation } from '../rows/operation.ts';
import { withoutOrder } from '../tabs/sequences.ts';

/** Answers that differ by this much about the server's clock: one of the two was set. */
const CLOCK_SET_MS = 60_000;

/** The server's clock less this device's, as far as this run knows it, and what was sent by it. */
export class ServerTime {
  /** Null before the first answer. */
  #aheadMs: number | null = null;
  /** By number: what was known when the operation was sent for the first time. */
  readonly #sentBy = new Map<number, number>();

  /**
   * Each answer says how far the server's clock is ahead, less the time the answer took. The quickest one is the nearest,
   * until one of the clocks has been set.
   */
  learn(aheadMs: number): void {
    const known = this.#aheadMs;
    const isSet = known === null || Math.abs(aheadMs - known) >= CLOCK_SET_MS;
    this.#aheadMs = isSet ? aheadMs : Math.max(known, aheadMs);
    if (isSet) this.#sentBy.clear();
  }

  /** These have their verdicts. */
  forget(numbers: Iterable<number>): void {
    for (const q of numbers) this.#sentBy.delete(q);
  }

  /**
   * The operations with their times, as they are sent now. One that is sent again has the time that it had: a server that
   * was restored judges it anew, and somebody may have seen and replaced it meanwhile. One over a lost write is later than
   * that write.
   */
  dated(
    operations: readonly Operation[],
    clientNow: number,
  ): Pick<SyncRequest, 'clientNow' | 'sentAt' | 'ops'> {
    const known = this.#aheadMs;
    if (known === null) return { clientNow, ops: operations.map(withoutOrder) };
    const floors = operations.map(({ seenAt }) => (seenAt === undefined ? -Infinity : seenAt + 1));
    // What was seen has happened: the server's clock is past it.
    const sentAt = Math.max(clientNow + known, ...floors);
    const ahead = sentAt - clientNow;
    const ops = operations.map((operation, index) => {
      const first = this.#sentBy.get(operation.q) ?? known;
      this.#sentBy.set(operation.q, first);
      const time = Math.max(operation.t + first, floors[index] ?? -Infinity);
      return { ...withoutOrder(operation), t: time - ahead };
    });
    return { clientNow, sentAt, ops };
  }
}
