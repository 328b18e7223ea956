// The incremental read path: what changed in a scope since a device's cursor, or that it must start again.
import type { Id } from '#core/ids.ts';
import { rowToWire } from '#sync/codec.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { GenerationRecord, ScopeRecord, Store } from '../data/store.ts';
import type { RecentChanges } from './recent-changes.ts';
import type { Recovery } from './recovery.ts';

export interface CursorLike {
  readonly generation: string;
  readonly version: number;
}

/** What else is known of a device that asks. */
export interface Seen {
  /** It has seen what the history does not contain, whatever its cursor looks like. */
  readonly isAhead: boolean;
  /** Where it stood before it asked for everything afresh. */
  readonly stood?: CursorLike | undefined;
}

export interface ChangesReader {
  /** `cursor` is null for a scope the device does not hold. */
  since(scope: Id, cursor: CursorLike | null, maxRows: number, seen?: Seen): Promise<ScopeChanges | null>;
  /** Whether a device that stood there has seen what the server's history does not contain. */
  isBeyond(scope: Id, cursor: CursorLike): Promise<boolean>;
  /** Nonce of the generation now being written. */
  readonly generation: string;
}

/** The device reads the scope in parts (snapshot.ts), and all that is newer than this version as always. */
function tooMuch({ version, digest }: ScopeRecord): Omit<ScopeChanges, 'scope' | 'generation'> {
  return { from: 0, to: version, rows: [], gone: [], more: true, bootstrap: true, digest };
}

/** What is remembered of a scope, when it is all that happened since the cursor. */
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

export function createChangesReader(ports: {
  readonly store: Store;
  readonly recent: RecentChanges;
  /** Oldest first; the last is the current one. */
  readonly generations: readonly GenerationRecord[];
  readonly recovery: Pick<Recovery, 'known'>;
}): ChangesReader {
  const { store, recent, recovery } = ports;
  const byNonce = new Map(ports.generations.map((record) => [record.nonce, record.index]));
  const current = ports.generations.at(-1)?.nonce ?? '';

  /** Whether the server's history still contains the point the device stands at. */
  async function isKnown(scope: Id, cursor: CursorLike, headVersion: number): Promise<boolean> {
    const index = byNonce.get(cursor.generation);
    if (index === undefined) return false;
    if (cursor.generation === current) return cursor.version <= headVersion;
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
      rows: page.rows.map(rowToWire),
      gone: [...page.gone],
      more: page.more,
      ...(page.more ? {} : { digest: page.head.digest }),
    };
  }

  return {
    generation: current,
    async isBeyond(scope, cursor) {
      if (cursor.generation === current || cursor.version === 0) return false;
      const head = await store.scope(scope);
      return head !== null && !(await isKnown(scope, cursor, head.version));
    },
    async since(scope, cursor, maxRows, seen) {
      const isPlain = cursor?.generation === current && seen?.isAhead !== true;
      const remembered = isPlain ? remember(recent, scope, { cursor, maxRows }) : null;
      // Another process may have written since: what is remembered counts only if it is the latest.
      if (remembered !== null && (await store.scope(scope))?.version === remembered.to) return remembered;
      return fromStore(scope, cursor, maxRows, seen);
    },
  };
}
