// The incremental read path: changes of a scope since a device's cursor, or that it must start again.
import type { Id } from '#core/ids.ts';
import { rowToWire } from '#sync/rows/codec.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { GenerationRecord, ScopeRecord, Store } from '../data/store.ts';
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

/** The index of a generation by its nonce; generations are only ever added. */
function createNumbering(generations: readonly GenerationRecord[]): (nonce: string) => number | undefined {
  const known = new Map<string, number>();
  return (nonce) => {
    for (const record of generations.slice(known.size)) known.set(record.nonce, record.index);
    return known.get(nonce);
  };
}

export function createChangesReader(ports: {
  readonly store: Store;
  readonly recent: RecentChanges;
  /** Oldest first; the last is the current one. */
  readonly generations: readonly GenerationRecord[];
  readonly recovery: Pick<Recovery, 'known'>;
}): ChangesReader {
  const { store, recent, recovery } = ports;
  const currentNonce = () => ports.generations.at(-1)?.nonce ?? '';
  const indexOf = createNumbering(ports.generations);

  /** Whether the server's history still contains the device's cursor. */
  async function isKnown(scope: Id, cursor: CursorLike, headVersion: number): Promise<boolean> {
    const index = indexOf(cursor.generation);
    if (index === undefined) return false;
    if (cursor.generation === currentNonce()) return cursor.version <= headVersion;
    const ended = await store.versionAtEndOf(scope, index);
    return cursor.version <= (ended ?? headVersion);
  }

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
    const current = currentNonce();
    const held = isHeld && cursor.version >= head.horizon ? cursor : null;
    const page = await store.changes(scope, held?.version ?? 0, maxRows);
    const fresh = {
      scope,
      generation: current,
      ...(cursor !== null && held === null ? { resync: true } : {}),
      ...(isBeyond && stood.version > 0
        ? { rollback: { known: await recovery.known(head, stood.generation === current) } }
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
      return currentNonce();
    },
    async isBeyond(scope, cursor) {
      if (cursor.generation === currentNonce() || cursor.version === 0) return false;
      const head = await store.scope(scope);
      return head !== null && !(await isKnown(scope, cursor, head.version));
    },
    async since(scope, cursor, maxRows, seen) {
      const isPlain = cursor?.generation === currentNonce() && seen?.isAhead !== true;
      const remembered = isPlain ? remember(recent, scope, { cursor, maxRows }) : null;
      // Another process may have written since: the changes in memory count only if they reach the present version.
      if (remembered !== null && (await store.scope(scope))?.version === remembered.to) return remembered;
      return fromStore(scope, cursor, maxRows, seen);
    },
  };
}
