// Completing and reopening. A repeating task rolls forward: its occurrence number moves by compare-and-set, so two
// devices that complete the same occurrence advance it once, and the record they leave has a derived id, so it exists
// once. Where it goes next, and what begins anew with it, comes with the operation; the rule itself is core/repeat.ts.
import { completionId, type Id } from '#core/ids.ts';
import type { ApplyContext, ApplyState } from './apply.ts';
import { stampOver } from './merge.ts';
import { setNote } from './note.ts';
import { advancingRegisters, type Action, type NextOccurrence, type Verdict } from './operation.ts';
import { registerStamp, withRegister, type Row } from './row.ts';

type Complete = Extract<Action, { a: 'complete' }>;
type Reopen = Extract<Action, { a: 'reopen' }>;

function occurrenceOf(row: Row): number {
  return (row.fields.occ as number | undefined) ?? 0;
}

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
  putAdvanced(state, row, { occ: occ + 1, values: action.next }, context);
  putCompletion(state, row, action, context);
  for (const id of action.anew ?? []) beginAnew(state, id, context);
  return 'ok';
}

/** Puts the task at another occurrence. What was edited elsewhere after this was decided stays. */
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

/** Opens a completed task again, unless somebody completed it after this was decided. */
function beginAnew(state: ApplyState, id: Id, context: ApplyContext): void {
  const row = state.row(id);
  if (row?.type !== 'task' || row.scope !== context.scope || row.fields.status === undefined) return;
  const stamp = stampOver(registerStamp(row, 'status'), context);
  if (stamp !== null) state.put(withRegister(row, 'status', null, stamp));
}

function putCompletion(state: ApplyState, task: Row, action: Complete, context: ApplyContext): void {
  const id = completionId(task.id, action.occ);
  const stamp = [context.version, context.time, context.device, context.seq] as const;
  const fields: Record<string, unknown> = {
    task: task.id,
    occ: action.occ,
    at: action.at,
    title: task.fields.title ?? '',
  };
  if (task.fields.due !== undefined) fields.due = task.fields.due;
  if (task.fields.start !== undefined) fields.start = task.fields.start;
  const existing = state.row(id);
  if (existing === undefined && state.absence(id) !== 'unknown') return;
  const createdAt = existing?.createdAt ?? context.time;
  state.put({
    id,
    type: 'completion',
    scope: context.scope,
    version: context.version,
    fields,
    stamp,
    createdAt,
    updatedAt: 0,
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
  const record = state.row(completionId(row.id, action.occ));
  if (record !== undefined) {
    const stamp = [context.version, context.time, context.device, context.seq] as const;
    state.put(withRegister(record, 'del', { at: context.time, by: context.account }, stamp));
  }
  return 'ok';
}
