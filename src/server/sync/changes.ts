// The incremental read path: changes of a scope since a device's cursor, or that it must start again.
import type { Id } from '#core/ids.ts';
import { rowToWire } from '#sync/rows/codec.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { GenerationRecord, HeadedPage, ScopeRecord, Store } from '../data/store.ts';
import { currentOf, refuseLater } from './later-generation.ts';
import type { RecentChanges } from './recent-changes.ts';
import { movedInWire } from './readership.ts';
import type { Recovery } from './recovery.ts';

export interface CursorLike {
  readonly generation: string;
  readonly version: number;
}

/** Further knowledge about the reading device. */
export interface Seen {
  /** It has seen versions that the history does not contain, whatever its cursor looks like. */
  readonly isAhead: boolean;
  /** Its cursor before it requested everything afresh (version 0), or what it has seen beyond its cursor. */
  readonly stood?: CursorLike | undefined;
}

/** What is asked of one scope. `cursor` is null for a scope the device does not hold. */
export interface ScopeAsked {
  readonly scope: Id;
  readonly cursor: CursorLike | null;
  readonly seen?: Seen;
}

/** How scopes are read. */
export interface Reading {
  readonly maxRows: number;
  /** The records of scopes at one moment that is not before the request; absent: they are read. */
  readonly known?: ReadonlyMap<Id, ScopeRecord> | undefined;
  /** Told the records of the scopes where these are of the same moment as the answer. */
  readonly seen?: (heads: ReadonlyMap<Id, ScopeRecord>) => void;
}

/** What needs a later generation than the known ones is refused (later-generation.ts). */
export interface ChangesReader {
  /**
   * What is new in several scopes, all of it as it was at one moment: of a row that moved from one to another both sides are
   * there or neither is. Scopes that do not exist are left out. Without news it takes one read, however many they are, and none where `known`
   * has them all.
   */
  all(asked: readonly ScopeAsked[], how: Reading): Promise<readonly ScopeChanges[]>;
  /** What is new in one scope. Names every scope that a row moved to (readership.ts). */
  since(scope: Id, cursor: CursorLike, maxRows: number): Promise<ScopeChanges | null>;
  /** As `all`, since versions of the present generation. */
  sinceVersions(
    asked: readonly { readonly scope: Id; readonly version: number }[],
    maxRows: number,
  ): Promise<readonly ScopeChanges[]>;
  /** Whether the cursor lies beyond the server's history. */
  isBeyond(scope: Id, cursor: CursorLike): Promise<boolean>;
  /** Nonce of the current generation. */
  readonly generation: string;
}

/** The device reads the scope in parts (snapshot.ts), and everything newer than this version as usual. */
function tooMuch({ version, digest }: ScopeRecord): Omit<ScopeChanges, 'scope' | 'generation'> {
  return { from: 0, to: version, rows: [], gone: [], more: true, bootstrap: true, digest };
}

/** The recent changes in memory, if they are all that happened since the cursor. */
function remember(
  recent: RecentChanges,
  scope: Id,
  { cursor, maxRows }: { readonly cursor: CursorLike; readonly maxRows: number },
): ScopeChanges | null {
  const page = recent.since(scope, cursor.version);
  if (page === null || page.rows.length > maxRows) return null;
  const { generation, version: from } = cursor;
  const { to, digest } = page;
  return { scope, generation, from, to, rows: page.rows.map(rowToWire), gone: [], more: false, digest };
}

/** The index of a generation by its nonce; one that is not known may have been opened elsewhere since they were read. */
function createNumbering(
  generations: readonly GenerationRecord[],
  read: () => Promise<void>,
): (nonce: string) => Promise<number | undefined> {
  const known = new Map<string, number>();
  const find = (nonce: string) => {
    // They are only ever added.
    for (const record of generations.slice(known.size)) known.set(record.nonce, record.index);
    return known.get(nonce);
  };
  return async (nonce) => {
    const found = find(nonce);
    if (found !== undefined) return found;
    await read();
    return find(nonce);
  };
}

interface ReaderPorts {
  readonly store: Store;
  readonly recent: RecentChanges;
  /** Oldest first; the last is the current one. */
  readonly generations: readonly GenerationRecord[];
  /** Reads them again. */
  readonly readGenerations: () => Promise<void>;
  readonly recovery: Pick<Recovery, 'known'>;
}

/** Where a device stands in a scope. */
interface Standing extends ScopeAsked {
  /** The current generation as it was known before the scope is read. */
  readonly current: GenerationRecord;
  readonly stood: CursorLike | null;
  /** It has seen what the server's history does not contain. */
  readonly isBeyond: boolean;
  /** Null: it reads the scope from the start. */
  readonly held: CursorLike | null;
}

class StoredChanges implements ChangesReader {
  readonly #ports: ReaderPorts;
  readonly #indexOf: (nonce: string) => Promise<number | undefined>;

  constructor(ports: ReaderPorts) {
    this.#ports = ports;
    this.#indexOf = createNumbering(ports.generations, ports.readGenerations);
  }

