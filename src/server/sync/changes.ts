// The incremental read path: changes of a scope since a device's cursor, or that it must start again.
import type { Id } from '#core/ids.ts';
import { rowToWire } from '#sync/rows/codec.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { GenerationRecord, ScopeRecord, Store } from '../data/store.ts';
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
  /** Its cursor before it requested everything afresh. */
  readonly stood?: CursorLike | undefined;
}

/** What needs a later generation than the known ones is refused (later-generation.ts). */
export interface ChangesReader {
  /** `cursor` is null for a scope the device does not hold. Names every scope that a row moved to (readership.ts). */
  since(scope: Id, cursor: CursorLike | null, maxRows: number, seen?: Seen): Promise<ScopeChanges | null>;
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

interface HistoryPorts {
  readonly store: Store;
  /** Oldest first; the last is the current one. */
  readonly generations: readonly GenerationRecord[];
  /** Reads them again. */
  readonly readGenerations: () => Promise<void>;
}

/** What the server's history contains. */
function createHistory({ store, ...ports }: HistoryPorts) {
  const current = () => currentOf(ports.generations);
  const indexOf = createNumbering(ports.generations, ports.readGenerations);

  /** Whether the server's history still contains the device's cursor. */
  async function isKnown(scope: Id, cursor: CursorLike, headVersion: number): Promise<boolean> {
    const index = await indexOf(cursor.generation);
    if (index === undefined) return false;
    if (index === current().index) return cursor.version <= headVersion;
    const ended = await store.versionAtEndOf(scope, index);
    return cursor.version <= (ended ?? headVersion);
  }

  return { current, isKnown };
}

export function createChangesReader(
  ports: HistoryPorts & { readonly recent: RecentChanges; readonly recovery: Pick<Recovery, 'known'> },
): ChangesReader {
  const { store, recent, recovery } = ports;
  const { current, isKnown } = createHistory(ports);

  async function fromStore(
    scope: Id,
    cursor: CursorLike | null,
    maxRows: number,
    seen?: Seen,
  ): Promise<ScopeChanges | null> {
    const head = await store.scope(scope);
    if (head === null) return null;
    const stood = seen?.stood ?? cursor;
    const isBeyond =
      stood !== null && (seen?.isAhead === true || !(await isKnown(scope, stood, head.version)));
    const isHeld = cursor !== null && seen?.stood === undefined && !isBeyond;
    const { nonce, index } = current();
    const held = isHeld && cursor.version >= head.horizon ? cursor : null;
    const page = await store.changes(scope, held?.version ?? 0, maxRows);
    refuseLater(page.head, index);
    const fresh = {
      scope,
      generation: nonce,
      ...(cursor !== null && held === null ? { resync: true } : {}),
      ...(isBeyond && stood.version > 0
        ? { rollback: { known: await recovery.known(head, stood.generation === nonce) } }
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

  return {
    get generation() {
      return current().nonce;
    },
    async isBeyond(scope, cursor) {
      if (cursor.generation === current().nonce || cursor.version === 0) return false;
      const head = await store.scope(scope);
      return head !== null && !(await isKnown(scope, cursor, head.version));
    },
    async since(scope, cursor, maxRows, seen) {
      const isPlain = cursor?.generation === current().nonce && seen?.isAhead !== true;
      const remembered = isPlain ? remember(recent, scope, { cursor, maxRows }) : null;
      // Another process may have written since: the changes in memory count only if they reach the present version.
      if (remembered !== null && (await store.scope(scope))?.version === remembered.to) return remembered;
      return fromStore(scope, cursor, maxRows, seen);
    },
  };
}
