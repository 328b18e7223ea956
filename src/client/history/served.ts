// The histories of several scopes as one, newest first, each read in pages with a cursor of its own. Entries come in the order of
// their scope; between scopes the time decides. What is older than the oldest entry read of a scope that goes on is kept back until
// that scope has been read further. Part of the feed (feed.ts).
import type { Id } from '#core/ids.ts';
import type { AccountFailure, HistoryQuery } from '../app/app.ts';
import type { ServedEntry } from './change.ts';

type Page = { readonly entries: readonly Omit<ServedEntry, 'scope'>[]; readonly next: number | null };

/** Asks the server for a page of one scope. */
export type AskPage = (of: HistoryQuery) => Promise<Page | AccountFailure>;

/** Scopes that are asked at the same time. */
const AT_ONCE = 6;

class Source {
  readonly scope: Id;
  entries: readonly ServedEntry[] = [];
  /** `before` of the next page; null: there is none. */
  next: number | null = null;
  wasRead = false;

  constructor(scope: Id) {
    this.scope = scope;
  }

  get isOver(): boolean {
    return this.wasRead && this.next === null;
  }

  /** Takes a page. The newest page becomes the first if it does not reach back to known entries. */
  take(page: Page, isNewest: boolean): void {
    const { scope } = this;
    const entries = page.entries.map((entry): ServedEntry => ({ ...entry, scope }));
    const newest = this.entries[0]?.version ?? 0;
    const isJoined = entries.some(({ version }) => version <= newest);
    if (isNewest && this.wasRead && (isJoined || entries.length === 0)) {
      this.entries = [...entries.filter(({ version }) => version > newest), ...this.entries];
      return;
    }
    this.entries = isNewest ? entries : [...this.entries, ...entries];
    this.next = page.next;
    this.wasRead = true;
  }

  /** The person may no longer read it. */
  end(): void {
    this.wasRead = true;
    this.next = null;
  }
}

/** As far as it was read. `read` asks for more; `entries` are complete from the newest on. */
export class ServedHistory {
  readonly #sources: readonly Source[];
  readonly #ask: AskPage;
  readonly #listOf: (mount: Id) => Id | undefined;
  readonly #query: Pick<HistoryQuery, 'id' | 'under'>;
  #merged: readonly ServedEntry[] = [];

  constructor(
    scopes: readonly Id[],
    query: Pick<HistoryQuery, 'id' | 'under'>,
    { ask, listOf }: { readonly ask: AskPage; readonly listOf: (mount: Id) => Id | undefined },
  ) {
    this.#sources = scopes.map((scope) => new Source(scope));
    this.#query = query;
    this.#ask = ask;
    this.#listOf = listOf;
  }

  /** What is known for certain to be complete, newest first. */
  get entries(): readonly ServedEntry[] {
    return this.#merged;
  }

  get hasMore(): boolean {
    return this.#sources.some(({ wasRead, next }) => wasRead && next !== null);
  }

  /** Something was read. */
  get wasRead(): boolean {
    return this.#sources.some(({ wasRead }) => wasRead);
  }

  /**
   * More of the oldest change may come with the next page. `writes`: how many of it have to be here for that to be likely.
   */
  isCut(writes: number): boolean {
    const groups = this.#merged.slice(-writes).map(({ operation }) => operation['g'] ?? null);
    const [group = null] = groups;
    return this.hasMore && group !== null && groups.length === writes && groups.every((g) => g === group);
  }

