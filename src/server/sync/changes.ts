// The incremental read path: what changed in a scope since a device's cursor, or that it must start again.
import type { Id } from '#core/ids.ts';
import { rowToWire } from '#sync/codec.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { GenerationRecord, ScopeRecord, Store } from '../data/store.ts';
import type { RecentChanges } from './recent-changes.ts';

export interface CursorLike {
  readonly generation: string;
  readonly version: number;
}

export interface ChangesReader {
  /** `cursor` is null for a scope the device does not hold. */
  since(scope: Id, cursor: CursorLike | null, maxRows: number): Promise<ScopeChanges | null>;
  /** Nonce of the generation now being written. */
  readonly generation: string;
}

/** The device reads the scope in parts (snapshot.ts), and all that is newer than this version as always. */
function tooMuch({ version, digest }: ScopeRecord): Omit<ScopeChanges, 'scope' | 'generation'> {
  return { from: 0, to: version, rows: [], gone: [], more: true, bootstrap: true, digest };
}

export function createChangesReader(ports: {
  readonly store: Store;
  readonly recent: RecentChanges;
  /** Oldest first; the last is the current one. */
  readonly generations: readonly GenerationRecord[];
}): ChangesReader {
  const { store, recent } = ports;
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

  function fromMemory(scope: Id, cursor: CursorLike | null, maxRows: number): ScopeChanges | null {
    if (cursor?.generation !== current) return null;
    const page = recent.since(scope, cursor.version);
    if (page === null || page.rows.length > maxRows) return null;
    const { to, digest } = page;
    return {
      scope,
      generation: current,
      from: cursor.version,
      to,
      rows: page.rows.map(rowToWire),
      gone: [],
      more: false,
      digest,
    };
  }

  async function fromStore(
    scope: Id,
    cursor: CursorLike | null,
    maxRows: number,
  ): Promise<ScopeChanges | null> {
    const head = await store.scope(scope);
    if (head === null) return null;
    const held =
      cursor !== null && cursor.version >= head.horizon && (await isKnown(scope, cursor, head.version))
        ? cursor
        : null;
    const page = await store.changes(scope, held?.version ?? 0, maxRows);
    const fresh = {
      scope,
      generation: current,
      ...(cursor !== null && held === null ? { resync: true } : {}),
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
    async since(scope, cursor, maxRows) {
      const remembered = fromMemory(scope, cursor, maxRows);
      // Another process may have written since: what is remembered counts only if it is the latest.
      if (remembered !== null && (await store.scope(scope))?.version === remembered.to) return remembered;
      return fromStore(scope, cursor, maxRows);
    },
  };
}
