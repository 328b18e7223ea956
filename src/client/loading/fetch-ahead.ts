// Fetches scripts before they are imported. Many browsers remember a failed import, of a script or one of its imports,
// and never retry while the page lives; a failed fetch can be retried. A fetched script is imported from the browser's
// cache: its name contains a hash, so it is never requested twice.

interface Answer {
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  /** Resolves when all of it has come. As text or bytes it would take the page's thread ten times as long. */
  blob(): Promise<unknown>;
}

/** Fetches scripts. Rejects if one is unavailable; calling again tries again. */
export type FetchAhead = (names: readonly string[]) => Promise<unknown>;

/** Creates a fetcher that requests each script once, and again only after a failure. */
export function createFetchAhead(ask: (name: string) => Promise<Answer>): FetchAhead {
  const fetched = new Map<string, Promise<unknown>>();
  async function read(name: string): Promise<unknown> {
    const answer = await ask(name);
    // A login page of the network in its place would fail as an import.
    const isScript = answer.ok && /javascript/.test(answer.headers.get('content-type') ?? '');
    if (!isScript) throw new Error(`${name} cannot be had`);
    return answer.blob();
  }
  function bring(name: string): Promise<unknown> {
    const known = fetched.get(name);
    if (known) return known;
    const reading = read(name);
    fetched.set(name, reading);
    reading.catch(() => fetched.delete(name));
    return reading;
  }
  return (names) => Promise.all(names.map(bring));
}
