// A value that others may follow.

export interface Watched<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function watched<T>(initial: T): Watched<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
