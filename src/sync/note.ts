// Editing a note: what an edit and a plain write make of the note of a task or list. A note is plain text until it is
// edited; while it is, the state that edits merge in lies beside the text, written only here and always together with it.
// Merging itself is a port (note-merge.ts), so that a device fetches it only when somebody writes notes.
import { deriveId, type Id } from '#core/ids.ts';
import { checkRegister } from '#wire/registers.ts';
import { stampOver, type Writer } from './merge.ts';
import type { Action, Verdict } from './operation.ts';
import { registerStamp, type Row, type Stamp } from './row.ts';
import type { Splice } from './text-change.ts';

/** What merging a note's edits needs besides its text. */
export interface NoteDoc {
  /** Names the text the first edit started from (`seedOf`): copies that start from equal text make equal states. */
  readonly seed: Id;
  /** Base64. */
  readonly state: string;
}

/** Something that edits can be merged into: a state, or a text that nobody has edited yet. */
export interface NoteBase {
  readonly state: string | null;
  /** The text of the state; where there is none, the text edits start from. */
  readonly text: string;
}

/** A text that was replaced, or stopped being edited: edits that started from it may still arrive. */
export interface NoteEpoch extends NoteBase {
  readonly seed: Id;
  /** Edits go on in the row itself; this is only where they started. */
  readonly isOpen?: boolean;
}

export type Merged =
  | {
      readonly type: 'ok';
      readonly state: string;
      readonly text: string;
      /** What that changed in the text of the base. */
      readonly changes: readonly Splice[];
    }
  /** The edit is not readable, or makes what no text may hold. */
  | { readonly type: 'invalid' }
  /** It builds on edits that are not here. */
  | { readonly type: 'missing' }
  /** What it should be merged into is not readable. */
  | { readonly type: 'damaged' };

export interface NoteMerge {
  /** Merges an edit (base64). */
  merge(base: NoteBase, update: string): Merged;
  /** Makes the changes, which were made to `from`, to what else became of it: nothing put in by either side is lost. */
  carry(base: NoteBase, from: string, changes: readonly Splice[]): Merged;
}

/** What apply needs to merge notes. Absent: an edit leaves its author's text, as a prediction may. */
export interface NoteState {
  readonly noteMerge?: NoteMerge | undefined;
  /** A kept epoch of the note. */
  noteEpoch?(note: Id, seed: Id): NoteEpoch | undefined;
  keepNoteEpoch?(note: Id, epoch: NoteEpoch): void;
}

/** Stands as device in the stamp of a note that holds edits of several, none of whom had seen all of it. */
const SEVERAL = -0x7fff_ffff;
/** Base64 characters of an edit, and of a state before it is flattened: 512 KiB. */
export const LONGEST_NOTE_STATE = 700_000;

export function seedOf(text: string): Id {
  return deriveId('note', text);
}

export function noteDocOf(row: Row): NoteDoc | undefined {
  return row.fields.notesDoc as NoteDoc | undefined;
}

function textOf(row: Row): string {
  return (row.fields.notes as string | undefined) ?? '';
}

/** The row with another note. The state has no stamp of its own: it is written with the text, never alone. */
export function withNote(row: Row, note: { text: string; doc: NoteDoc | null }, stamp: Stamp): Row {
  const { notes: _notes, notesDoc: _doc, ...others } = row.fields;
  const { text, doc } = note;
  const fields = {
    ...others,
    ...(text === '' ? {} : { notes: text }),
    ...(doc === null ? {} : { notesDoc: doc }),
  };
  return { ...row, version: stamp[0], fields, stamps: { ...row.stamps, notes: stamp } };
}

/** The row with its note as plain text, where it has a state. Nobody wrote it: stamps stay. */
export function flattened(row: Row, version: number): Row {
  const { notesDoc: _doc, ...fields } = row.fields;
  return { ...row, version, fields };
}

/** A plain write of the whole text (`value` is checked). It ends the editing that went on, and what it replaces is kept. */
export function setNote(
  state: NoteState & { put(row: Row): void },
  row: Row,
  write: { readonly value: unknown; readonly writer: Writer },
): Verdict {
  const { writer } = write;
  const current = registerStamp(row, 'notes');
  const stamp = stampOver(current, writer);
  if (stamp === null) return 'superseded';
  const doc = noteDocOf(row);
  const text = textOf(row);
  const value = (write.value as string | null) ?? '';
  const isSeen = writer.base >= current[0] || current[2] === writer.device;
  // Others are typing, and the writer has not seen what: theirs stays, and the device keeps its own where it is found again.
  if (doc !== undefined && !isSeen) return 'superseded';
  if (doc !== undefined) state.keepNoteEpoch?.(row.id, { ...doc, text });
  else if (text !== '' && text !== value)
    state.keepNoteEpoch?.(row.id, { seed: seedOf(text), state: null, text });
  state.put(withNote(row, { text: value, doc: null }, stamp));
  return 'ok';
}

type NoteAction = Extract<Action, { readonly a: 'note' }>;

