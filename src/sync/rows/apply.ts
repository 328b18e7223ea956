// `apply`: the one function that changes rows, run by the server with authority and by every client as a prediction.
// Pure and synchronous: the same state, operation and context give the same result everywhere. Placement is in
// placement.ts, labels and metadata in sets.ts, repeats in occurrence.ts, rows brought back by a device in reoffer.ts.
import type { Id } from '#core/ids.ts';
import { fixedRegisters, isEntityType, placedTypes, type EntityType, type Status } from '#core/model.ts';
import { unreachable } from '#core/assert.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import { derivedIds } from './derived-id.ts';
import { statusStamp } from './clearing.ts';
import { stampOver, stillHolds, type Writer } from './merge.ts';
import { applyNote, setNote, type NoteState } from '../notes/note.ts';
import { applyComplete, applyReopen, hasItsTask } from './occurrence.ts';
import type { ActionOf, Action, Reoffer, Verdict } from './operation.ts';
import { moveWithin, placeNew, isPlacement, livingPlace, type Siblings } from './placement.ts';
import { type LooseRow, asRow, fieldOf, registerStamp, withRegister, writtenStamp, type Row } from './row.ts';
import { labelsToReplace, metadataOverflows } from './sets.ts';

/** The rows of one scope, as apply reads and writes them. Reads must see the writes made before. */
export interface ApplyState extends Siblings, NoteState {
  row(id: Id): Row | undefined;
  /** Why `row` is undefined. A purged id stays taken forever. */
  absence(id: Id): 'unknown' | 'purged' | 'elsewhere';
  put(row: Row): void;
  /** Records of a task that were made in scopes where it was before, as far as they were looked for. */
  records?(task: Id): Iterable<Id>;
  /** The allowed values of registers. */
  readonly checks: RegisterChecks;
  /** Merges the rows that a device brings back (reoffer.ts). */
  readonly reoffer?: Reoffering | undefined;
}

/**
 * Applies an offer of a device to a restored server; a device loads the implementation (reoffer.ts) only when it needs
 * it.
 */
export type Reoffering = (state: ApplyState, action: Reoffer, context: ApplyContext) => Verdict;

/** The author of an action, as apply sees them, and the scope that it writes to. */
export interface ApplyContext extends Writer {
  readonly scope: Id;
  /** Account number of the author. */
  readonly account: number;
}

/** Applies one action. Anything but `ok` has changed nothing. */
export function apply(state: ApplyState, action: Action, context: ApplyContext): Verdict {
  switch (action.a) {
    case 'create':
      return applyCreate(state, action, context);
    case 'set':
      return applySet(state, action, context);
    case 'note':
      return applyNote(state, action, context);
    case 'place':
      return applyPlace(state, action, context);
    case 'delete':
      return applyDelete(state, action, context);
    case 'restore':
      return applyRestore(state, action, context);
    case 'complete':
      return applyComplete(state, action, context);
    case 'reopen':
      return applyReopen(state, action, context);
    case 'reoffer':
      // A device that has not loaded the code for it does not show the offer before the answer.
      return state.reoffer?.(state, action, context) ?? 'gone';
    default:
      return unreachable(action);
  }
}

function applyCreate(state: ApplyState, action: ActionOf<'create'>, context: ApplyContext): Verdict {
  // A tab of a newer version may have made it: nothing is shown of it, and it is sent.
  if (!isEntityType(action.type) || state.checks.creation(action.type, action.fields) !== null)
    return 'invalid';
  const derived = derivedIds(action, context.scope);
  if (derived.length > 0 && !derived.includes(action.id)) return 'invalid';
  if (!hasItsTask(state, action)) return 'badparent';
  const existing = state.row(action.id);
  if (existing !== undefined)
    return derived.length === 0 ? 'exists' : mergeIntoExisting(state, action, existing, context);
  const absence = state.absence(action.id);
  if (absence === 'purged') return 'gone';
  // An id that this scope alone derives can only have been taken on purpose. Records may have moved with their task.
  if (absence === 'elsewhere')
    return derived.length > 0 && action.type !== 'completion' ? 'forbidden' : 'exists';
  const fields: Record<string, unknown> = {};
  for (const [register, value] of Object.entries(action.fields)) if (value !== null) fields[register] = value;
  // Who wrote it is not for a device to say.
  if (action.type === 'comment') fields['author'] = context.account;
  if (metadataOverflows(fields)) return 'limit';
  let rekeyed: readonly Row[] = [];
  if (placedTypes.has(action.type)) {
    if (action.place === undefined) return 'badparent';
    const placed = placeNew(state, action, context.scope);
    if (!isPlacement(placed)) return placed;
    fields.place = placed.place;
    rekeyed = placed.rekeyed;
  } else if (action.place !== undefined) return 'invalid';
  for (const label of Object.keys(fields)) {
    if (fields[label] === true)
      for (const other of labelsToReplace(state, fields, label)) delete fields[other];
  }
  for (const sibling of rekeyed) state.put({ ...sibling, version: context.version });
  const row: LooseRow = {
    id: action.id,
    type: action.type,
    scope: context.scope,
    version: context.version,
    fields,
    stamp: [context.version, context.time, context.device, context.seq],
    createdAt: Math.min(action.createdAt ?? context.time, context.time),
    updatedAt: 0,
  };
  state.put(asRow(row));
  return 'ok';
}