  /**
   * Reads on in the scopes that keep others back; `isAnew`: what is newer than all that was read; `limit`: entries a page. Null:
   * it went well.
   */
  async read(isAnew: boolean, limit?: number): Promise<AccountFailure | null> {
    const unread = this.#sources.filter(({ wasRead }) => !wasRead);
    const wanted = isAnew ? this.#sources : unread.length > 0 ? unread : this.#behind();
    let failure: AccountFailure | null = null;
    for (let at = 0; at < wanted.length; at += AT_ONCE) {
      const asked = wanted.slice(at, at + AT_ONCE);
      // oxlint-disable-next-line no-await-in-loop -- A person may have 200 lists: they are not asked all at once.
      const answers = await Promise.all(asked.map((source) => this.#readOne(source, isAnew, limit)));
      failure = answers.find((answer) => answer !== null) ?? failure;
    }
    const merged = this.#merge();
    const isOne = this.#sources.length === 1;
    this.#merged = isOne ? merged : joinedMoves(withJoining(merged, this.#listOf));
    return failure;
  }

  async #readOne(source: Source, isAnew: boolean, limit?: number): Promise<AccountFailure | null> {
    const isNewest = isAnew || !source.wasRead;
    const { scope, next } = source;
    const most = limit === undefined ? {} : { limit };
    const answer = await this.#ask({ ...this.#query, ...most, scope, before: isNewest ? null : next });
    if ('entries' in answer) {
      source.take(answer, isNewest);
      return null;
    }
    // A list that was left since: others are shown all the same.
    if (answer.type !== 'gone' || this.#sources.length === 1) return answer;
    source.end();
    return null;
  }

  /** The scopes that go on and whose oldest known entry is the newest: without them nothing older can be shown. */
  #behind(): readonly Source[] {
    const open = this.#sources.filter(({ isOver }) => !isOver);
    const last = (source: Source) => source.entries.at(-1)?.at ?? Number.POSITIVE_INFINITY;
    const newest = Math.max(...open.map(last));
    return open.filter((source) => last(source) === newest);
  }

  #merge(): readonly ServedEntry[] {
    const [only] = this.#sources;
    if (this.#sources.length === 1 && only) return only.entries;
    // An entry is taken when it is the newest of what comes next in each.
    const at = new Map(this.#sources.map((source) => [source, 0]));
    const merged: ServedEntry[] = [];
    for (;;) {
      let best: Source | null = null;
      let bestEntry: ServedEntry | undefined;
      for (const [source, index] of at) {
        const entry = source.entries[index];
        // Nothing is known of what comes next there.
        if (entry === undefined && !source.isOver) return merged;
        if (entry === undefined || (bestEntry !== undefined && bestEntry.at >= entry.at)) continue;
        [best, bestEntry] = [source, entry];
      }
      if (best === null || bestEntry === undefined) return merged;
      merged.push(bestEntry);
      at.set(best, (at.get(best) ?? 0) + 1);
    }
  }
}

const keyOf = ({ operation }: ServedEntry, id: Id) =>
  `${(operation as { readonly u?: string }).u ?? ''} ${id}`;
const isDeparture = ({ operation, before }: ServedEntry) =>
  operation.a === 'moved' && before.every(({ fields }) => fields !== null);

/**
 * A move between two scopes is in the histories of both, and of a large tree in several steps: the scope that a row came to says
 * where that was, the other one where it had been. Of what came from a scope that is not read, nothing is known of before.
 */
function joinedMoves(entries: readonly ServedEntry[]): readonly ServedEntry[] {
  const departures = entries.filter(isDeparture);
  if (departures.length === 0) return entries;
  const was = new Map(
    departures.flatMap((entry) => entry.before.map(({ id, fields }) => [keyOf(entry, id), fields] as const)),
  );
  const arrived = new Set<string>();
  const joined = entries.map((entry): ServedEntry => {
    if (entry.operation.a !== 'place' && entry.operation.a !== 'moved') return entry;
    const before = entry.before.map((one) => {
      const fields = one.fields === null ? was.get(keyOf(entry, one.id)) : undefined;
      if (fields === undefined) return one;
      arrived.add(keyOf(entry, one.id));
      return { ...one, fields };
    });
    return { ...entry, before };
  });
  return joined.filter(
    (entry, at) =>
      !isDeparture(entries[at] as ServedEntry) ||
      !entry.before.every(({ id }) => arrived.has(keyOf(entry, id))),
  );
}

/** A person who joined a list had nothing of it before. Who shared it had. `listOf`: the list of a mount. */
export function withJoining(
  entries: readonly ServedEntry[],
  listOf: (mount: Id) => Id | undefined,
): readonly ServedEntry[] {
  const joins = entries.flatMap((entry) => {
    const { a, id, type, field } = entry.operation as { a: string; id: Id; type?: unknown; field?: unknown };
    const isJoining = (a === 'create' && type === 'mount') || (a === 'set' && field === 'joinedAt');
    const list = isJoining ? listOf(id) : undefined;
    return list === undefined ? [] : [{ entry, list }];
  });
  if (joins.length === 0) return entries;
  const left = new Set(
    entries.filter(isDeparture).map(({ scope, version, operation }) => `${scope} ${version} ${operation.id}`),
  );
  const gone = new Map(
    joins.flatMap(({ entry, list }) =>
      left.has(`${entry.scope} ${entry.version} ${list}`) ? [] : [[entry, list] as const],
    ),
  );
  return entries.map((entry) => {
    const list = gone.get(entry);
    return list === undefined ? entry : { ...entry, before: [...entry.before, { id: list, fields: null }] };
  });
}
