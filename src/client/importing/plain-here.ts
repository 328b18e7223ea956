// What is here where there is no replica: registers by id, as another client sees them. Pure.
import type { Id } from '#core/ids.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { asRow, type Row } from '#sync/rows/row.ts';

/** What is here, as far as a plan is compared with it. */
export type Here = Pick<Replica, 'row' | 'scope'>;

/** Rows that another client was told of. */
export class PlainHere implements Here {
  readonly #rows = new Map<Id, Row>();
  readonly scope: Id;

  constructor(scope: Id) {
    this.scope = scope;
  }

  add(
    id: Id,
    type: 'task' | 'list' | 'label' | 'labelGroup' | 'setting',
    fields: Readonly<Record<string, unknown>>,
  ): void {
    const stamp = [1, 0, 0, 0] as const;
    const row = { id, type, fields, scope: this.scope, version: 1, stamp, createdAt: 0, updatedAt: 0 };
    this.#rows.set(id, asRow(row));
  }

  row(id: Id): Row | undefined {
    return this.#rows.get(id);
  }
}
