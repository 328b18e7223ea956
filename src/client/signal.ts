// A value that can be watched. The shape React's useSyncExternalStore wants; the only way views learn of change.

export interface Signal<T> {
  /** The same reference as long as nothing changed. */
  readonly get: () => T;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface WritableSignal<T> extends Signal<T> {
  /** Listeners are told synchronously, and only when the value differs. */
  set(value: T): void;
}

/** `equal`: what counts as no change, of which nobody is told. */
export function createSignal<T>(initial: T, equal: (a: T, b: T) => boolean = Object.is): WritableSignal<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (equal(value, next)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
