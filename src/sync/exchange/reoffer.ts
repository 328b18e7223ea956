// Merges rows that a device brings back to a restored server: rows that it lost, registers that it holds in an older
// state. Only the times of the writes count; on a tie the server's value stays. The choice of rows is healing.ts.
import { looksSealed } from '../rows/locked.ts';
import type { Id } from '#core/ids.ts';
import {
  isEntityType,
  readField,
  fixedRegisters,
  placedTypes,
  type Deletion,
  type EntityType,
} from '#core/model.ts';
import type { ApplyContext, ApplyState } from '../rows/apply.ts';
import { derivedIds } from '../rows/derived-id.ts';
import { TEXTS } from '../rows/lost-text.ts';
import { hasItsTask, recordOf } from '../rows/occurrence.ts';
import { occurrenceOf } from '../rows/row-reading.ts';
import { noteDocOf, seedOf, withNote } from '../notes/note.ts';
import type { Position, Reoffer, Verdict } from '../rows/operation.ts';
import { isAboutTask, fallback, isPlacement, livingPlace, moveWithin, placeNew } from '../rows/placement.ts';
import {
  type LooseRow,
  asRow,
  registersOf,
  fieldOf,
  registerStamp,
  withRegister,
  type Row,
  type Stamp,
} from '../rows/row.ts';
import { labelsToReplace, metadataOverflows } from '../rows/sets.ts';

/** An offer of a row of a type that this program knows. */
type KnownOffer = Reoffer & { readonly type: EntityType };

type Placed = KnownOffer & { readonly place: Position };

function isKnownOffer(action: Reoffer): action is KnownOffer {
  return isEntityType(action.type);
}

/** The stamp of an offered register: the time it was written, but never a future time. */
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

