// A growing delay for an address whose password is being guessed: after ten wrong tries within a quarter of an hour each
// further one has to wait, at most a minute. Never a lock-out. In memory only, or shared with other processes:
// the exact limits outlive a restart.

/** How long a wrong try counts. */
export const guessSpanMs = 15 * 60_000;
/** Wrong tries without a wait. */
export const freeTries = 10;
/** The longest wait. */
export const longestGuessWaitMs = 60_000;
const MOST_KEYS = 100_000;

/** Counts tries. Each counts as wrong until it turns out right. */
export interface Guesses {
  /** Counts a try, unless it has to wait: so many milliseconds, or 0. */
  admit(key: string): Promise<number>;
  /** Forgets the wrong ones. */
  succeeded(key: string): Promise<void>;
  /** Takes back the newest one: nothing was checked. */
  giveBack(key: string): Promise<void>;
}

/** How long the next try has to wait after so many wrong ones, the last of them `agoMs` ago. */
export function guessWaitMs(tries: number, agoMs: number): number {
  if (tries < freeTries) return 0;
  return Math.max(0, Math.min(longestGuessWaitMs, 1_000 * 2 ** (tries - freeTries)) - agoMs);
}

/** In memory. `now`: milliseconds that only grow. */
export function createGuesses(now: () => number): Guesses {
  const failuresByKey = new Map<string, number[]>();
  return {
    async admit(key) {
      const at = now();
      const recent = (failuresByKey.get(key) ?? []).filter((time) => time > at - guessSpanMs);
      const wait = guessWaitMs(recent.length, at - (recent.at(-1) ?? at));
      if (wait > 0) return wait;
      recent.push(at);
      failuresByKey.delete(key);
      failuresByKey.set(key, recent);
      const oldest = failuresByKey.keys().next();
      if (failuresByKey.size > MOST_KEYS && !oldest.done) failuresByKey.delete(oldest.value);
      return 0;
    },
    async succeeded(key) {
      failuresByKey.delete(key);
    },
    async giveBack(key) {
      failuresByKey.get(key)?.pop();
    },
  };
}
