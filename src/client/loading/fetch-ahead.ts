// Fetches scripts before they are imported. Many browsers remember a failed import, of a script or one of its imports,
// and never retry while the page lives; a failed fetch can be retried. A fetched script is imported from the browser's
// cache: its name contains a hash, so it is never requested twice.

export interface Fetching {
  readonly ask: (address: string) => Promise<{
    readonly ok: boolean;
    readonly headers: { get(name: string): string | null };
    text(): Promise<string>;
  }>;
  /** The folder of all scripts, with a trailing slash. */
  readonly folder: string;
  /** Whether the page already runs the script of this name. */
  readonly isRunning: (name: string) => boolean;
}

export interface FetchAhead {
  /**
   * Fetches these scripts and everything they import statically. Rejects if one is unavailable; calling again tries
   * again.
   */
  bring(names: readonly string[]): Promise<unknown>;
  /** The scripts that a function imports when called, by its source text. */
  lazyIn(text: string): readonly string[];
}

const STATIC = /(?:from|import)\s*["'`]\.\/([\w.-]+-[\w-]{8}\.js)["'`]/g;
const LAZY = /import\(\s*["'`]\.\/([\w.-]+-[\w-]{8}\.js)["'`]/g;

const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Creates a fetcher that requests each script once, and again only after a failure. */
export function createFetchAhead({ ask, folder, isRunning }: Fetching): FetchAhead {
  const imports = new Map<string, Promise<readonly string[]>>();
  async function read(name: string): Promise<readonly string[]> {
    if (isRunning(name)) return [];
    const answer = await ask(folder + name);
    // A login page of the network in its place would fail as an import.
    const isScript = answer.ok && /javascript/.test(answer.headers.get('content-type') ?? '');
    if (!isScript) throw new Error(`${name} cannot be had`);
    return namesIn(await answer.text(), STATIC);
  }
  function importsOf(name: string): Promise<readonly string[]> {
    const known = imports.get(name);
    if (known) return known;
    const found = read(name);
    imports.set(name, found);
    found.catch(() => imports.delete(name));
    return found;
  }
  const reach = (names: readonly string[], seen: Set<string>): Promise<unknown> =>
    Promise.all(
      names
        .filter((name) => !seen.has(name) && seen.add(name))
        .map((name) => importsOf(name).then((imported) => reach(imported, seen))),
    );
  return {
    bring: (names) => reach(names, new Set()),
    lazyIn: (text) => namesIn(text, LAZY),
  };
}
