// Scopes, rows and writes for tests of the Store port. Ids are random, so many tests share one database.
import { randomInt, randomUUID } from 'node:crypto';
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { asRow, type Row } from '#sync/rows/row.ts';
import type {
  HistoryEntry,
  Lookup,
  ReadSet,
  Store,
  WriteBatch,
  WriteTransaction,
} from '#server/data/store.ts';

export const someId = () => randomUUID() as Id;
export const someAccount = () => randomInt(1, 2 ** 31);

export interface RowParts {
  readonly id?: Id;
  readonly type?: EntityType;
  readonly version?: number;
  readonly fields?: Record<string, unknown>;
  readonly stamps?: Row['stamps'];
}

export function rowOf(scope: Id, parts: RowParts = {}): Row {
  const version = parts.version ?? 1;
  const row = asRow({
    id: parts.id ?? someId(),
    type: parts.type ?? 'task',
    scope,
    version,
    fields: parts.fields ?? { title: 'Water the plants' },
    stamp: [version, 1_760_000_000_000 + version, 1, version],
    createdAt: 1_760_000_000_000,
    updatedAt: 1_760_000_000_000 + version,
  });
  return parts.stamps ? { ...row, stamps: parts.stamps } : row;
}

export function placed(scope: Id, parent: Id, key: string, parts: RowParts = {}): Row {
  return rowOf(scope, { ...parts, fields: { ...parts.fields, place: { parent, key } } });
}

export const emptyBatch: WriteBatch = {
  scopes: [],
  scopeGenerations: [],
  rows: [],
  tombstones: [],
  devices: [],
  results: [],
  forgetResults: [],
  history: [],
};

export const nothing: ReadSet = { rows: [], ancestors: [], siblings: [] };

export async function newScope(store: Store): Promise<Id> {
  const id = someId();
  await store.createScope({ id, kind: 'personal', owner: someAccount() });
  return id;
}

/** Bumps the scope's version and saves what `make` returns for it, as one write. Returns the version. */
export async function commit(
  store: Store,
  scope: Id,
  make: (version: number, tx: WriteTransaction) => Partial<WriteBatch>,
): Promise<number> {
  return await store.write(async (tx) => {
    const head = (await tx.lockScopes([scope])).get(scope);
    if (!head) throw new Error('no such scope');
    const version = head.version + 1;
    await tx.save({ ...emptyBatch, scopes: [{ ...head, version }], ...make(version, tx) });
    return version;
  });
}

export async function lookUp(store: Store, scope: Id, id: Id): Promise<Lookup | undefined> {
  const { rows } = await store.write((tx) => tx.load({ ...nothing, rows: [{ scope, id }] }));
  return rows.get(id);
}

/** The row as it is stored; fails when there is none. */
export async function stored(store: Store, scope: Id, id: Id): Promise<Row> {
  const lookup = await lookUp(store, scope, id);
  if (lookup?.type !== 'row') throw new Error(`expected a row, found ${lookup?.type}`);
  return lookup.row;
}

export function titleEntry(
  scope: Id,
  version: number,
  id: Id,
  before: HistoryEntry['before'] = [{ id, fields: { title: 'Before' } }],
): HistoryEntry {
  const operation: Operation = {
    q: version,
    u: someId(),
    scope,
    t: 1_760_000_000_000,
    b: version - 1,
    a: 'set',
    id,
    field: 'title',
    value: `Title ${version}`,
  };
  return { scope, version, account: 1, device: 1, at: 1_760_000_000_000 + version, operation, before };
}
