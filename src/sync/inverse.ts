// The way back: from what an action changed, the actions that change it back. Each carries the sequence number it
// takes back, so it acts only where nothing newer was written.
import { fixedRegisters } from '#core/model.ts';
import type { Action, NextOccurrence, Position } from './operation.ts';
import { placeOf } from './placement.ts';
import type { RowChange } from './replica-types.ts';
import { registerStamp, type Row } from './row.ts';

/** How the tree looked before: who stood next to a row that was moved. */
export interface Before {
  /** Position that puts the row back where it stood. */
  positionOf(row: Row): Position;
}

/** Actions that undo `action`, given its changes (in the order made) and its sequence number. */
export function inverseOf(
  action: Action,
  seq: number,
  changes: readonly RowChange[],
  before: Before,
): Action[] {
  if (action.a === 'complete' && action.next !== null) return [reopenOf(action, changes)];
  if (action.a === 'reopen' && action.previous !== null) return [completeOf(action, changes)];
  return changes.toReversed().flatMap((change) => inverseOfChange(change, seq, before));
}

function registerOf(action: Action): string | null {
  if (action.a === 'set') return `${action.id} ${action.field}`;
  if (action.a === 'place') return `${action.id} place`;
  return action.a === 'delete' || action.a === 'restore' ? `${action.id} del` : null;
}

/**
 * Inverses of actions issued together, newest first, as one way back: of several writes to one register only what stood
 * before the first counts, and it is the last whose number the register holds.
 */
export function joinInverses(inverses: readonly Action[]): Action[] {
  const newest = new Map<string, number | undefined>();
  const joined = new Map<Action, Action>();
  const held = new Map<string, Action>();
  for (const action of inverses) {
    const register = 'only' in action && action.only !== undefined ? registerOf(action) : null;
    if (register === null || !('only' in action)) {
      joined.set(action, action);
      continue;
    }
    if (!newest.has(register)) newest.set(register, action.only);
    const later = held.get(register);
    if (later !== undefined) joined.delete(later);
    held.set(register, action);
    joined.set(action, { ...action, only: newest.get(register) } as Action);
  }
  return [...joined.values()];
}

function occurrenceIn(row: Row | undefined): NextOccurrence {
  const { due, start, repeat } = (row?.fields ?? {}) as Partial<NextOccurrence>;
  return { due: due ?? null, start: start ?? null, ...(repeat === undefined ? {} : { repeat }) };
}

function reopenOf(action: Extract<Action, { a: 'complete' }>, changes: readonly RowChange[]): Action {
  const task = changes.find((change) => change.id === action.id)?.before;
  return { a: 'reopen', id: action.id, occ: action.occ, previous: occurrenceIn(task) };
}

function completeOf(action: Extract<Action, { a: 'reopen' }>, changes: readonly RowChange[]): Action {
  const task = changes.find((change) => change.id === action.id)?.before;
  const record = changes.find((change) => change.before?.type === 'completion')?.before;
  const at = (record?.fields.at as number | undefined) ?? task?.stamp[1] ?? 0;
  return { a: 'complete', id: action.id, occ: action.occ, at, next: occurrenceIn(task) };
}

/** What cannot be trashed (a person's own marks, a setting) goes back to its defaults instead. */
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
  const registers = new Set([...Object.keys(change.before.fields), ...Object.keys(change.after.fields)]);
  for (const register of registers) {
    const was = change.before.fields[register];
    if (was === change.after.fields[register] || registerStamp(change.after, register)[3] !== seq) continue;
    if (register === 'place')
      actions.push({ a: 'place', id, place: before.positionOf(change.before), only: seq });
    else if (register === 'del') actions.push({ a: was === undefined ? 'restore' : 'delete', id, only: seq });
    else actions.push({ a: 'set', id, field: register, value: was ?? null, only: seq });
  }
  return actions;
}
