// Exact sliding windows: how often a key may do something within each of several spans of time.
// Time is passed in and must be monotonic, so that setting the wall clock changes nothing. Not here: the limits themselves
// (rates.ts).

/** At most `count` accepted calls within any `windowMs` milliseconds. */
export interface Window {
  readonly count: number;
  readonly windowMs: number;
}

/** A call that was counted. */
export interface Taken {
  readonly allowed: true;
  /** Of the window that is closest to its end. */
  readonly limit: number;
  readonly remaining: number;
  /** Until that window has room for one more than now. */
  readonly resetMs: number;
}

/** A call over the limit, which was not counted. */
export interface Refused {
  readonly allowed: false;
  readonly limit: number;
  /** Until a call would be accepted. */
  readonly retryAfterMs: number;
}

/** Accepted times of one key, oldest first. */
export interface KeyTimes {
  readonly key: string;
  readonly times: readonly number[];
}

export interface Windows {
  /**
   * Counts one call of `key` at `now`, unless a window is full; refused calls are not counted. `own`: windows specific to
   * the key.
   */
  take(key: string, now: number, own?: readonly Window[]): Taken | Refused;
  /** As `take`, counting nothing. */
  peek(key: string, now: number): Taken | Refused;
  /** Takes back the newest call of `key`, which turned out not to count. */
  giveBack(key: string): void;
  /** All times still within a window. */
  entries(now: number): readonly KeyTimes[];
  /** Puts saved times back; those of a key must be ascending. */
  restore(entry: KeyTimes): void;
}

const SWEEP_EVERY = 1_024;

/** What one window holds. */
export interface Measured {
  /** Calls within it. */
  readonly used: number;
  /** The first of them. */
  readonly oldest: number | null;
  /** The call after whose end there is room; null: there is room. */
  readonly blocking: number | null;
}

function measure(times: readonly number[], now: number, { count, windowMs }: Window): Measured {
  const since = now - windowMs;
  const blocking = times[times.length - count] ?? -Infinity;
  if (blocking > since) return { used: count, oldest: null, blocking };
  let used = 0;
  while (used < times.length && (times[times.length - 1 - used] ?? 0) > since) used += 1;
  return { used, oldest: times[times.length - used] ?? null, blocking: null };
}

/** Whether one more call is accepted, by what its windows hold; as many are measured as there are. */
export function judge(
  windows: readonly Window[],
  measured: readonly Measured[],
  now: number,
): Taken | Refused {
  let tightest: Taken | undefined;
  let longestWait: Refused | undefined;
  for (const [index, { count, windowMs }] of windows.entries()) {
    const { used = 0, oldest = null, blocking = null } = measured[index] ?? {};
    if (blocking !== null) {
      const retryAfterMs = blocking + windowMs - now;
      if (!longestWait || retryAfterMs > longestWait.retryAfterMs)
        longestWait = { allowed: false, limit: count, retryAfterMs };
      continue;
    }
    const remaining = count - used - 1;
    if (!tightest || remaining < tightest.remaining)
      tightest = { allowed: true, limit: count, remaining, resetMs: (oldest ?? now) + windowMs - now };
  }
  return longestWait ?? tightest ?? { allowed: true, limit: 0, remaining: 0, resetMs: 0 };
}

/** `windows` must not be empty. Memory is bounded by the calls accepted within the longest window. */
export function createWindows(windows: readonly Window[]): Windows {
  const timesByKey = new Map<string, number[]>();
  const longestMs = Math.max(...windows.map(({ windowMs }) => windowMs));
  const mostTimes = Math.max(...windows.map(({ count }) => count));
  let untilSweep = SWEEP_EVERY;

  const isOver = (times: readonly number[], now: number) => (times.at(-1) ?? -Infinity) <= now - longestMs;

  function sweep(now: number): void {
    untilSweep -= 1;
    if (untilSweep > 0) return;
    untilSweep = SWEEP_EVERY;
    for (const [key, times] of timesByKey) if (isOver(times, now)) timesByKey.delete(key);
  }

  const decide = (times: readonly number[], now: number, using = windows) =>
    judge(
      using,
      using.map((window) => measure(times, now, window)),
      now,
    );

  return {
    take(key, now, own) {
      sweep(now);
      const times = timesByKey.get(key) ?? [];
      const decision = decide(times, now, own);
      if (!decision.allowed) return decision;
      times.push(now);
      const most = Math.max(mostTimes, ...(own ?? []).map(({ count }) => count));
      if (times.length > most) times.splice(0, times.length - most);
      timesByKey.set(key, times);
      return decision;
    },
    peek: (key, now) => decide(timesByKey.get(key) ?? [], now),
    giveBack(key) {
      const times = timesByKey.get(key);
      times?.pop();
      if (times?.length === 0) timesByKey.delete(key);
    },
    entries(now) {
      return [...timesByKey]
        .filter(([, times]) => !isOver(times, now))
        .map(([key, times]) => ({ key, times: times.filter((time) => time > now - longestMs) }));
    },
    restore({ key, times }) {
      timesByKey.set(key, [...times]);
    },
  };
}
