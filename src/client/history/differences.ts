// What differs between a row as it was and as it is now, register by register, each with the actions that bring it back.
// In words it is words.ts; a whole tree of them is restoring.ts.
import { completionId, mineId, type Id } from '#core/ids.ts';
import { fixedRegisters, type Status } from '#core/model.ts';
import type { Action, NextOccurrence, Position } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import { isTrashed, placeOf } from '#sync/row-reading.ts';
import type { Change } from './change.ts';

/** Rows with what hangs under them, in order. */
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
  /** What happened to it since, on the whole. */
  readonly change: Change;
  /** Empty: it cannot be brought back. */
  readonly back: readonly Action[];
}

/** Not compared: other registers speak for them, only the server writes them, or they are no content. */
const UNCOMPARED: ReadonlySet<string> = new Set([
  'place',
  'del',
  'occ',
  'notesDoc',
  'mailAddress',
  'collapsed',
  'reminded',
  'snoozeCount',
]);

export function isLiving(row: Row | undefined): row is Row {
  return row !== undefined && !isTrashed(row);
}

const isInbox = (row: Row) => row.fields['listType'] === 'inbox';

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function isBefore(a: Row, b: Row): boolean {
  const [x, y] = [placeOf(a)?.key ?? '', placeOf(b)?.key ?? ''];
  return x === y ? a.id < b.id : x < y;
}

/** Index of a row among its siblings, which are in order. */
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

/** The nearest living sibling on one side that stands under the same parent in the other tree too. */
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

/** Where a row stood, by siblings that are still there. */
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

/** In the trash, by itself or with what it is in. */
export function isHidden(row: Row, tree: Pick<Tree, 'row'>): boolean {
  let left = 2_000;
  for (let at: Row | undefined = row; at !== undefined && left > 0; left -= 1) {
    if (isTrashed(at)) return true;
    const parent: Id | undefined = placeOf(at)?.parent;
    at = parent === undefined ? undefined : tree.row(parent);
  }
  return false;
}

const occurrenceOf = (row: Row) => (row.fields['occ'] as number | undefined) ?? 0;

function datesOf({ fields }: Row): NextOccurrence {
  const { due = null, start = null } = fields as Partial<NextOccurrence>;
  return { due, start };
}

/** Back or forth to another occurrence of a repeating task, one by one as it came. Its registers are set beside. */
function advancing(was: Row, is: Row, past: Tree): Action[] {
  const { id } = was;
  const [from, to] = [occurrenceOf(is), occurrenceOf(was)];
  const open: Action[] =
    is.fields['status'] === undefined ? [] : [{ a: 'set', id, field: 'status', value: null }];
  const actions: Action[] = [...open];
  for (let occ = from - 1; occ >= to; occ -= 1)
    actions.push({ a: 'reopen', id, occ, previous: datesOf(occ === to ? was : is) });
  for (let occ = from; occ < to; occ += 1) {
    const at = (past.row(completionId(id, occ))?.fields['at'] as number | undefined) ?? 0;
    actions.push({ a: 'complete', id, occ, at, next: datesOf(was) });
  }
  const status = (was.fields['status'] as Status | undefined) ?? null;
  if (status !== null) actions.push({ a: 'set', id, field: 'status', value: status });
  return actions;
}

function setOf(id: Id, field: string, before: unknown, after: unknown): Change {
  return { id, kind: 'set', field, before, after, back: null };
}

/** Registers of two states of one row; of one that is missing, all are at their default. */
function registers(
  was: Row | undefined,
  is: Row | undefined,
): [field: string, before: unknown, after: unknown][] {
  const [a, b] = [was?.fields ?? {}, is?.fields ?? {}];
  const fixed = fixedRegisters[(was ?? is)?.type ?? 'task'];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((field) => !UNCOMPARED.has(field) && !fixed.includes(field) && !isSame(a[field], b[field]))
    .map((field) => [field, a[field] ?? null, b[field] ?? null]);
}

/** A label that is gone for good cannot be put on again. */
function isPossible(field: string, value: unknown, now: Tree): boolean {
  return (
    value !== true || !field.startsWith('label:') || now.row(field.slice('label:'.length) as Id) !== undefined
  );
}

/** What is one's own about it: snoozing, bookmark, reminders, private labels. */
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

/** Where something stood among its siblings is looked for when it is to go back there: of many that would take long. */
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
 * What happened on the whole to a row that was living then, what brings back its life and place first. `position`: where
 * it goes; absent: beside siblings that are still there. `hasOwn`: false where nothing of one's own about it was changed.
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
    // Its old place may be gone with what it was in: coming back from the trash it would go elsewhere.
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
