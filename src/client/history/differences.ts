// Differences between a past row and the current one, register by register, each with the actions that restore it.
// Wording is in sentences.ts; a whole tree is compared in restoring.ts.
import { completionId, mineId, type Id } from '#core/ids.ts';
import { fixedRegisters } from '#core/model.ts';
import type { Action, Position } from '#sync/rows/operation.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import { datesOf, isTrashed, occurrenceOf, placeOf } from '#sync/rows/row-reading.ts';
import type { Change } from './change.ts';
import { rowAndAbove } from '#sync/rows/ancestors.ts';

/** Rows with their children, in order. */
export interface Tree {
  row(id: Id): Row | undefined;
  children(parent: Id): readonly Row[];
}

export interface Comparing {
  readonly past: Tree;
  readonly now: Tree;
  readonly scope: Id;
}

export interface Difference {
  /** The overall change since then. */
  readonly change: Change;
  /** Empty: it cannot be restored. */
  readonly back: readonly Action[];
}

/** Not compared: registers that follow from others, written only by the server, or no content. */
const UNCOMPARED: ReadonlySet<string> = new Set([
  'place',
  'del',
  'occ',
  'notesDoc',
  'mailAddress',
  'collapsed',
  'reminded',
  'wake',
  'snoozeCount',
  'order',
]);

/** Whether something is there, and not in the trash. */
export function isLiving(row: Row | undefined): row is Row {
  return row !== undefined && !isTrashed(row);
}

const isInbox = (row: Row) => fieldOf(row, 'listType') === 'inbox';

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function isBefore(a: Row, b: Row): boolean {
  const [x, y] = [placeOf(a)?.key ?? '', placeOf(b)?.key ?? ''];
  return x === y ? a.id < b.id : x < y;
}

/** Index of a row among its ordered siblings. */
function indexIn(rows: readonly Row[], row: Row): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(rows[middle] as Row, row)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The nearest living sibling on one side that has the same parent in the other tree too. */
function neighbour(row: Row, step: 1 | -1, [here, there]: readonly [Tree, Tree]): Id | null {
  const parent = placeOf(row)?.parent;
  if (parent === undefined) return null;
  const rows = here.children(parent);
  for (let at = indexIn(rows, row) + step; ; at += step) {
    const other = rows[at];
    if (other === undefined) return null;
    const twin = there.row(other.id);
    if (isLiving(other) && isLiving(twin) && placeOf(twin)?.parent === parent) return other.id;
  }
}

/** The past position of a row, relative to siblings that still exist. */
export function positionThen(was: Row, { past, now }: Comparing): Position {
  const parent = placeOf(was)?.parent as Id;
  const after = neighbour(was, -1, [past, now]);
  const before = neighbour(was, 1, [past, now]);
  if (after === null) return { parent, ...(before === null ? {} : { before }), at: 'start' };
  return { parent, after, ...(before === null ? {} : { before }) };
}

function isMoved(was: Row, is: Row, { past, now }: Comparing): boolean {
  const [a, b] = [placeOf(was), placeOf(is)];
  if (a === undefined || b === undefined || isInbox(was)) return false;
  if (a.parent !== b.parent) return true;
  if (a.key === b.key) return false;
  // Another key in the same order is no move.
  return neighbour(was, -1, [past, now]) !== neighbour(is, -1, [now, past]);
}

/** In the trash, by itself or with an ancestor. */
export function isHidden(row: Row, tree: Pick<Tree, 'row'>): boolean {
  for (const at of rowAndAbove(row, (id) => tree.row(id))) if (isTrashed(at)) return true;
  return false;
}

/** Steps back or forth to another occurrence of a repeating task, one by one. Its registers are set in addition. */
function advancing(was: Row, is: Row, past: Tree): Action[] {
  const { id } = was;
  const [from, to] = [occurrenceOf(is), occurrenceOf(was)];
  const open: Action[] =
    fieldOf(is, 'status') === undefined ? [] : [{ a: 'set', id, field: 'status', value: null }];
  const actions: Action[] = [...open];
  for (let occ = from - 1; occ >= to; occ -= 1)
    actions.push({ a: 'reopen', id, occ, previous: datesOf(occ === to ? was : is) });
  for (let occ = from; occ < to; occ += 1) {
    const at = fieldOf(past.row(completionId(id, occ)), 'at') ?? 0;
    actions.push({ a: 'complete', id, occ, at, next: datesOf(was) });
  }
  const status = fieldOf(was, 'status') ?? null;
  if (status !== null) actions.push({ a: 'set', id, field: 'status', value: status });
  return actions;
}

