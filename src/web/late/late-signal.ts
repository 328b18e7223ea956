// Signals that are drawn one frame behind the key: counts and messages tell about what a key changed, and the change itself
// is painted first. The value drawn is the signal's own, so a component never sees two at once.
import type { Signal } from '#client/app/signal.ts';

/** How long a new value waits: not at all, until the frame being made is painted, or so many milliseconds. */
export type Wait = 'none' | 'painted' | number;

/** Where the waiting happens. Both return the cancellation. */
export interface LateClock {
  readonly painted: (work: () => void) => () => void;
  readonly after: (delayMs: number, work: () => void) => () => void;
}

/** A page that is not looked at makes no frames; by then the value is drawn all the same. */
const UNPAINTED_MS = 100;

const idle: (work: () => void) => number =
  'requestIdleCallback' in globalThis
    ? (work) => requestIdleCallback(work, { timeout: UNPAINTED_MS })
    : (work) => window.setTimeout(work);
const notIdle = 'cancelIdleCallback' in globalThis ? cancelIdleCallback : clearTimeout;

/** After the frame, as soon as nothing more urgent is to do: keys that follow at once come first. */
function painted(work: () => void): () => void {
  let rest: number | undefined;
  const go = () => {
    stop();
    work();
  };
  const frame = requestAnimationFrame(() => {
    rest = idle(go);
  });
  const fallback = setTimeout(go, UNPAINTED_MS);
  function stop() {
    cancelAnimationFrame(frame);
    clearTimeout(fallback);
    if (rest !== undefined) notIdle(rest);
  }
  return stop;
}

const page: LateClock = {
  painted,
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * Returns a function that gives the late twin of a signal; the same signal has one twin. `waitOf` says how long the next
 * value waits while `shown` is drawn; null: nothing that is drawn differs. Values that come meanwhile are skipped.
 */
export function late<T>(
  waitOf: (next: T, shown: T) => Wait | null,
  clock: LateClock = page,
): (source: Signal<T>) => Signal<T> {
  const twins = new WeakMap<Signal<T>, Signal<T>>();
  return (source) => {
    const twin = twins.get(source) ?? lateTwin(source, waitOf, clock);
    twins.set(source, twin);
    return twin;
  };
}

function lateTwin<T>(
  source: Signal<T>,
  waitOf: (next: T, shown: T) => Wait | null,
  clock: LateClock,
): Signal<T> {
  const listeners = new Set<() => void>();
  let shown = source.get();
  let waiting: { readonly for: Wait; readonly stop: () => void } | null = null;
  let leave: (() => void) | null = null;

  function stop() {
    waiting?.stop();
    waiting = null;
  }
  function show() {
    stop();
    shown = source.get();
    for (const listener of listeners) listener();
  }
  function see() {
    const wait = waitOf(source.get(), shown);
    // Back to what is drawn, a value that was to come does not come.
    if (wait === null) stop();
    else if (wait === 'none') show();
    else if (waiting === null || (wait === 'painted' && waiting.for !== 'painted')) {
      stop();
      const cancel = wait === 'painted' ? clock.painted(show) : clock.after(wait, show);
      waiting = { for: wait, stop: cancel };
    }
  }
  return {
    get() {
      if (leave === null) shown = source.get();
      return shown;
    },
    subscribe(listener) {
      listeners.add(listener);
      if (leave === null) {
        const unsubscribe = source.subscribe(see);
        leave = () => {
          unsubscribe();
          stop();
        };
        // It may have changed between drawing and subscribing.
        if (!Object.is(source.get(), shown)) show();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        leave?.();
        leave = null;
      };
    },
  };
}
