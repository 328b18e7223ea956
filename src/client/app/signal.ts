// An observable value, in the shape of React's useSyncExternalStore; the only way views learn of change.

/** A value with listeners. `subscribe` returns the cancellation. */
export interface Signal<T> {
  /** Returns the same reference as long as nothing changed. */
  readonly get: () => T;
  readonly subscribe: (listener: () => void) => () => void;
}

/** A signal that its owner sets. */
export interface WritableSignal<T> extends Signal<T> {
  /** Calls the listeners synchronously, and only if the value differs. */
  set(value: T): void;
}

/** `equal`: which values count as unchanged; listeners are not called for them. */
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