  get generation(): string {
    return currentOf(this.#ports.generations).nonce;
  }

  async isBeyond(scope: Id, cursor: CursorLike): Promise<boolean> {
    if (cursor.generation === this.generation || cursor.version === 0) return false;
    const head = await this.#ports.store.scope(scope);
    return head !== null && !(await this.#isKnown(scope, cursor, head.version));
  }

  since(scope: Id, cursor: CursorLike, maxRows: number): Promise<ScopeChanges | null> {
    return this.#one({ scope, cursor }, { maxRows });
  }

  sinceVersions(
    asked: readonly { readonly scope: Id; readonly version: number }[],
    maxRows: number,
  ): Promise<readonly ScopeChanges[]> {
    const { generation } = this;
    const cursors = asked.map(({ scope, version }) => ({ scope, cursor: { generation, version } }));
    return this.all(cursors, { maxRows });
  }

  async all(asked: readonly ScopeAsked[], how: Reading): Promise<readonly ScopeChanges[]> {
    const [only, ...more] = asked;
    if (only === undefined) return [];
    if (more.length === 0) return [await this.#one(only, how)].filter((change) => change !== null);
    const { maxRows, known } = how;
    const scopes = asked.map(({ scope }) => scope);
    const isAllKnown = known !== undefined && scopes.every((scope) => known.has(scope));
    const heads = isAllKnown ? known : await this.#ports.store.scopes(scopes);
    const newer = asked.filter(
      ({ scope, cursor, seen }) =>
        heads.has(scope) &&
        (cursor?.generation !== this.generation ||
          seen?.isAhead === true ||
          (seen?.stood?.version ?? 0) > 0 ||
          cursor.version !== heads.get(scope)?.version),
    );
    const remembered = newer.flatMap((each) => {
      const change = this.#remembered(each, maxRows);
      return change !== null && change.to === heads.get(each.scope)?.version ? [change] : [];
    });
    if (remembered.length === newer.length) {
      how.seen?.(heads);
      return remembered;
    }
    return this.#stored(asked, heads, maxRows);
  }

  async #one(asked: ScopeAsked, { maxRows, known, seen }: Reading): Promise<ScopeChanges | null> {
    const { scope } = asked;
    const { store } = this.#ports;
    const remembered = this.#remembered(asked, maxRows);
    const head = known?.get(scope) ?? (await store.scope(scope));
    if (head === null) return null;
    // Another process may have written since: the changes in memory count only if they reach the present version.
    if (head.version === remembered?.to) {
      seen?.(new Map([[scope, head]]));
      return remembered;
    }
    const at = await this.#standing(asked, head);
    return this.#answer(at, await store.changes(scope, at.held?.version ?? 0, maxRows));
  }

  /** All of them anew, because what has news is read at a later moment than `heads`. */
  async #stored(
    asked: readonly ScopeAsked[],
    heads: ReadonlyMap<Id, ScopeRecord>,
    maxRows: number,
  ): Promise<readonly ScopeChanges[]> {
    const places: Standing[] = [];
    for (const each of asked) {
      const head = heads.get(each.scope);
      if (head) places.push(await this.#standing(each, head));
    }
    const pages = await this.#ports.store.changesOf(
      places.map(({ scope, held }) => ({ scope, from: held?.version ?? 0, maxRows })),
    );
    const answers: ScopeChanges[] = [];
    for (const at of places) {
      const page = pages.get(at.scope);
      if (page) answers.push(await this.#answer(at, page));
    }
    return answers;
  }

  /** The recent changes in memory, where they are all that is asked for. */
  #remembered({ scope, cursor, seen }: ScopeAsked, maxRows: number): ScopeChanges | null {
    const isPlain =
      cursor?.generation === this.generation && seen?.isAhead !== true && seen?.stood === undefined;
    return isPlain ? remember(this.#ports.recent, scope, { cursor, maxRows }) : null;
  }

  /** Whether the server's history still contains the device's cursor. */
  async #isKnown(scope: Id, cursor: CursorLike, headVersion: number): Promise<boolean> {
    const index = await this.#indexOf(cursor.generation);
    if (index === undefined) return false;
    if (cursor.generation === this.generation) return cursor.version <= headVersion;
    const ended = await this.#ports.store.versionAtEndOf(scope, index);
    return cursor.version <= (ended ?? headVersion);
  }

  async #standing(asked: ScopeAsked, head: ScopeRecord): Promise<Standing> {
    const { scope, cursor, seen } = asked;
    const stood = seen?.stood ?? cursor;
    const isUnknown = async (at: CursorLike) => !(await this.#isKnown(scope, at, head.version));
    const isAnew = seen?.stood !== undefined && cursor?.version === 0;
    const isBeyond =
      stood !== null &&
      (seen?.isAhead === true ||
        (await isUnknown(stood)) ||
        (cursor !== null && cursor !== stood && !isAnew && (await isUnknown(cursor))));
    const isHeld = cursor !== null && !isAnew && !isBeyond;
    const held = isHeld && cursor.version >= head.horizon ? cursor : null;
    return { ...asked, current: currentOf(this.#ports.generations), stood, isBeyond, held };
  }

  async #answer(at: Standing, page: HeadedPage): Promise<ScopeChanges> {
    const { scope, cursor, stood, isBeyond, held, current } = at;
    const { recovery } = this.#ports;
    const { nonce: generation, index } = current;
    refuseLater(page.head, index);
    const fresh = {
      scope,
      generation,
      ...(cursor !== null && held === null ? { resync: true } : {}),
      ...(isBeyond && stood !== null && stood.version > 0
        ? { rollback: { known: await recovery.known(page.head, stood.generation === generation) } }
        : {}),
    };
    if (held === null && page.more) return { ...fresh, ...tooMuch(page.head) };
    return {
      ...fresh,
      from: held?.version ?? 0,
      to: page.to,
      rows: [...(page.above ?? []), ...page.rows].map(rowToWire),
      gone: [...page.gone],
      ...movedInWire(page.moved),
      more: page.more,
      ...(page.more ? {} : { digest: page.head.digest }),
    };
  }
}

/** Reads from the store, and from memory where that is enough. */
export function createChangesReader(ports: ReaderPorts): ChangesReader {
  return new StoredChanges(ports);
}
