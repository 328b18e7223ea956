// Undo: from the changes of an action, the actions that revert it. Each carries the sequence number that it undoes, so
// it acts only where nothing newer was written.
import type { Id } from '#core/ids.ts';
import { fixedRegisters } from '#core/model.ts';
import { advancingRegisters, type Action, type NextOccurrence, type Position } from './operation.ts';
import { datesOf, placeOf } from './row-reading.ts';
import type { RowChange } from '../replica/replica-types.ts';
import { registersOf, fieldOf, registerStamp, type Row } from './row.ts';

/** The tree before the action: the former neighbors of a moved row. */
export interface Before {
  /** The position that puts the row back in its place. */
  positionOf(row: Row): Position;
}

/** Actions that undo `action`, given its changes (in the order made) and its sequence number. */
export function inverseOf(
  action: Action,
  seq: number,
  changes: readonly RowChange[],
  before: Before,
): Action[] {
  if (action.a === 'complete' && action.next !== null) {
    const anew = new Set(action.anew ?? []);
    const begun = changes.filter(({ id }) => anew.has(id));
    return [
      reopenOf(action, action.next, changes),
      ...begun.flatMap((change) => inverseOfChange(change, seq, before)),
    ];
  }
  if (action.a === 'reopen' && action.previous !== null)
    return [completeOf(action, action.previous, changes)];
  return changes.toReversed().flatMap((change) => inverseOfChange(change, seq, before));
}

function registerOf(action: Action): string | null {
  if (action.a === 'set') return `${action.id} ${action.field}`;
  if (action.a === 'place') return `${action.id} place`;
  return action.a === 'delete' || action.a === 'restore' ? `${action.id} del` : null;
}

function goesInto(advance: NextOccurrence, field: string, value: unknown): boolean {
  if (field === 'repeat') return value !== null;
  return field in advance && (field === 'notes' || advancingRegisters.some((name) => name === field));
}

/**
 * An advance or its undo writes the dates too, so an earlier write of a date is folded into it. Null when that is not
 * possible.
 */
function withDate(advance: Action, field: string, value: unknown): Action | null {
  if (advance.a === 'complete' && advance.next !== null && goesInto(advance.next, field, value))
    return { ...advance, next: { ...advance.next, [field]: value } };
  if (advance.a === 'reopen' && advance.previous !== null && goesInto(advance.previous, field, value))
    return { ...advance, previous: { ...advance.previous, [field]: value } };
  return null;
}

/**
 * Joins the inverses of actions issued together, newest first, into one undo: of several writes to a register, the
 * value before the first counts, and the register holds the number of the last. `above` gives the ancestors of a row,
 * nearest first: trashed ancestors are restored first, since nothing can be restored under them.
 */
export function joinInverses(inverses: readonly Action[], above: (id: Id) => readonly Id[]): Action[] {
  const joined: (Action | null)[] = [];
  const held = new Map<string, { readonly index: number; readonly only: number | undefined }>();
  const advances = new Map<Id, number>();
  for (const action of inverses) {
    const advanced = action.a === 'set' ? advances.get(action.id) : undefined;
    const folded =
      advanced === undefined || action.a !== 'set'
        ? null
        : withDate(joined[advanced] as Action, action.field, action.value);
    if (folded !== null) {
      joined[advanced as number] = folded;
      continue;
    }
    const register = 'only' in action && action.only !== undefined ? registerOf(action) : null;
    if (register === null) {
      if (action.a === 'complete' || action.a === 'reopen') advances.set(action.id, joined.length);
      joined.push(action);
      continue;
    }
    const later = held.get(register);
    if (later !== undefined) joined[later.index] = null;
    const only = later === undefined && 'only' in action ? action.only : later?.only;
    held.set(register, { index: joined.length, only });
    joined.push({ ...action, only } as Action);
  }
  return ancestorsFirst(
    joined.filter((action) => action !== null),
    above,
  );
}

function ancestorsFirst(actions: readonly Action[], above: (id: Id) => readonly Id[]): Action[] {
  const waiting = new Map(actions.flatMap((action) => (action.a === 'restore' ? [[action.id, action]] : [])));
  if (waiting.size < 2) return [...actions];
  const ordered: Action[] = [];
  for (const action of actions) {
    if (action.a !== 'restore') ordered.push(action);
    else if (waiting.has(action.id)) {
      for (const id of [...above(action.id).toReversed(), action.id]) {
        const restore = waiting.get(id);
        if (restore !== undefined) ordered.push(restore);
        waiting.delete(id);
      }
    }
  }
  return ordered;
}

/** The row's values of everything that `written` wrote. */
function occurrenceIn(row: Row | undefined, written: NextOccurrence): NextOccurrence {
  const repeat = fieldOf(row, 'repeat');
  const others = (['title', 'notes', 'duration', 'series'] as const).flatMap((name) =>
    written[name] === undefined ? [] : [[name, fieldOf(row, name) ?? null] as const],
  );
  return {
    ...datesOf(row),
    // Only written values go back: an unchanged rule keeps its number, by which an older undo recognizes it.
    ...(repeat === undefined || written.repeat === undefined ? {} : { repeat }),
    ...Object.fromEntries(others),
  };
}

function reopenOf(
  action: Extract<Action, { a: 'complete' }>,
  written: NextOccurrence,
  changes: readonly RowChange[],
): Action {
  const task = changes.find((change) => change.id === action.id)?.before;
  return { a: 'reopen', id: action.id, occ: action.occ, previous: occurrenceIn(task, written) };
}

function completeOf(
  action: Extract<Action, { a: 'reopen' }>,
  written: NextOccurrence,
  changes: readonly RowChange[],
): Action {
  const task = changes.find((change) => change.id === action.id)?.before;
  const record = changes.find((change) => change.before?.type === 'completion')?.before;
  const at = fieldOf(record, 'at') ?? task?.stamp[1] ?? 0;
  return { a: 'complete', id: action.id, occ: action.occ, at, next: occurrenceIn(task, written) };
}

/** Entities that cannot be trashed (a person's own marks, a setting) get their defaults back instead. */
function inverseOfCreation(row: Row, seq: number): Action[] {
  if (placeOf(row) !== undefined) return [{ a: 'delete', id: row.id, only: seq }];
  return Object.keys(row.fields)
    .filter((register) => !fixedRegisters[row.type].includes(register))
    .map((field) => ({ a: 'set', id: row.id, field, value: null, only: seq }));
}

function inverseOfChange(change: RowChange, seq: number, before: Before): Action[] {
  const { id } = change;
  if (change.after === undefined) return [];
  if (change.before === undefined) return inverseOfCreation(change.after, seq);
  const actions: Action[] = [];
  const { stamps = {} } = change.after;
  for (const register of Object.keys(stamps)) {
    const stamp = stamps[register];
    // A write of the same value counts too: the register now holds this number and no earlier one.
    if (stamp?.[3] !== seq || stamp === registerStamp(change.before, register)) continue;
    const was = registersOf(change.before)[register];
    if (register === 'place')
      actions.push({ a: 'place', id, place: before.positionOf(change.before), only: seq });
    else if (register === 'del') actions.push({ a: was === undefined ? 'restore' : 'delete', id, only: seq });
    else actions.push({ a: 'set', id, field: register, value: was ?? null, only: seq });
  }
  return actions;
}
