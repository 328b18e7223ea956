// A module that is loaded when first needed, and available at once after that. The first key needs none of them.

/** A module behind `load`. Concurrent calls of `load` share one request. */
export interface Lazy<T> {
  /** Null until loaded. */
  readonly now: T | null;
  /** Rejects if it cannot be loaded; calling again tries again. */
  load(): Promise<T>;
}

/** Wraps an import so that it runs once; a failed one may be tried again. */
export function lazy<T>(bring: () => Promise<T>): Lazy<T> {
  let part: T | null = null;
  let loading: Promise<T> | null = null;
  async function load(): Promise<T> {
    try {
      part = await bring();
      return part;
    } finally {
      loading = null;
    }
  }
  return {
    get now() {
      return part;
    },
    load: () => (part === null ? (loading ??= load()) : Promise.resolve(part)),
  };
}
