// The clock inside the page, installed before any of the page's own code. A measurement begins at a trusted keydown's own
// time stamp (given by the browser's process, so waiting for a busy main thread counts) and ends with the first frame in
// which the expectation holds. This function is sent to the page as text: it uses nothing from outside itself.

/** One key as the page saw it; milliseconds. */
export interface KeyRecord {
  /** Time stamp of the event, on the page's clock. */
  readonly at: number;
  /** Until the first listener ran: the main thread was busy. */
  readonly delay: number;
  /** Until the end of the first frame after the key, whatever it showed. */
  readonly paint: number;
  /** Until the end of the first frame that showed the result; null when none did in time. */
  readonly done: number | null;
  /** The expectation held before the key was pressed: the record says nothing. */
  readonly wasTrue: boolean;
}

export interface HeldRecord {
  /** From each repeat to the end of the next frame. */
  readonly paints: readonly number[];
  /** How long after the last repeat the selection still moved. */
  readonly catchUp: number;
  /** Different positions that were painted. */
  readonly positions: number;
}

export interface Probe {
  /** Arms the clock for the next key. `name` is one of the predicates installed with the probe. */
  expect(name: string, argument: unknown, limitMs: number): void;
  /** Resolves when the armed key has been answered, or not in time. */
  result(): Promise<KeyRecord>;
  /** When, on the page's clock, a predicate first held at the end of a frame; null when not in time. */
  waitFor(name: string, argument: unknown, limitMs: number): Promise<number | null>;
  /** Watches what a predicate-like reader returns while a key is held. */
  watchHeld(name: string): void;
  heldResult(settleMs: number): Promise<HeldRecord>;
  /** Event Timing's own duration for a key, 8 ms steps; undefined when it was short. */
  eventDuration(at: number): number | undefined;
  /** Tasks over 50 ms since the page began. */
  longTasks(): number;
}

export type Predicate = (argument: never) => unknown;

declare global {
  // The probe is a global of the page under test.
  var benchProbe: Probe;
  var benchPredicates: Readonly<Record<string, (argument: unknown) => unknown>>;
}

/** Runs in the page. */
export function installProbe(): void {
  if ('benchProbe' in globalThis) return;
  const channel = new MessageChannel();
  const waiting: ((now: number) => void)[] = [];
  channel.port1.addEventListener('message', () => {
    const now = performance.now();
    for (const work of waiting.splice(0)) work(now);
  });
  channel.port1.start();
  // A message posted inside a frame's callback is delivered after that frame's style, layout and paint.
  const afterFrame = (work: (now: number) => void): void => {
    requestAnimationFrame(() => {
      waiting.push(work);
      channel.port2.postMessage(null);
    });
  };
  const holds = (name: string, argument: unknown): boolean => {
    try {
      return Boolean(globalThis.benchPredicates[name]?.(argument));
    } catch {
      // What it looks at is not there yet.
      return false;
    }
  };

  interface Armed {
    name: string;
    argument: unknown;
    limitMs: number;
    wasTrue: boolean;
    resolve: (record: KeyRecord) => void;
  }
  interface Watch {
    name: string;
    value: unknown;
    changedAt: number;
    positions: number;
    keys: { at: number; paint?: number }[];
  }
  let armed: Armed | null = null;
  let result: Promise<KeyRecord> = Promise.reject(new Error('No key was expected.'));
  result.catch(() => undefined);
  let held: Watch | null = null;
  const durations = new Map<number, number>();
  let longTasks = 0;

  const follow = (event: KeyboardEvent, watch: Armed): void => {
    const at = event.timeStamp;
    const delay = performance.now() - at;
    let paint: number | undefined;
    const look = (now: number): void => {
      paint ??= now - at;
      const isDone = holds(watch.name, watch.argument);
      if (!isDone && now - at < watch.limitMs) afterFrame(look);
      else watch.resolve({ at, delay, paint, done: isDone ? now - at : null, wasTrue: watch.wasTrue });
    };
    afterFrame(look);
  };

  addEventListener(
    'keydown',
    (event) => {
      if (!event.isTrusted || ['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) return;
      if (held) {
        const key: { at: number; paint?: number } = { at: event.timeStamp };
        held.keys.push(key);
        afterFrame((now) => {
          key.paint = now - key.at;
        });
        return;
      }
      const watch = armed;
      armed = null;
      if (watch) follow(event, watch);
    },
    { capture: true },
  );

  globalThis.benchProbe = {
    expect(name, argument, limitMs) {
      result = new Promise((resolve) => {
        armed = { name, argument, limitMs, wasTrue: holds(name, argument), resolve };
      });
    },
    result: () => result,
    waitFor: (name, argument, limitMs) =>
      new Promise((resolve) => {
        const startedAt = performance.now();
        const look = (now: number): void => {
          if (holds(name, argument)) resolve(now);
          else if (now - startedAt > limitMs) resolve(null);
          else afterFrame(look);
        };
        afterFrame(look);
      }),
    watchHeld(name) {
      const watch: Watch = {
        name,
        value: globalThis.benchPredicates[name]?.(null),
        changedAt: 0,
        positions: 0,
        keys: [],
      };
      held = watch;
      const look = (now: number): void => {
        const value = globalThis.benchPredicates[name]?.(null);
        if (value !== watch.value) {
          watch.value = value;
          watch.changedAt = now;
          watch.positions += 1;
        }
        if (held === watch) afterFrame(look);
      };
      afterFrame(look);
    },
    heldResult: (settleMs) =>
      new Promise((resolve) => {
        setTimeout(() => {
          const watch = held;
          held = null;
          const last = watch?.keys.at(-1)?.at ?? 0;
          resolve({
            paints: watch?.keys.flatMap(({ paint }) => (paint === undefined ? [] : [paint])) ?? [],
            catchUp: Math.max(0, (watch?.changedAt ?? 0) - last),
            positions: watch?.positions ?? 0,
          });
        }, settleMs);
      }),
    eventDuration: (at) => durations.get(at),
    longTasks: () => longTasks,
  };

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name === 'keydown') durations.set(entry.startTime, entry.duration);
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    longTasks += list.getEntries().length;
  }).observe({ type: 'longtask', buffered: true });
}
