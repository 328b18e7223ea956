// What a device brings back to a restored server: rows that it lost, registers that it holds in an older state. They
// merge by the times of their writes alone; on a tie what stands there stays. Which rows to bring is healing.ts.
import type { Id } from '#core/ids.ts';
import { fixedRegisters, placedTypes, type Deletion } from '#core/model.ts';
import type { ApplyContext, ApplyState } from './apply.ts';
import { derivedId } from './derived-id.ts';
import { noteDocOf, seedOf, withNote } from './note.ts';
import type { Reoffer, Verdict } from './operation.ts';
import { isPlacement, livingPlace, moveWithin, placeNew } from './placement.ts';
import { registerStamp, withRegister, type Row, type Stamp } from './row.ts';
import { labelsToReplace, metadataOverflows } from './sets.ts';

/** The stamp an offered register leaves: the time it was written, but never a time to come. */
function stampOf(action: Reoffer, register: string, by: ApplyContext): Stamp {
  const time = Object.hasOwn(action.times, register) ? (action.times[register] as number) : action.at;
  return [by.version, Math.min(time, by.time), by.device, by.seq];
}

function valueOf(action: Reoffer, register: string, { time }: ApplyContext): unknown {
  const value = action.fields[register] ?? null;
  if (register !== 'del' || value === null) return value;
  const { at, by } = value as Deletion;
  return { at: Math.min(at, time), by };
}

/** Takes a row that a device has and the server lost: what is newer stays, register by register. */
export function applyReoffer(state: ApplyState, action: Reoffer, context: ApplyContext): Verdict {
  const existing = state.row(action.id);
  const absence = existing === undefined ? state.absence(action.id) : null;
  if (absence === 'purged') return 'gone';
  if (absence === 'elsewhere') return 'exists';
  if (existing !== undefined && existing.type !== action.type) return 'exists';
  for (const register of new Set([...Object.keys(action.fields), ...Object.keys(action.times)])) {
    if (register === 'place') continue;
    if (state.checks.register(action.type, register, action.fields[register] ?? null) !== null)
      return 'invalid';
  }
  return existing === undefined
    ? create(state, action, context)
    : merge(state, action, { existing, context });
}

function create(state: ApplyState, action: Reoffer, context: ApplyContext): Verdict {
  const { id, type, times } = action;
  if (state.checks.creation(type, action.fields) !== null) return 'invalid';
  if ((derivedId(type, action.fields, context.scope) ?? id) !== id) return 'invalid';
  const fields: Record<string, unknown> = {};
  for (const register of Object.keys(action.fields)) {
    const value = valueOf(action, register, context);
    if (value !== null) fields[register] = value;
  }
  if (metadataOverflows(fields)) return 'limit';
  if (placedTypes.has(type)) {
    if (action.place === undefined) return 'badparent';
    const placed = placeNew(state, action, context.scope);
    if (!isPlacement(placed)) return placed;
    for (const sibling of placed.rekeyed) state.put({ ...sibling, version: context.version });
    fields.place = placed.place;
  } else if (action.place !== undefined) return 'invalid';
  const stamps = Object.fromEntries(
    Object.keys(times).map((register) => [register, stampOf(action, register, context)]),
  );
  state.put({
    id,
    type,
    scope: context.scope,
    version: context.version,
    fields,
    stamp: stampOf(action, '', context),
    ...(Object.keys(stamps).length === 0 ? {} : { stamps }),
    createdAt: Math.min(action.createdAt, context.time),
    updatedAt: 0,
  });
  return 'ok';
}

interface Merge {
  readonly existing: Row;
  readonly context: ApplyContext;
}

function merge(state: ApplyState, action: Reoffer, { existing, context }: Merge): Verdict {
  const isInbox = existing.fields.listType === 'inbox';
  let row = existing;
  for (const register of new Set([...Object.keys(action.fields), ...Object.keys(action.times)])) {
    if (register === 'place' || fixedRegisters[row.type].includes(register)) continue;
    if (register === 'del' && isInbox) continue;
    const stamp = stampOf(action, register, context);
    if (stamp[1] <= registerStamp(row, register)[1]) continue;
    const value = valueOf(action, register, context);
    const others = value === true ? labelsToReplace(state, row.fields, register) : [];
    // Of an exclusive group the label chosen last stays.
    if (others.some((other) => registerStamp(row, other)[1] >= stamp[1])) continue;
    if (register === 'notes') row = withText(state, row, { text: (value as string | null) ?? '', stamp });
    else row = withRegister(row, register, value, stamp);
    for (const other of others) row = withRegister(row, other, null, stamp);
  }
  if (action.place !== undefined && placedTypes.has(row.type) && !isInbox) {
    const stamp = stampOf(action, 'place', context);
    if (stamp[1] > registerStamp(row, 'place')[1]) {
      const moved = moveTo(state, row, { parent: action.place, stamp, context });
      if (moved === null && isUnknown(state, action.place.parent)) return 'badparent';
      row = moved ?? row;
    }
  }
  const isBack = existing.fields.del !== undefined && row.fields.del === undefined;
  const position = isBack ? livingPlace(state, row, context.scope) : null;
  if (position !== null) {
    const stamp = stampOf(action, 'del', context);
    row = moveTo(state, row, { parent: position, stamp, context }) ?? row;
  }
  if (row === existing) return 'already';
  state.put(row);
  return 'ok';
}

/** Ends the editing that goes on, if any; what it replaces is kept for edits that started from it. */
function withText(
  state: ApplyState,
  row: Row,
  { text, stamp }: { readonly text: string; readonly stamp: Stamp },
): Row {
  const doc = noteDocOf(row);
  const present = (row.fields.notes as string | undefined) ?? '';
  if (doc !== undefined) state.keepNoteEpoch?.(row.id, { ...doc, text: present });
  else if (present !== '' && present !== text)
    state.keepNoteEpoch?.(row.id, { seed: seedOf(present), state: null, text: present });
  return withNote(row, { text, doc: null }, stamp);
}

interface Move {
  readonly parent: NonNullable<Reoffer['place']>;
  readonly stamp: Stamp;
  readonly context: ApplyContext;
}

/** The row at its new place; null when it cannot stand there. */
function moveTo(state: ApplyState, row: Row, { parent, stamp, context }: Move): Row | null {
  const placed = moveWithin(state, row, parent, context.scope);
  if (!isPlacement(placed)) return null;
  for (const sibling of placed.rekeyed) state.put({ ...sibling, version: context.version });
  return withRegister(row, 'place', placed.place, stamp);
}

function isUnknown(state: ApplyState, id: Id): boolean {
  return state.row(id) === undefined && state.absence(id) === 'unknown';
}
