// Completing and reopening. A repeating task rolls forward: its occurrence number moves by compare-and-set, so two
// devices that complete the same occurrence advance it once, and the record they leave has a derived id, so it exists
// once. The next occurrence and the subtasks to reopen come with the operation; the rule itself is core/repeat.ts.
import { completionIds, type Id } from '#core/ids.ts';
import { readField, type EntityType } from '#core/model.ts';
import type { ApplyContext, ApplyState } from './apply.ts';
import { stampOver } from './merge.ts';
import { setNote } from '../notes/note.ts';
import { occurrenceOf } from './row-reading.ts';
import { advancingRegisters, type Action, type NextOccurrence, type Verdict } from './operation.ts';
import {
  type TaskRow,
  type FieldsOf,
  fieldOf,
  registerStamp,
  withRegister,
  type Fields,
  type Row,
} from './row.ts';

type Complete = Extract<Action, { a: 'complete' }>;
type Reopen = Extract<Action, { a: 'reopen' }>;

export function applyComplete(state: ApplyState, action: Complete, context: ApplyContext): Verdict {
  const row = state.row(action.id);
  if (row === undefined) return 'gone';
  if (row.type !== 'task') return 'invalid';
  const occ = occurrenceOf(row);
  if (action.occ < occ || (action.occ === occ && row.fields.status !== undefined)) return 'already';
  if (action.occ > occ) return 'superseded';
  if (action.next === null) {
    const stamp = stampOver(registerStamp(row, 'status'), context);
    if (stamp === null) return 'superseded';
    state.put(withRegister(row, 'status', { done: action.at }, stamp));
    return 'ok';
  }
  const record = freeRecordId(state, row.id, occ, context.scope);
  // Somebody has taken all of them elsewhere: the person is told, and has it in Recovered.
  if (record === undefined) return 'forbidden';
  putAdvanced(state, row, { occ: occ + 1, values: action.next }, context);
  putCompletion(state, { record, task: row, at: action.at }, context);
  for (const id of action.anew ?? []) beginAnew(state, id, context);
  return 'ok';
}

/** Moves the task to another occurrence. Later edits made elsewhere stay. */
function putAdvanced(
  state: ApplyState,
  row: Row,
  { occ, values }: { readonly occ: number; readonly values: NextOccurrence },
  context: ApplyContext,
): void {
  const own = [context.version, context.time, context.device, context.seq] as const;
  let moved = withRegister(row, 'occ', occ === 0 ? null : occ, own);
  for (const register of advancingRegisters) {
    const value = values[register];
    if (value === undefined) continue;
    const stamp = stampOver(registerStamp(row, register), context);
    if (stamp !== null) moved = withRegister(moved, register, value, stamp);
  }
  state.put(moved);
  if (values.notes !== undefined) setNote(state, moved, { value: values.notes, writer: context });
}

/** Reopens a completed task, unless somebody completed it after the decision. */
function beginAnew(state: ApplyState, id: Id, context: ApplyContext): void {
  const row = state.row(id);
  if (row?.type !== 'task' || row.scope !== context.scope || row.fields.status === undefined) return;
  const stamp = stampOver(registerStamp(row, 'status'), context);
  if (stamp !== null) state.put(withRegister(row, 'status', null, stamp));
}

/** Whether the row is not a record of an occurrence, or its task is in the same scope. */
export function hasItsTask(
  state: Pick<ApplyState, 'row'>,
  given: { readonly type: EntityType; readonly fields: Fields },
): boolean {
  const task = given.type === 'completion' ? readField(given.fields, 'task') : null;
  return given.type !== 'completion' || (task && state.row(task)?.type === 'task') === true;
}

function isRecordOf(row: Row, task: Id, occ: number): boolean {
  return row.type === 'completion' && row.fields.task === task && row.fields.occ === occ;
}

/** The record of a completed occurrence, unless the completion was undone. */
export function recordOf(
  state: Pick<ApplyState, 'row' | 'records'>,
  { task, occ, scope }: { readonly task: Id; readonly occ: number; readonly scope: Id },
): Row | undefined {
  for (const id of [...completionIds(scope, task, occ), ...(state.records?.(task) ?? [])]) {
    const row = state.row(id);
    if (row !== undefined && isRecordOf(row, task, occ) && fieldOf(row, 'del') === undefined) return row;
  }
  return undefined;
}

/** The id for a new record of an occurrence; undefined when all are taken. */
function freeRecordId(state: ApplyState, task: Id, occ: number, scope: Id): Id | undefined {
  return completionIds(scope, task, occ).find((id) => {
    const row = state.row(id);
    return row === undefined ? state.absence(id) === 'unknown' : isRecordOf(row, task, occ);
  });
}

interface Completed {
  readonly record: Id;
  readonly task: TaskRow;
  readonly at: number;
}

function putCompletion(state: ApplyState, { record, task, at }: Completed, context: ApplyContext): void {
  const stamp = [context.version, context.time, context.device, context.seq] as const;
  const { due, start, title = '' } = task.fields;
  // One that was taken back is made anew where it is, however often it has moved.
  const { createdAt = context.time, hops } = state.row(record) ?? {};
  const fields: FieldsOf<'completion'> = {
    task: task.id,
    occ: occurrenceOf(task),
    at,
    title,
    ...(due === undefined ? {} : { due }),
    ...(start === undefined ? {} : { start }),
  };
  state.put({
    id: record,
    type: 'completion',
    scope: context.scope,
    version: context.version,
    fields,
    stamp,
    createdAt,
    updatedAt: 0,
    ...(hops === undefined ? {} : { hops }),
  });
}

export function applyReopen(state: ApplyState, action: Reopen, context: ApplyContext): Verdict {
  const row = state.row(action.id);
  if (row === undefined) return 'gone';
  if (row.type !== 'task') return 'invalid';
  if (action.previous === null) {
    if (row.fields.status === undefined || occurrenceOf(row) !== action.occ) return 'already';
    const stamp = stampOver(registerStamp(row, 'status'), context);
    if (stamp === null) return 'superseded';
    state.put(withRegister(row, 'status', null, stamp));
    return 'ok';
  }
  if (occurrenceOf(row) !== action.occ + 1 || row.fields.status !== undefined) return 'superseded';
  putAdvanced(state, row, { occ: action.occ, values: action.previous }, context);
  const record = recordOf(state, { task: row.id, occ: action.occ, scope: context.scope });
  if (record !== undefined) {
    const stamp = [context.version, context.time, context.device, context.seq] as const;
    state.put(withRegister(record, 'del', { at: context.time, by: context.account }, stamp));
  }
  return 'ok';
}
