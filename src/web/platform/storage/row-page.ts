// Rows as they lie on the device's disk: pages of many rows in columns, because one string of 1,000 titles is read an
// order of magnitude faster than 1,000 records. Not here: which rows make a page, and when it is written.
import type { Id } from '#core/ids.ts';
import { asRow, type StoredRow, type Stamp } from '#sync/rows/row.ts';

/** What is stored. Format history: 1 first format; 2 with a sum over the content; 3 with hops, if any row has some. */
export interface RowPage {
  readonly format: 1 | 2 | 3;
  /** From format 2 on: what the content adds up to. */
  readonly sum?: number;
  readonly count: number;
  /** Columns of text are joined with NUL, which stored text never contains. */
  readonly ids: string;
  readonly types: string;
  readonly scopes: readonly Id[];
  readonly scopeOf: Uint16Array;
  readonly parents: string;
  readonly keys: string;
  readonly titles: string;
  /** JSON of all other fields; empty when there are none. */
  readonly rest: string;
  /** JSON of stamps; empty when all registers share the row's one. */
  readonly stamps: string;
  /** version, createdAt, updatedAt, then the four parts of the row's stamp: seven numbers a row. */
  readonly numbers: Float64Array;
  /** How often each row changed its scope; absent: none did. */
  readonly hops?: Uint32Array;
  /** Ids that are gone although an older page still holds them. */
  readonly gone: readonly Id[];
}

const NUMBERS = 7;
const SEPARATOR = '\u0000';
const TEXT_FIELDS = ['title', 'name'] as const;

interface Split {
  readonly parent: string;
  readonly key: string;
  readonly title: string;
  readonly rest: string;
}

const isPlain = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes(SEPARATOR);

/** Takes the common fields out into columns. The name of the text column follows from the rest: see `join`. */
function split(row: StoredRow): Split {
  const rest: Record<string, unknown> = { ...row.fields };
  let parent = '';
  let key = '';
  let title = '';
  const { place } = rest as { place?: { parent?: unknown; key?: unknown } };
  if (place && Object.keys(place).length === 2 && isPlain(place.parent) && isPlain(place.key)) {
    ({ parent, key } = { parent: place.parent, key: place.key });
    delete rest['place'];
  }
  for (const field of TEXT_FIELDS) {
    const value = rest[field];
    if (textField(row.type) !== field || !isPlain(value)) continue;
    title = value;
    delete rest[field];
  }
  return { parent, key, title, rest: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest) };
}

function textField(type: StoredRow['type']): 'title' | 'name' {
  return type === 'task' || type === 'completion' ? 'title' : 'name';
}

export function encodePage(rows: readonly StoredRow[], gone: readonly Id[] = []): RowPage {
  const scopes = [...new Set(rows.map((row) => row.scope))];
  const scopeIndex = new Map(scopes.map((scope, index) => [scope, index]));
  const numbers = new Float64Array(rows.length * NUMBERS);
  const parts = rows.map(split);
  for (const [index, row] of rows.entries()) {
    numbers.set([row.version, row.createdAt, row.updatedAt, ...row.stamp], index * NUMBERS);
  }
  const isMoved = rows.some((row) => row.hops);
  const page: RowPage = {
    format: isMoved ? 3 : 2,
    count: rows.length,
    ids: rows.map((row) => row.id).join(SEPARATOR),
    types: rows.map((row) => row.type).join(SEPARATOR),
    scopes,
    scopeOf: Uint16Array.from(rows, (row) => scopeIndex.get(row.scope) ?? 0),
    parents: parts.map(({ parent }) => parent).join(SEPARATOR),
    keys: parts.map(({ key }) => key).join(SEPARATOR),
    titles: parts.map(({ title }) => title).join(SEPARATOR),
    rest: parts.map(({ rest }) => rest).join(SEPARATOR),
    stamps: rows.map((row) => (row.stamps ? JSON.stringify(row.stamps) : '')).join(SEPARATOR),
    numbers,
    ...(isMoved && { hops: Uint32Array.from(rows, (row) => row.hops ?? 0) }),
    gone,
  };
  return { ...page, sum: sumOf(page) };
}