/** Two devices made the same derived entity (an Inbox, a setting): the second creation is a write of its fields. */
function mergeIntoExisting(
  state: ApplyState,
  action: ActionOf<'create'>,
  existing: Row,
  context: ApplyContext,
): Verdict {
  if (existing.type !== action.type) return 'exists';
  let row = existing;
  for (const [register, value] of Object.entries(action.fields)) {
    if (fixedRegisters[action.type].includes(register)) continue;
    const stamp = stampOver(writtenStamp(row, register), context);
    const others = value === true ? labelsToReplace(state, row.fields, register) : [];
    const replaced = others.map((other) => stampOver(registerStamp(row, other), context));
    // Of an exclusive group the label chosen last stays.
    if (stamp === null || replaced.includes(null)) continue;
    row = withRegister(row, register, value, stamp);
    for (const [at, other] of others.entries()) row = withRegister(row, other, null, replaced[at] ?? stamp);
  }
  if (row === existing) return 'exists';
  state.put(row);
  return 'ok';
}

function isFixed(type: EntityType, register: string): boolean {
  return (
    register === 'place' ||
    register === 'occ' ||
    register === 'del' ||
    fixedRegisters[type].includes(register)
  );
}

function applySet(state: ApplyState, action: ActionOf<'set'>, context: ApplyContext): Verdict {
  const row = state.row(action.id);
  if (row === undefined) return 'gone';
  if (isFixed(row.type, action.field) || state.checks.register(row.type, action.field, action.value) !== null)
    return 'invalid';
  if (action.only !== undefined && !stillHolds(row, action.field, context.device, action.only))
    return 'superseded';
  if (action.field === 'notes') return setNote(state, row, { value: action.value, writer: context });
  const isStatus = row.type === 'task' && action.field === 'status' && action.only === undefined;
  const stamp = isStatus
    ? statusStamp(row, action.value as Status, context)
    : stampOver(writtenStamp(row, action.field), context);
  if (stamp === null) return 'superseded';
  let written = withRegister(row, action.field, action.value, stamp);
  if (
    action.field.startsWith('meta:') &&
    metadataOverflows(written.fields) &&
    !metadataOverflows(row.fields)
  ) {
    // Only a writer who saw all of it is refused; an overflow caused by a merge is kept.
    if (context.base >= row.version || row.stamp[2] === context.device) return 'limit';
  }
  if (action.value === true) {
    for (const other of labelsToReplace(state, row.fields, action.field)) {
      const replaced = stampOver(registerStamp(row, other), context);
      if (replaced === null) return 'superseded';
      written = withRegister(written, other, null, replaced);
    }
  }
  state.put(written);
  return 'ok';
}

function applyPlace(state: ApplyState, action: ActionOf<'place'>, context: ApplyContext): Verdict {
  const row = state.row(action.id);
  if (row === undefined) return 'gone';
  if (!placedTypes.has(row.type) || fieldOf(row, 'listType') === 'inbox') return 'invalid';
  if (action.only !== undefined && !stillHolds(row, 'place', context.device, action.only))
    return 'superseded';
  const stamp = stampOver(registerStamp(row, 'place'), context);
  if (stamp === null) return 'superseded';
  return moveTo(state, row, action.place, { context, stamp });
}

interface Move {
  readonly context: ApplyContext;
  readonly stamp: Row['stamp'];
}

function moveTo(state: ApplyState, row: Row, position: ActionOf<'place'>['place'], move: Move): Verdict {
  const placed = moveWithin(state, row, position, move.context.scope);
  if (!isPlacement(placed)) return placed;
  // New keys for crowded siblings are not edits: their stamps stay, only the rows count as changed.
  for (const sibling of placed.rekeyed) state.put({ ...sibling, version: move.context.version });
  state.put(withRegister(row, 'place', placed.place, move.stamp));
  return 'ok';
}

function applyDelete(state: ApplyState, action: ActionOf<'delete'>, context: ApplyContext): Verdict {
  const row = state.row(action.id);
  if (row === undefined) return 'gone';
  if (!placedTypes.has(row.type) || row.type === 'mount' || fieldOf(row, 'listType') === 'inbox')
    return 'forbidden';
  if (action.only !== undefined && !stillHolds(row, 'del', context.device, action.only)) return 'superseded';
  if (fieldOf(row, 'del') !== undefined) return 'already';
  const stamp = stampOver(registerStamp(row, 'del'), context);
  if (stamp === null) return 'superseded';
  state.put(withRegister(row, 'del', { at: context.time, by: context.account }, stamp));
  return 'ok';
}

function applyRestore(state: ApplyState, action: ActionOf<'restore'>, context: ApplyContext): Verdict {
  const row = state.row(action.id);
  if (row === undefined) return 'gone';
  if (action.only !== undefined && !stillHolds(row, 'del', context.device, action.only)) return 'superseded';
  if (fieldOf(row, 'del') === undefined) return 'already';
  const stamp = stampOver(registerStamp(row, 'del'), context);
  if (stamp === null) return 'superseded';
  const restored = withRegister(row, 'del', null, stamp);
  state.put(restored);
  // Its old place may have been trashed meanwhile: then it returns under the nearest living ancestor.
  const position = livingPlace(state, restored, context.scope);
  const placeStamp = position === null ? null : stampOver(registerStamp(restored, 'place'), context);
  if (position !== null && placeStamp !== null)
    moveTo(state, restored, position, { context, stamp: placeStamp });
  return 'ok';
}
