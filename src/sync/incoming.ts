// Rows that an answer brings, before they are taken in. Taking them in is replica.ts.
import type { Id } from '#core/ids.ts';
import type { Row } from './row.ts';

/** New confirmed rows by id; null = gone. */
export type Incoming = Map<Id, Row | null>;

export function partsOf(incoming: Incoming): { rowsPut: Row[]; rowsRemove: Id[] } {
  const rowsPut: Row[] = [];
  const rowsRemove: Id[] = [];
  for (const [id, row] of incoming) {
    if (row === null) rowsRemove.push(id);
    else rowsPut.push(row);
  }
  return { rowsPut, rowsRemove };
}
