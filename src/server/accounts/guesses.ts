// A growing delay for an address whose password is being guessed: after ten wrong tries within a quarter of an hour each
// further one has to wait, at most a minute. Never a lock-out. In memory only: the exact limits outlive a restart.

const SPAN_MS = 15 * 60_000;
const FREE_TRIES = 10;
const LONGEST_WAIT_MS = 60_000;
const MOST_KEYS = 100_000;

export interface Guesses {
  /** Milliseconds until the next try is admitted; 0 = now. */
  waitMs(key: string, now: number): number;
  failed(key: string, now: number): void;
  succeeded(key: string): void;
  /** Takes back the newest failure: nothing was checked. */
  giveBack(key: string): void;
}

export function createGuesses(): Guesses {
  const failuresByKey = new Map<string, number[]>();
  return {
    waitMs(key, now) {
      const recent = (failuresByKey.get(key) ?? []).filter((at) => at > now - SPAN_MS);
      const last = recent.at(-1);
      if (last === undefined || recent.length < FREE_TRIES) return 0;
      const wait = Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** (recent.length - FREE_TRIES));
      return Math.max(0, last + wait - now);
    },
    failed(key, now) {
      const recent = (failuresByKey.get(key) ?? []).filter((at) => at > now - SPAN_MS);
      recent.push(now);
      failuresByKey.delete(key);
      failuresByKey.set(key, recent);
      const oldest = failuresByKey.keys().next();
      if (failuresByKey.size > MOST_KEYS && !oldest.done) failuresByKey.delete(oldest.value);
    },
    succeeded(key) {
      failuresByKey.delete(key);
    },
    giveBack(key) {
      failuresByKey.get(key)?.pop();
    },
  };
}
