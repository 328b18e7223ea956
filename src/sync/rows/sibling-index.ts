// Placed rows by parent, in order: by key as bytes, then by id (keys may collide while they are provisional). Bulk
// loading appends and sorts on the first read; changes before that are kept beside the loaded rows. Rows are kept in
// parts of bounded length, so that a change costs a search and a short shift however many siblings there are.
import type { Id } from '#core/ids.ts';
import type { Sibling } from './placement.ts';
import { placeOf } from './row-reading.ts';
import type { Row } from './row.ts';

/** Usual rows per part; a part twice as long is split. */
const PART = 256;

interface Family {
  /** Unsorted families have one. In a sorted one none is empty, unless it is the only one. */
  parts: Row[][];
  /** All parts together, once requested; null after a change. */
  whole: readonly Row[] | null;
  /** Null in a sorted family. Changes of an unsorted one by id, applied when it is sorted; null: no longer here. */
  waiting: Map<Id, Row | null> | null;
}

/** The spot of a row: the number of its part, and its index there. */
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
  return { parts: [[row]], whole: null, waiting: null };
}

function inParts(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  for (let from = 0; from < rows.length; from += PART) parts.push(rows.slice(from, from + PART));
  return parts.length > 0 ? parts : [[]];
}

/** Each key is read once: reading it in every comparison takes half as long again. */
function sorted(rows: readonly Row[]): Row[] {
  const keyed = rows.map((row) => ({ key: keyOf(row), row }));
  keyed.sort((a, b) => (a.key === b.key ? compare(a.row, b.row) : a.key < b.key ? -1 : 1));
  return keyed.map(({ row }) => row);
}

/** The rows of an unsorted family with the changes that wait. */
function settled(loaded: readonly Row[], waiting: Map<Id, Row | null>): Row[] {
  if (waiting.size === 0) return [...loaded];
  const rows = loaded.flatMap((row) => (waiting.has(row.id) ? [] : row));
  for (const row of waiting.values()) if (row !== null) rows.push(row);
  return rows;
}

function sort(family: Family): void {
  if (family.waiting === null) return;
  const rows = sorted(settled(family.parts.flat(), family.waiting));
  family.parts = inParts(rows);
  family.whole = rows;
  family.waiting = null;
}

/** The first spot whose row does not come before the one searched for; at the end, one beyond the last part's rows. */
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

/** Children by parent, in the order of an outline. The owner must pass on every change of a row's place. */
export class SiblingIndex {
  readonly #families = new Map<Id, Family>();

  /** Rows under a parent in order. Live: valid until the next change. */
  of(parent: Id): readonly Row[] {
    const family = this.#families.get(parent);
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
      this.#swap(before as Row, after as Row);
      return;
    }
    if (from !== undefined) this.#remove(before as Row, from.parent);
    if (to !== undefined) this.#insert(after as Row, to.parent);
  }

  neighbour(
    parent: Id,
    from: string | null,
    direction: 'ascending' | 'descending',
    skip: Id,
  ): Sibling | undefined {
    const family = this.#families.get(parent);
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

  #swap(before: Row, after: Row): void {
    const family = this.#families.get(placeOf(after)?.parent as Id) as Family;
    family.whole = null;
    if (family.waiting !== null) {
      family.waiting.set(after.id, after);
      return;
    }
    const { part, index } = spotIn(family, before);
    (family.parts[part] as Row[])[index] = after;
  }

  #insert(row: Row, parent: Id): void {
    const family = this.#families.get(parent);
    if (family === undefined) {
      this.#families.set(parent, familyOf(row));
      return;
    }
    family.whole = null;
    if (family.waiting !== null) {
      family.waiting.set(row.id, row);
      return;
    }
    const last = family.parts.at(-1) as Row[];
    const lastRow = last.at(-1);
    if (lastRow === undefined || compare(lastRow, row) < 0) {
      last.push(row);
      divide(family, family.parts.length - 1);
      return;
    }
    const { part, index } = spotIn(family, row);
    (family.parts[part] as Row[]).splice(index, 0, row);
    divide(family, part);
  }

  /** Appends without sorting; the next reader sorts. For pages from disk. */
  append(row: Row): void {
    const parent = placeOf(row)?.parent;
    if (parent === undefined) return;
    const family = this.#families.get(parent);
    if (family === undefined) {
      this.#families.set(parent, familyOf(row));
      return;
    }
    const last = family.parts.at(-1)?.at(-1);
    if (family.waiting === null && last !== undefined && compare(last, row) > 0) {
      family.parts = [family.parts.flat()];
      family.waiting = new Map();
    }
    family.whole = null;
    if (family.waiting?.has(row.id) === true) {
      family.waiting.set(row.id, row);
      return;
    }
    (family.parts.at(-1) as Row[]).push(row);
    if (family.waiting === null) divide(family, family.parts.length - 1);
  }

  #remove(row: Row, parent: Id): void {
    const family = this.#families.get(parent) as Family;
    family.whole = null;
    if (family.waiting !== null) {
      family.waiting.set(row.id, null);
      return;
    }
    const { part, index } = spotIn(family, row);
    const rows = family.parts[part] as Row[];
    rows.splice(index, 1);
    if (rows.length > 0) return;
    family.parts.splice(part, 1);
    if (family.parts.length === 0) this.#families.delete(parent);
  }
}

/** The spot of a row of a sorted family, or the spot to insert it at. */
function spotIn(family: Family, row: Row): Spot {
  return spotOf(family, (other) => compare(other, row) < 0);
}

/** Splits a part that has grown long. */
function divide({ parts }: Family, part: number): void {
  const rows = parts[part] as Row[];
  if (rows.length > 2 * PART) parts.splice(part, 1, rows.slice(0, PART), rows.slice(PART));
}

/** The start of a walk in that direction. */
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
