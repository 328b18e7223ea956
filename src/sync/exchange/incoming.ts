// Rows of an answer before they are taken in, and the operations to apply again because of them. Taking them in is
// replica.ts.
import type { Id } from '#core/ids.ts';
import type { Operation } from '../rows/operation.ts';
import type { DeviceMeta } from '../replica/ports.ts';
import { placeOf } from '../rows/row-reading.ts';
import type { Row, StoredRow } from '../rows/row.ts';
import { anchorIds, touchedIds } from '../rows/touched.ts';

/** New confirmed rows by id; null = removed. */
export type Incoming = Map<Id, StoredRow | null>;

/** State that another tab knows better; absent fields stay. */
export interface Amendment {
  readonly meta?: DeviceMeta;
  readonly queue?: readonly Operation[];
  readonly incoming?: Incoming;
}

/** Incoming rows in the form of a storage batch. */
export function partsOf(incoming: Incoming): { rowsPut: StoredRow[]; rowsRemove: Id[] } {
  const rowsPut: StoredRow[] = [];
  const rowsRemove: Id[] = [];
  for (const [id, row] of incoming) {
    if (row === null) rowsRemove.push(id);
    else rowsPut.push(row);
  }
  return { rowsPut, rowsRemove };
}

interface Shown {
  readonly pending: readonly Operation[];
  row(id: Id): Row | undefined;
  confirmed(id: Id): Row | undefined;
}

/** Adds to `dirty`: an operation that placed something beside a moved row has to be applied again. */
export function spreadDirt(dirty: Set<Id>, incoming: Incoming, shown: Shown): void {
  const moved = new Set<Id>();
  for (const id of dirty) {
    const next = incoming.get(id) ?? shown.confirmed(id);
    const now = shown.row(id);
    const to = next === undefined ? undefined : placeOf(next);
    const from = now === undefined ? undefined : placeOf(now);
    if (to?.key !== from?.key || to?.parent !== from?.parent) moved.add(id);
  }
  for (const operation of shown.pending) {
    const follows = moved.size > 0 && anchorIds(operation).some((anchor) => moved.has(anchor));
    if (follows) moved.add(operation.id);
    if (!follows && !dirty.has(operation.id)) continue;
    for (const id of touchedIds(operation)) dirty.add(id);
  }
}
