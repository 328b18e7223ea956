// Placed rows by parent, in order: by key as bytes, then by id (keys may collide while they are provisional).
// Bulk loading appends and sorts once when first read. Rows stand in parts of bounded length, so that a change costs a
// search and a short shift however many siblings there are.
import type { Id } from '#core/ids.ts';
import { type Sibling } from './placement.ts';
import { placeOf } from './row-reading.ts';
import type { Row } from './row.ts';

/** So many rows in a part; twice as many make two of it. */
const PART = 256;

interface Family {
  /** None is empty. While unsorted there is one. */
  parts: Row[][];
  /** All parts together, once asked for; null after a change. */
  whole: readonly Row[] | null;
  sorted: boolean;
}

/** Where a row stands: the number of its part, and its index there. */
interface Spot {
  readonly part: number;
  readonly index: number;
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

function familyOf(row: Row): Family {
  return { parts: [[row]], whole: null, sorted: true };
}

function inParts(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  for (let from = 0; from < rows.length; from += PART) parts.push(rows.slice(from, from + PART));
  return parts;
}

function sort(family: Family): void {
  if (family.sorted) return;
  const rows = family.parts.flat().sort(compare);
  family.parts = inParts(rows);
  family.whole = rows;
  family.sorted = true;
}

/**
 * The first spot whose row is not before what is looked for, in order; at the end it is one beyond the last part's rows.
 */
function spotOf({ parts }: Family, isBefore: (row: Row) => boolean): Spot {
  let part = 0;
  let lastPart = parts.length - 1;
  while (part < lastPart) {
    const middle = (part + lastPart) >>> 1;
    if (isBefore(parts[middle]?.at(-1) as Row)) part = middle + 1;
    else lastPart = middle;
  }
  const rows = parts[part] as Row[];
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(rows[middle] as Row)) low = middle + 1;
    else high = middle;
  }
  return { part, index: low };
}

function rowAt({ parts }: Family, { part, index }: Spot): Row | undefined {
  return parts[part]?.[index];
}

function step({ parts }: Family, { part, index }: Spot, by: 1 | -1): Spot {
  const next = index + by;
  if (next < 0) return { part: part - 1, index: (parts[part - 1]?.length ?? 0) - 1 };
  return next < (parts[part]?.length ?? 0) ? { part, index: next } : { part: part + 1, index: 0 };
}

export class SiblingIndex {
  private readonly families = new Map<Id, Family>();

  /** Rows under a parent in order. Live: valid until the next change. */
  of(parent: Id): readonly Row[] {
    const family = this.families.get(parent);
    if (family === undefined) return none;
    sort(family);
    const [only] = family.parts;
    if (family.parts.length === 1 && only !== undefined) return only;
    return (family.whole ??= family.parts.flat());
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
    const family = this.families.get(parent);
    if (family === undefined) return undefined;
    sort(family);
    const by = direction === 'ascending' ? 1 : -1;
    let at = from === null ? endOf(family, direction) : beyond(family, from, direction);
    for (let row = rowAt(family, at); row !== undefined; row = rowAt(family, at)) {
      if (row.id !== skip) return { id: row.id, key: keyOf(row) };
      at = step(family, at, by);
    }
    return undefined;
  }

  private swap(before: Row, after: Row): void {
    const family = this.families.get(placeOf(after)?.parent as Id) as Family;
    const { part, index } = this.spotIn(family, before);
    (family.parts[part] as Row[])[index] = after;
    family.whole = null;
  }

  private insert(row: Row, parent: Id): void {
    const family = this.families.get(parent);
    if (family === undefined) {
      this.families.set(parent, familyOf(row));
      return;
    }
    family.whole = null;
    const last = family.parts.at(-1) as Row[];
    if (!family.sorted || compare(last.at(-1) as Row, row) < 0) {
      last.push(row);
      if (family.sorted) divide(family, family.parts.length - 1);
      return;
    }
    const { part, index } = this.spotIn(family, row);
    (family.parts[part] as Row[]).splice(index, 0, row);
    divide(family, part);
  }

  /** Appends without keeping order; the next reader sorts. For pages from disk. */
  append(row: Row): void {
    const parent = placeOf(row)?.parent;
    if (parent === undefined) return;
    const family = this.families.get(parent);
    if (family === undefined) {
      this.families.set(parent, familyOf(row));
      return;
    }
    const last = family.parts.at(-1) as Row[];
    if (family.sorted && compare(last.at(-1) as Row, row) > 0) {
      family.parts = [family.parts.flat()];
      family.sorted = false;
    }
    (family.parts.at(-1) as Row[]).push(row);
    family.whole = null;
    if (family.sorted) divide(family, family.parts.length - 1);
  }

  private remove(row: Row, parent: Id): void {
    const family = this.families.get(parent) as Family;
    const { part, index } = this.spotIn(family, row);
    const rows = family.parts[part] as Row[];
    rows.splice(index, 1);
    family.whole = null;
    if (rows.length > 0) return;
    family.parts.splice(part, 1);
    if (family.parts.length === 0) this.families.delete(parent);
  }

  /** Where a row stands, or would. */
  private spotIn(family: Family, row: Row): Spot {
    if (family.sorted) return spotOf(family, (other) => compare(other, row) < 0);
    return { part: 0, index: (family.parts[0] as Row[]).findIndex((other) => other.id === row.id) };
  }
}

/** A part that has grown long becomes two. */
function divide({ parts }: Family, part: number): void {
  const rows = parts[part] as Row[];
  if (rows.length > 2 * PART) parts.splice(part, 1, rows.slice(0, PART), rows.slice(PART));
}

/** Where a walk in that direction begins. */
function endOf({ parts }: Family, direction: 'ascending' | 'descending'): Spot {
  if (direction === 'ascending') return { part: 0, index: 0 };
  return { part: parts.length - 1, index: (parts.at(-1)?.length ?? 0) - 1 };
}

/** The first row beyond a key. */
function beyond(family: Family, key: string, direction: 'ascending' | 'descending'): Spot {
  if (direction === 'descending')
    return step(
      family,
      spotOf(family, (row) => keyOf(row) < key),
      -1,
    );
  return spotOf(family, (row) => keyOf(row) <= key);
}