/** The columns that are text, in the order in which they are summed up. */
export const pageTexts = ['ids', 'types', 'parents', 'keys', 'titles', 'rest', 'stamps'] as const;

/** FNV-1a over every column, text by text and number by number. It finds damage; it is no secret. */
function sumOf(page: RowPage): number {
  let hash = Math.imul(0x811c9dc5 ^ page.count, 0x01000193);
  const take = (text: string) => {
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ text.length, 0x01000193);
  };
  for (const column of pageTexts) take(page[column]);
  for (const scope of page.scopes) take(scope);
  for (const id of page.gone) take(id);
  const bytes = [
    page.scopeOf,
    new Uint32Array(page.numbers.buffer, page.numbers.byteOffset),
    page.hops ?? [],
  ];
  for (const words of bytes) for (const word of words) hash = Math.imul(hash ^ word, 0x01000193);
  return hash >>> 0;
}

/** Whether a stored page is what was written. One of the first format carries no sum: its columns must fit each other. */
export function isWhole(page: unknown): page is RowPage {
  if (typeof page !== 'object' || page === null) return false;
  const { count, numbers, scopeOf, scopes, gone, hops = numbers, sum, ...columns } = page as RowPage;
  const fits =
    ArrayBuffer.isView(hops) &&
    numbers instanceof Float64Array &&
    scopeOf instanceof Uint16Array &&
    Array.isArray(scopes) &&
    Array.isArray(gone) &&
    pageTexts.every((column) => typeof columns[column] === 'string') &&
    numbers.length === count * NUMBERS &&
    scopeOf.length === count &&
    pageIds(page as RowPage).length === count;
  return fits && (columns.format === 1 || sum === sumOf(page as RowPage));
}

/** Ids of a page without decoding the rest. */
export function pageIds(page: RowPage): readonly Id[] {
  return page.count === 0 ? [] : (page.ids.split(SEPARATOR) as Id[]);
}

const NO_STAMP: Stamp = [0, 0, 0, 0];

function numbersAt(page: RowPage, index: number, last: Stamp) {
  const at = (part: number) => page.numbers[index * NUMBERS + part] ?? 0;
  const stamp = last.every((value, part) => value === at(3 + part))
    ? last
    : ([at(3), at(4), at(5), at(6)] as const);
  return { version: at(0), createdAt: at(1), updatedAt: at(2), stamp };
}

/** The same text again is one string in memory: of a million rows most have the type and parent of the row before them. */
function sharingRepeats<T extends string>(texts: readonly T[]): readonly T[] {
  let last: T | undefined;
  return texts.map((text) => {
    if (last === undefined || text !== last) last = text;
    return last;
  });
}

/** Rows of a page that `wanted` lets through; the others are not built. */
export function decodePage(page: RowPage, wanted: (id: Id) => boolean = () => true): StoredRow[] {
  const types = sharingRepeats(page.types.split(SEPARATOR) as StoredRow['type'][]);
  const parents = sharingRepeats(page.parents.split(SEPARATOR));
  const keys = page.keys.split(SEPARATOR);
  const titles = page.titles.split(SEPARATOR);
  const rest = page.rest.split(SEPARATOR);
  const stamps = page.stamps.split(SEPARATOR);
  const rows: StoredRow[] = [];
  let last = NO_STAMP;
  for (const [index, id] of pageIds(page).entries()) {
    const type = types[index];
    const scope = page.scopes[page.scopeOf[index] ?? 0];
    if (type === undefined || scope === undefined || !wanted(id)) continue;
    const fields: Record<string, unknown> = rest[index]
      ? (JSON.parse(rest[index]) as Record<string, unknown>)
      : {};
    if (parents[index]) fields['place'] = { parent: parents[index], key: keys[index] };
    if (titles[index]) fields[textField(type)] = titles[index];
    const row = {
      id,
      type,
      scope,
      fields,
      ...(stamps[index] ? { stamps: JSON.parse(stamps[index]) as Record<string, Stamp> } : {}),
      ...numbersAt(page, index, last),
      ...(page.hops?.[index] && { hops: page.hops[index] }),
    };
    last = row.stamp;
    rows.push(asRow(row));
  }
  return rows;
}
