// Operations as they come in: read one by one, and what carrying them out will read in a scope.
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { anchorIds, touchedIds } from '#sync/rows/touched.ts';
import { operationSchema } from '#wire/sync.ts';
import type { DeviceRecord, ReadSet, SiblingQuery } from '../data/store.ts';
import { labelsNamedBy } from '../labels/named-labels.ts';
import type { OpenScope } from './open-scope.ts';
import type { Push } from './push-types.ts';
import { HEALING_PROTOCOL } from './readership.ts';
import { FIRST_LOOK, type WorkingSet } from './working-set.ts';

/** Reads the operations of a request. Null: not even their numbering is readable. */
export function readOperations(raw: readonly unknown[]): Push['operations'] | null {
  const operations: { q: number; operation: Operation | null }[] = [];
  let last = 0;
  for (const value of raw) {
    const parsed = operationSchema.safeParse(value);
    const q = parsed.success ? parsed.data.q : (value as { q?: unknown } | null)?.q;
    if (typeof q !== 'number' || !Number.isSafeInteger(q) || q <= last) return null;
    last = q;
    operations.push({ q, operation: parsed.success ? (parsed.data as Operation) : null });
  }
  return operations;
}

/** The operations of a push that can be read, also those that were decided before: which these are is not known yet. */
export const operationsOf = ({ actor, operations }: Push) =>
  operations.flatMap(({ operation }) => (operation === null ? [] : [{ actor, operation }]));

/** What these operations read in a scope, as far as that is known in advance. */
export function readSetOf(scope: Id, operations: readonly Operation[]): ReadSet {
  const rows = new Set<Id>();
  const parents = new Set<Id>();
  for (const operation of operations) {
    rows.add(operation.id);
    for (const id of anchorIds(operation)) rows.add(id);
    for (const id of touchedIds(operation)) rows.add(id);
    if ('place' in operation && operation.place !== undefined) parents.add(operation.place.parent);
    for (const label of labelsNamedBy(operation).keys()) rows.add(label);
  }
  return {
    rows: [...rows].map((id) => ({ scope, id })),
    ancestors: [...parents].map((id) => ({ scope, id })),
    siblings: [...parents].map((parent) => ({
      scope,
      parent,
      from: null,
      direction: 'descending' as const,
      limit: FIRST_LOOK,
    })),
  };
}

/** The siblings that places of these operations are beside, by what is loaded: asking for them one by one takes as many reads. */
export function besideAnchors(
  set: Pick<WorkingSet, 'scope' | 'stored'>,
  operations: readonly Operation[],
): readonly SiblingQuery[] {
  const queries = new Map<string, SiblingQuery>();
  for (const operation of operations) {
    const place = 'place' in operation ? operation.place : undefined;
    const anchor = place?.after ?? place?.before;
    const row = anchor === undefined ? undefined : set.stored(anchor);
    const at = row && placeOf(row);
    if (place === undefined || at?.parent !== place.parent) continue;
    const direction = place.after === undefined ? 'descending' : 'ascending';
    const query = {
      scope: set.scope,
      parent: at.parent,
      from: at.key,
      direction,
      limit: FIRST_LOOK,
    } as const;
    queries.set(`${direction} ${at.parent} ${at.key}`, query);
  }
  return [...queries.values()];
}

/** Whether a device saw versions that the database has lost: it must not be judged by what it had seen. */
export function isAhead(
  { request }: Push,
  device: DeviceRecord,
  scopes: ReadonlyMap<Id, Pick<OpenScope, 'before'>>,
): boolean {
  if (request.schema < HEALING_PROTOCOL) return false;
  if (request.ack > device.lastSeq) return true;
  return Object.entries(request.cursors).some(
    ([id, { version }]) => version > (scopes.get(id as Id)?.before.version ?? Infinity),
  );
}
