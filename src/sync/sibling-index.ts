// Placed rows by parent, in order: by key as bytes, then by id (keys may collide while they are provisional).
// Bulk loading appends and sorts once when first read; single changes cost a binary search.
import type { Id } from '#core/ids.ts';
import { placeOf, type Sibling } from './placement.ts';
import type { Row } from './row.ts';

interface Family {
  rows: Row[];
  sorted: boolean;
}

const none: readonly Row[] = [];

function keyOf(row: Row): string {
  return placeOf(row)?.key ?? '';
}

function compare(a: Row, b: Row): number {
  const x = keyOf(a);
  const y = keyOf(b);
  if (x !== y) return x < y ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** First index whose row is not before `row`. */
function lowerBound(rows: readonly Row[], row: Row): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(rows[middle] as Row, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class SiblingIndex {
  private readonly families = new Map<Id, Family>();

  /** Rows under a parent in order. Live: valid until the next change. */
  of(parent: Id): readonly Row[] {
    const family = this.families.get(parent);
    if (family === undefined) return none;
    if (!family.sorted) {
      family.rows.sort(compare);
      family.sorted = true;
    }
    return family.rows;
  }

  replace(before: Row | undefined, after: Row | undefined): void {
    const from = before === undefined ? undefined : placeOf(before);
    const to = after === undefined ? undefined : placeOf(after);
    if (from !== undefined && to !== undefined && from.parent === to.parent && from.key === to.key) {
      this.swap(before as Row, after as Row);
      return;
    }
    if (from !== undefined) this.remove(before as Row, from.parent);
    if (to !== undefined) this.insert(after as Row, to.parent);
  }

  neighbour(
    parent: Id,
    from: string | null,
    direction: 'ascending' | 'descending',
    skip: Id,
  ): Sibling | undefined {
    const rows = this.of(parent);
    const step = direction === 'ascending' ? 1 : -1;
    let index =
      from === null ? (direction === 'ascending' ? 0 : rows.length - 1) : this.beyond(rows, from, direction);
    while (rows[index]?.id === skip) index += step;
    const row = rows[index];
    return row === undefined ? undefined : { id: row.id, key: keyOf(row) };
  }

  private beyond(rows: readonly Row[], key: string, direction: 'ascending' | 'descending'): number {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = keyOf(rows[middle] as Row);
      if (direction === 'ascending' ? at <= key : at < key) low = middle + 1;
      else high = middle;
    }
    return direction === 'ascending' ? low : low - 1;
  }

  private swap(before: Row, after: Row): void {
    const family = this.families.get(placeOf(after)?.parent as Id) as Family;
    const index = family.sorted ? lowerBound(family.rows, before) : family.rows.indexOf(before);
    family.rows[index] = after;
  }

  private insert(row: Row, parent: Id): void {
    const family = this.families.get(parent);
    if (family === undefined) {
      this.families.set(parent, { rows: [row], sorted: true });
      return;
    }
    const last = family.rows.at(-1);
    if (!family.sorted || last === undefined || compare(last, row) < 0) family.rows.push(row);
    else family.rows.splice(lowerBound(family.rows, row), 0, row);
  }

  /** Appends without keeping order; the next reader sorts. For pages from disk. */
  append(row: Row): void {
    const parent = placeOf(row)?.parent;
    if (parent === undefined) return;
    const family = this.families.get(parent);
    if (family === undefined) this.families.set(parent, { rows: [row], sorted: true });
    else {
      if (family.sorted && compare(family.rows.at(-1) ?? row, row) > 0) family.sorted = false;
      family.rows.push(row);
    }
  }

  private remove(row: Row, parent: Id): void {
    const family = this.families.get(parent) as Family;
    const index = family.sorted
      ? lowerBound(family.rows, row)
      : family.rows.findIndex((other) => other.id === row.id);
    family.rows.splice(index, 1);
    if (family.rows.length === 0) this.families.delete(parent);
  }
}