/** A text that may not stand in a note, whoever made it. Length is no matter: merges may exceed it. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\r') && !text.includes('\0');
}

function stampOf(row: Row, writer: Writer, isWhole: boolean): Stamp {
  const [, time] = registerStamp(row, 'notes');
  const at = Math.max(writer.time, time + 1);
  return isWhole ? [writer.version, at, writer.device, writer.seq] : [writer.version, at, SEVERAL, 0];
}

export function applyNote(
  state: NoteState & { row(id: Id): Row | undefined; put(row: Row): void },
  action: NoteAction,
  writer: Writer,
): Verdict {
  const row = state.row(action.id);
  if (row === undefined) return 'gone';
  if (row.type !== 'task' && row.type !== 'list') return 'invalid';
  if (checkRegister(row.type, 'notes', action.text) !== null) return 'invalid';
  if (action.update.length > LONGEST_NOTE_STATE) return 'limit';
  const doc = noteDocOf(row);
  const text = textOf(row);
  const { noteMerge } = state;
  if (noteMerge === undefined) {
    const kept = doc?.seed === action.seed ? doc : null;
    state.put(withNote(row, { text: action.text, doc: kept }, stampOf(row, writer, true)));
    return 'ok';
  }
  const isCurrent = doc === undefined ? seedOf(text) === action.seed : doc.seed === action.seed;
  const base = { state: doc?.state ?? null, text };
  const merged = isCurrent ? noteMerge.merge(base, action.update) : null;
  if (merged?.type === 'invalid') return 'invalid';
  if (merged?.type !== 'ok') return applyLate(state, { row, action, writer, noteMerge });
  if (!isStorable(merged.text)) return 'invalid';
  if (doc === undefined)
    state.keepNoteEpoch?.(row.id, { seed: action.seed, state: null, text, isOpen: true });
  putMerged(state, row, { action, writer, merged, seed: action.seed });
  return 'ok';
}

interface Late {
  readonly row: Row;
  readonly action: NoteAction;
  readonly writer: Writer;
  readonly noteMerge: NoteMerge;
}

/** An edit of a text that was replaced meanwhile: merged where it belongs, and what it changes carried over to what stands. */
function applyLate(
  state: NoteState & { put(row: Row): void },
  { row, action, writer, noteMerge }: Late,
): Verdict {
  const { id } = row;
  const text = textOf(row);
  const doc = noteDocOf(row);
  const epoch = state.noteEpoch?.(id, action.seed) ?? plainEpoch(action.seed, text);
  if (epoch === undefined) {
    // A prediction shows what its author wrote; the server, which knows, says what becomes of it.
    if (state.noteEpoch !== undefined) return 'superseded';
    state.put(withNote(row, { text: action.text, doc: null }, stampOf(row, writer, true)));
    return 'ok';
  }
  const replayed = noteMerge.merge(epoch, action.update);
  if (replayed.type === 'invalid') return 'invalid';
  if (replayed.type !== 'ok') return 'superseded';
  if (!isStorable(replayed.text)) return 'invalid';
  const carried = carryInto(noteMerge, { doc, text }, { from: epoch.text, changes: replayed.changes });
  if (carried === null || !isStorable(carried.merged.text)) return 'superseded';
  const { seed, merged } = carried;
  state.keepNoteEpoch?.(id, { seed: action.seed, state: replayed.state, text: replayed.text });
  if (seed !== doc?.seed) state.keepNoteEpoch?.(id, { seed, state: null, text, isOpen: true });
  // Its author goes on from there until the answer has come.
  if (merged.text !== action.text)
    state.keepNoteEpoch?.(id, { seed: seedOf(action.text), state: null, text: action.text });
  putMerged(state, row, { action, writer, merged, seed });
  return 'ok';
}

function plainEpoch(seed: Id, current: string): NoteEpoch | undefined {
  const text = [current, ''].find((known) => seedOf(known) === seed);
  return text === undefined ? undefined : { seed, state: null, text };
}

interface Carried {
  readonly seed: Id;
  readonly merged: Extract<Merged, { type: 'ok' }>;
}

/** Into the state that is there; where it is damaged, or there is none, into one made from the text. */
function carryInto(
  noteMerge: NoteMerge,
  { doc, text }: { readonly doc: NoteDoc | undefined; readonly text: string },
  { from, changes }: { readonly from: string; readonly changes: readonly Splice[] },
): Carried | null {
  if (doc !== undefined) {
    const merged = noteMerge.carry({ state: doc.state, text }, from, changes);
    if (merged.type === 'ok') return { seed: doc.seed, merged };
  }
  const merged = noteMerge.carry({ state: null, text }, from, changes);
  return merged.type === 'ok' ? { seed: seedOf(text), merged } : null;
}

interface Merging extends Carried {
  readonly action: NoteAction;
  readonly writer: Writer;
}

function putMerged(
  state: NoteState & { put(row: Row): void },
  row: Row,
  { action, writer, merged, seed }: Merging,
): void {
  const { text } = merged;
  const isTooLarge = merged.state.length > LONGEST_NOTE_STATE;
  if (isTooLarge) state.keepNoteEpoch?.(row.id, { seed, state: merged.state, text });
  const doc = isTooLarge ? null : { seed, state: merged.state };
  state.put(withNote(row, { text, doc }, stampOf(row, writer, text === action.text)));
}
