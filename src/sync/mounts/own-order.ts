// "My order" of a shared list: tasks that a person moved stand at order keys of their own, all others at those that everybody
// sees, compared with each other. Keys are kept in the person's own rows of the tasks (`mine.order`). Writing them: own-placing.ts.
import { mountId, type Id } from '#core/ids.ts';
import type { RowChange } from '../replica/replica-types.ts';
import { placeOf } from '../rows/row-reading.ts';
import { fieldOf, type Row } from '../rows/row.ts';
import type { OrderLayer, StoredRows } from './composition.ts';
import { inOrder, isSharedList, type StoredTree } from './standing.ts';

/** Whether the person has an order of their own in the list at the top of a scope. */
export function hasOwnOrder(tree: StoredTree, personal: Id, scope: Id): boolean {
  if (scope === personal) return false;
  const list = tree.children(scope).find((row) => isSharedList(row, personal));
  return list !== undefined && fieldOf(tree.row(mountId(personal, list.id)), 'ownSort') === 'my-order';
}

const isMine = (row: Row | undefined) => fieldOf(row, 'ownSort') === 'my-order';

interface Composed {
  readonly source: Row;
  readonly key: string;
  readonly row: Row;
}

/** Work grows with what changed, and with the tasks that the person has moved. */
export class OwnOrder implements OrderLayer {
  readonly #stored: StoredRows;
  /** Own keys by task. */
  readonly #keys = new Map<Id, string>();
  readonly #rows = new Map<Id, Composed>();
  /** How many rows of a parent have an own place. */
  readonly #counts = new Map<Id, number>();
  readonly #families = new Map<Id, readonly Row[]>();
  #hasBegun = false;

  constructor(stored: StoredRows) {
    this.#stored = stored;
    for (const row of stored.all())
      if (row.type === 'mine' && row.fields.order !== undefined)
        this.#keys.set(row.fields.of, row.fields.order);
  }

  of(row: Row): Row {
    return this.#rows.get(row.id)?.row ?? row;
  }

  children(parent: Id, rows: readonly Row[]): readonly Row[] {
    if (!this.#counts.has(parent)) return rows;
    const known = this.#families.get(parent) ?? rows.map((row) => this.of(row)).sort(inOrder);
    this.#families.set(parent, known);
    return known;
  }

  seen(changes: readonly RowChange[]): readonly RowChange[] {
    const about = this.#about(changes);
    if (this.#counts.size > 0)
      for (const { before, after } of changes) {
        this.#families.delete(placeOf(before)?.parent as Id);
        this.#families.delete(placeOf(after)?.parent as Id);
      }
    if (about.size === 0) return changes;
    const was = new Map([...about].map((id) => [id, this.#rows.get(id)?.row]));
    for (const id of about) this.#compose(id);
    const told = changes.map(({ id, before, after }): RowChange => {
      if (!about.delete(id)) return { id, before, after };
      return { id, before: was.get(id) ?? before, after: after && this.of(after) };
    });
    for (const id of about) {
      const row = this.#stored.row(id);
      const [before, after] = [was.get(id) ?? row, row && this.of(row)];
      if (before !== after) told.push({ id, before, after });
    }
    return told;
  }

  /** The tasks whose place may differ by these changes. Notes own keys. */
  #about(changes: readonly RowChange[]): Set<Id> {
    const about = new Set<Id>(this.#hasBegun ? [] : this.#keys.keys());
    this.#hasBegun = true;
    for (const { id, before, after } of changes) {
      const row = after ?? before;
      if (row?.type === 'mine') {
        const { of } = row.fields;
        const order = fieldOf(after, 'order');
        if (this.#keys.get(of) === order) continue;
        if (order === undefined) this.#keys.delete(of);
        else this.#keys.set(of, order);
        about.add(of);
      } else if (this.#keys.size === 0) continue;
      else if (this.#keys.has(id)) about.add(id);
      else if (row?.type === 'mount' && isMine(before) !== isMine(after)) this.#all(row.fields.of, about);
      else if (row?.type === 'list' && (!before || !after)) this.#all(id, about);
    }
    return about;
  }

  /** The tasks with own keys in a list. */
  #all(list: Id, about: Set<Id>): void {
    const scope = this.#stored.row(list)?.scope;
    for (const id of this.#keys.keys())
      if (scope === undefined || this.#stored.row(id)?.scope === scope) about.add(id);
  }

  #compose(id: Id): void {
    const source = this.#stored.row(id);
    const key = this.#keys.get(id);
    const known = this.#rows.get(id);
    const isOwn =
      source?.type === 'task' &&
      key !== undefined &&
      hasOwnOrder(this.#stored, this.#stored.scope, source.scope);
    if (isOwn && known?.source === source && known.key === key) return;
    if (known) this.#count(known.row, -1);
    this.#rows.delete(id);
    if (!isOwn) return;
    const { parent } = source.fields.place;
    const row: Row = { ...source, fields: { ...source.fields, place: { parent, key } } };
    this.#rows.set(id, { source, key, row });
    this.#count(row, 1);
  }

  #count(row: Row, by: 1 | -1): void {
    const parent = placeOf(row)?.parent as Id;
    const count = (this.#counts.get(parent) ?? 0) + by;
    if (count > 0) this.#counts.set(parent, count);
    else this.#counts.delete(parent);
    this.#families.delete(parent);
  }
}
