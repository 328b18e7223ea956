// Clock, timers, randomness and idle time of a browser, as the ports of the lower folders want them.
import { createIdSource, type Id } from '#core/ids.ts';
import type { Clock, Random, Timers } from '#sync/replica/ports.ts';

/** The device's own clock, uncorrected. */
export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

const LONGEST_FILL = 65_536;

/** Cryptographic bytes for ids. `fraction` is not cryptographic. */
export const random: Random = {
  fill(bytes) {
    for (let at = 0; at < bytes.length; at += LONGEST_FILL) {
      crypto.getRandomValues(bytes.subarray(at, at + LONGEST_FILL) as Uint8Array<ArrayBuffer>);
    }
  },
  fraction: () => Math.random(),
};

/** After the frame being made: the key is painted first. A hidden page makes no frames, so time also counts. */
function afterFrame(work: () => void): () => void {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    cancelAnimationFrame(frame);
    clearTimeout(fallback);
    work();
  };
  const frame = requestAnimationFrame(() => setTimeout(once, 0));
  const fallback = setTimeout(once, 50);
  return () => {
    isDone = true;
    cancelAnimationFrame(frame);
    clearTimeout(fallback);
  };
}

/** A delay of 0 waits for the next frame, at most 50 ms. In hidden tabs the browser may be late. */
export const timers: Required<Timers> = {
  after(delayMs, work) {
    if (delayMs <= 0) return afterFrame(work);
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
  soon(work) {
    if ('scheduler' in globalThis) void scheduler.postTask(work, { priority: 'user-visible' });
    else setTimeout(work, 0);
  },
};

/** Resolves after this long; 0: when this turn is over. */
export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
}

const IDLE_LIMIT_MS = 5_000;

/** When nothing else is to be done; at once-ish where browsers do not say when that is. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => work(), { timeout: IDLE_LIMIT_MS });
  else setTimeout(work, 200);
}

const AGAIN_MS = 10_000;

/** Loads something when the app is idle, and tries again while it cannot be had. The returned function ends that. */
export function loadWhenIdle<T>(load: () => Promise<T>, use: (loaded: T) => void): () => void {
  let isOver = false;
  const tryNow = (): void => {
    if (isOver) return;
    load().then(
      (loaded) => {
        if (!isOver) use(loaded);
      },
      (error: unknown) => {
        console.info('Couldn’t load part of the app.', error);
        setTimeout(tryNow, AGAIN_MS);
      },
    );
  };
  whenIdle(tryNow);
  return () => {
    isOver = true;
  };
}

/** UUIDv7 ids. Those of one page sort in the order they were made. */
export const newId: () => Id = createIdSource({
  now: () => Date.now(),
  random: (bytes) => random.fill(bytes),
});
