// A part of the app that is loaded when it is first wanted, and there at once after that. The first key needs none of them.

export interface Lazy<T> {
  /** Null while it was not loaded. */
  readonly now: T | null;
  /** Rejects when it cannot be loaded; asking again tries again. */
  load(): Promise<T>;
}

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