function setOf(id: Id, field: string, before: unknown, after: unknown): Change {
  return { id, kind: 'set', field, before, after, back: null };
}

/** Registers of two states of one row; a missing row has defaults. */
function registers(
  was: Row | undefined,
  is: Row | undefined,
): [field: string, before: unknown, after: unknown][] {
  const [a, b] = [registersOf(was), registersOf(is)];
  const fixed = fixedRegisters[(was ?? is)?.type ?? 'task'];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((field) => !UNCOMPARED.has(field) && !fixed.includes(field) && !isSame(a[field], b[field]))
    .map((field) => [field, a[field] ?? null, b[field] ?? null]);
}

/** A deleted label cannot be put on again. */
function isPossible(field: string, value: unknown, now: Tree): boolean {
  return (
    value !== true || !field.startsWith('label:') || now.row(field.slice('label:'.length) as Id) !== undefined
  );
}

/** Personal fields: snooze, bookmark, reminders, private labels. */
function ownDifferences(of: Id, { past, now, scope }: Comparing): Difference[] {
  const id = mineId(scope, of);
  const is = now.row(id);
  return registers(past.row(id), is)
    .filter(([field, value]) => isPossible(field, value, now))
    .map(([field, value, after]) => ({
      change: setOf(id, field, value, after),
      back:
        is === undefined
          ? [{ a: 'create', id, type: 'mine', fields: { of, [field]: value } }]
          : [{ a: 'set', id, field, value }],
    }));
}

/** What a row that was not there has now, register by register, with the person's own fields of it. */
export function contentOf(id: Id, comparing: Comparing): readonly Change[] {
  const content = registers(undefined, comparing.now.row(id));
  return [
    ...content.map(([field, before, after]) => setOf(id, field, before, after)),
    ...ownDifferences(id, comparing).map(({ change }) => change),
  ];
}

/** A position among siblings is computed only when it is restored: for many rows that would take long. */
function whenAsked(change: Change, back: () => readonly Action[]): Difference {
  return {
    change,
    get back() {
      return back();
    },
  };
}

function lifeDifference(was: Row, is: Row): Difference | null {
  if (!isTrashed(is) || isInbox(was)) return null;
  const { id } = was;
  const change: Change = { id, kind: 'deleted', field: '', before: undefined, after: undefined, back: null };
  return { change, back: [{ a: 'restore', id }] };
}

/**
 * Differences of a row that was living then; the actions that restore its life and place come first. `position`: where
 * it goes; absent: beside siblings that still exist. `hasOwn`: false if no personal field was changed.
 */
export function differencesOf(
  id: Id,
  comparing: Comparing,
  { position, hasOwn = true }: { readonly position?: Position; readonly hasOwn?: boolean } = {},
): Difference[] {
  const { past, now } = comparing;
  const was = past.row(id);
  if (!isLiving(was)) return [];
  const is = now.row(id);
  const plain = { id, field: '', before: undefined, after: undefined, back: null };
  if (is === undefined) return [{ change: { ...plain, kind: 'deleted', field: 'forever' }, back: [] }];
  const found: Difference[] = [];
  const life = lifeDifference(was, is);
  if (life) found.push(life);
  if (isMoved(was, is, comparing) || (life !== null && placeOf(was) !== undefined)) {
    const [before, after] = [placeOf(was)?.parent, placeOf(is)?.parent];
    const back = (): Action => ({ a: 'place', id, place: position ?? positionThen(was, comparing) });
    // Its old parent may be gone: restored from the trash, the row would go elsewhere.
    if (isMoved(was, is, comparing))
      found.push(whenAsked({ ...plain, kind: 'moved', before, after }, () => [back()]));
    else if (life) found[0] = whenAsked(life.change, () => [...life.back, back()]);
  }
  const isAdvanced = was.type === 'task' && occurrenceOf(was) !== occurrenceOf(is);
  if (isAdvanced) {
    const kind = occurrenceOf(is) > occurrenceOf(was) ? 'completed' : 'reopened';
    found.push({ change: { ...plain, kind }, back: advancing(was, is, past) });
  }
  for (const [field, value, after] of registers(was, is)) {
    if (!isPossible(field, value, now) || (isAdvanced && field === 'status')) continue;
    found.push({ change: setOf(id, field, value, after), back: [{ a: 'set', id, field, value }] });
  }
  return hasOwn ? [...found, ...ownDifferences(id, comparing)] : found;
}