/** Accepts a row that a device has and the server lost: newer registers of the server stay. */
export function applyReoffer(state: ApplyState, action: Reoffer, context: ApplyContext): Verdict {
  // A device that does not know the type hands the row on and shows nothing.
  if (!isKnownOffer(action)) return 'gone';
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

function create(state: ApplyState, action: KnownOffer, context: ApplyContext): Verdict {
  const { id, type, times } = action;
  if (state.checks.creation(type, action.fields) !== null) return 'invalid';
  const derived = derivedIds(action, context.scope);
  if (derived.length > 0 && !derived.includes(id)) return 'invalid';
  if (!hasItsTask(state, action)) return 'badparent';
  const fields: Record<string, unknown> = {};
  for (const register of Object.keys(action.fields)) {
    const value = valueOf(action, register, context);
    if (value !== null) fields[register] = value;
  }
  if (type === 'comment') fields['author'] ??= context.account;
  if (metadataOverflows(fields)) return 'limit';
  if (placedTypes.has(type)) {
    if (action.place === undefined) return 'badparent';
    const place = standingPlace(state, { ...action, place: action.place }, context.scope);
    const placed = placeNew(state, { ...action, place }, context.scope);
    if (!isPlacement(placed)) return placed;
    for (const sibling of placed.rekeyed) state.put({ ...sibling, version: context.version });
    fields.place = placed.place;
  } else if (action.place !== undefined) return 'invalid';
  const stamps = Object.fromEntries(
    Object.keys(times).map((register) => [register, stampOf(action, register, context)]),
  );
  leaveLastOfExclusive(state, { fields, stamps }, stampOf(action, '', context));
  const row: LooseRow = {
    id,
    type,
    scope: context.scope,
    version: context.version,
    fields,
    stamp: stampOf(action, '', context),
    ...(Object.keys(stamps).length === 0 ? {} : { stamps }),
    createdAt: Math.min(action.createdAt, context.time),
    updatedAt: 0,
  };
  state.put(asRow(row));
  return 'ok';
}

/**
 * Of each exclusive group the label chosen last stays, as in `merge`. What its server knew as labels of different groups, or not
 * at all, may be of one in the scope and the state in which the row comes back. `stamp`: of registers without one of their own.
 */
function leaveLastOfExclusive(
  state: ApplyState,
  { fields, stamps }: { readonly fields: Record<string, unknown>; readonly stamps: Record<string, Stamp> },
  stamp: Stamp,
): void {
  const timeOf = (register: string): number => (stamps[register] ?? stamp)[1];
  const byTime = Object.keys(fields).toSorted((one, other) => timeOf(other) - timeOf(one));
  for (const label of byTime) {
    if (fields[label] !== true) continue;
    for (const other of labelsToReplace(state, fields, label)) {
      delete fields[other];
      // As if it had been taken off by that choice.
      if (timeOf(label) > timeOf(other)) stamps[other] = stamps[label] ?? stamp;
    }
  }
}

/** Where it was, or where a thing goes whose place is gone, if what it was in is now in a scope that its author does not share. */
function standingPlace(state: ApplyState, { id, type, place }: Placed, scope: Id): Position {
  const isApart = state.row(place.parent) === undefined && state.absence(place.parent) === 'elsewhere';
  return isApart && !isAboutTask(type) ? { parent: fallback(state, { id, type, scope }) } : place;
}

/** Registers that define the current occurrence of a repeating task. */
export const occurrenceRegisters: ReadonlySet<string> = new Set(['occ', 'due', 'start']);

/**
 * Whether the offered occurrence of a repeating task replaces the server's, or the other way round. The later
 * occurrence has seen completions that the other has not, whenever each was written. An earlier one wins only if these
 * completions were undone.
 */
function seriesOffered(
  state: ApplyState,
  action: Reoffer,
  { existing, context }: Merge,
): 'same' | 'wins' | 'yields' {
  const isOffered = 'occ' in action.fields || 'occ' in action.times;
  if (existing.type !== 'task' || !isOffered) return 'same';
  const [offered, standing] = [readField(action.fields, 'occ') ?? 0, occurrenceOf(existing)];
  if (offered >= standing) return offered > standing ? 'wins' : 'same';
  const isLater = stampOf(action, 'occ', context)[1] > registerStamp(existing, 'occ')[1];
  const last = recordOf(state, { task: existing.id, occ: standing - 1, scope: context.scope });
  return isLater && last === undefined ? 'wins' : 'yields';
}

/** Whether a text is the same, sealed or not. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || (looksSealed(one) && looksSealed(other) && one.e === other.e);
}

interface Merge {
  readonly existing: Row;
  readonly context: ApplyContext;
}

function merge(state: ApplyState, action: Reoffer, { existing, context }: Merge): Verdict {
  const isInbox = fieldOf(existing, 'listType') === 'inbox';
  const series = seriesOffered(state, action, { existing, context });
  let row = existing;
  let isReplaced = false;
  for (const register of new Set([...Object.keys(action.fields), ...Object.keys(action.times)])) {
    if (register === 'place' || fixedRegisters[row.type].includes(register)) continue;
    if (register === 'del' && isInbox) continue;
    const stamp = stampOf(action, register, context);
    const goesWithSeries = occurrenceRegisters.has(register) && series !== 'same';
    if (goesWithSeries ? series === 'yields' : stamp[1] <= registerStamp(row, register)[1]) {
      isReplaced ||=
        TEXTS.has(register) &&
        !isSame(action.fields[register] ?? registersOf(row)[register], registersOf(row)[register]);
      continue;
    }
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
  const isBack = fieldOf(existing, 'del') !== undefined && fieldOf(row, 'del') === undefined;
  const position = isBack ? livingPlace(state, row, context.scope) : null;
  if (position !== null) {
    const stamp = stampOf(action, 'del', context);
    row = moveTo(state, row, { parent: position, stamp, context }) ?? row;
  }
  // An accepted offer is in the history with all its registers; one with nothing accepted is not.
  if (row === existing) return isReplaced ? 'superseded' : 'already';
  state.put(row);
  return 'ok';
}

/** Ends the editing of the note, if any; the replaced text is kept for edits that started from it. */
function withText(
  state: ApplyState,
  row: Row,
  { text, stamp }: { readonly text: string; readonly stamp: Stamp },
): Row {
  const doc = noteDocOf(row);
  const present = fieldOf(row, 'notes') ?? '';
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

/** The row at its new place; null when it cannot go there. */
function moveTo(state: ApplyState, row: Row, { parent, stamp, context }: Move): Row | null {
  const placed = moveWithin(state, row, parent, context.scope);
  if (!isPlacement(placed)) return null;
  for (const sibling of placed.rekeyed) state.put({ ...sibling, version: context.version });
  return withRegister(row, 'place', placed.place, stamp);
}

function isUnknown(state: ApplyState, id: Id): boolean {
  return state.row(id) === undefined && state.absence(id) === 'unknown';
}
