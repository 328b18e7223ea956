// What edits and plain writes do to the note of a task or list. A note is plain text until it is edited; while it is,
// the merge state lies beside the text, written only here and always together with it. Merging is a port
// (note-merging.ts), so that a device loads it only when somebody writes notes.
import { deriveId, type Id } from '#core/ids.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import { stampOver, type Writer } from '../rows/merge.ts';
import type { Action, Verdict } from '../rows/operation.ts';
import {
  registersOf,
  withFields,
  fieldOf,
  registerStamp,
  type NoteDoc,
  type Row,
  type Stamp,
} from '../rows/row.ts';

export type { NoteDoc };

/** A text that was replaced, or that nobody edits any more: edits that started from it may still arrive. */
export interface NoteEpoch {
  readonly seed: Id;
  /** Base64; null where nobody has edited it. */
  readonly state: string | null;
  /** The text of the state; without a state, the text that edits start from. */
  readonly text: string;
  /** Edits go on in the row itself; this is only their starting point. */
  readonly isOpen?: boolean;
}

/**
 * The state that apply needs for notes. Without `mergeNote` an edit leaves its author's text, which only a prediction
 * may do.
 */
export interface NoteState {
  readonly mergeNote?: MergeNote | undefined;
  /** A kept epoch of the note. Absent where none are kept: the server then decides about late edits. */
  noteEpoch?(note: Id, seed: Id): NoteEpoch | undefined;
  readonly keepNoteEpoch?: ((note: Id, epoch: NoteEpoch) => void) | undefined;
  /** The merge state of the note cannot be read: it was made anew from the text, or the edit was refused. */
  noteDamaged?(note: Id): void;
}

type Notes = NoteState & {
  readonly checks: RegisterChecks;
  row(id: Id): Row | undefined;
  put(row: Row): void;
};

/** A well-formed edit, and the row that it changes. */
export interface NoteEditing {
  readonly row: Row;
  readonly action: NoteAction;
  readonly writer: Writer;
}

/** Merges an edit into the note of a row and writes the row. Anything but `ok` has changed nothing. */
export type MergeNote = (state: NoteState & { put(row: Row): void }, editing: NoteEditing) => Verdict;

/** Stands for the device in the stamp of a note with edits of several authors, none of whom had seen all of it. */
const SEVERAL = -0x7fff_ffff;
/** Limit of an edit, and of a state before it is flattened, in base64 characters: 512 KiB. */
export const LONGEST_NOTE_STATE = 700_000;

/** The id of a text that editing starts from: the same text has the same seed on every device. */
export function seedOf(text: string): Id {
  return deriveId('note', text);
}

/** The merge state of a note; undefined while nobody has edited it together with others. */
export function noteDocOf(row: Row): NoteDoc | undefined {
  return fieldOf(row, 'notesDoc');
}

/** The text of a note; empty without one. */
export function noteTextOf(row: Row): string {
  return fieldOf(row, 'notes') ?? '';
}

/** The row with another note. The state has no stamp: it is written with the text, never alone. */
export function withNote(row: Row, note: { text: string; doc: NoteDoc | null }, stamp: Stamp): Row {
  const { notes: _notes, notesDoc: _doc, ...others } = registersOf(row);
  const { text, doc } = note;
  const fields = {
    ...others,
    ...(text === '' ? {} : { notes: text }),
    ...(doc === null ? {} : { notesDoc: doc }),
  };
  return withFields({ ...row, version: stamp[0], stamps: { ...row.stamps, notes: stamp } }, fields);
}

/** The row with its note as plain text, if it has a state. Nobody wrote it, so stamps stay. */
export function flattened(row: Row, version: number): Row {
  const { notesDoc: _doc, ...fields } = registersOf(row);
  return withFields({ ...row, version }, fields);
}

/** A plain write of the whole text (`value` is checked). It ends the editing, and the replaced text is kept. */
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
  const text = noteTextOf(row);
  const value = (write.value as string | null) ?? '';
  const isSeen = writer.base >= current[0] || current[2] === writer.device;
  // Others are typing, and the writer has not seen their text: theirs stays, and the device keeps its own among the
  // recovered changes.
  if (doc !== undefined && !isSeen) return 'superseded';
  if (doc !== undefined) state.keepNoteEpoch?.(row.id, { ...doc, text });
  else if (text !== '' && text !== value)
    state.keepNoteEpoch?.(row.id, { seed: seedOf(text), state: null, text });
  state.put(withNote(row, { text: value, doc: null }, stamp));
  return 'ok';
}

export type NoteAction = Extract<Action, { readonly a: 'note' }>;

/**
 * The stamp of an edit. An edit merged with text that its author had not seen has no single author, so nobody can undo
 * it.
 */
export function stampOfEdit(row: Row, writer: Writer, isWhole: boolean): Stamp {
  const [, time] = registerStamp(row, 'notes');
  const at = Math.max(writer.time, time + 1);
  return isWhole ? [writer.version, at, writer.device, writer.seq] : [writer.version, at, SEVERAL, 0];
}

/**
 * Applies an edit of a note: merged if merging is loaded, else as its author's text, which only a prediction may leave.
 */
export function applyNote(state: Notes, action: NoteAction, writer: Writer): Verdict {
  const row = state.row(action.id);
  if (row === undefined) return 'gone';
  if (row.type !== 'task' && row.type !== 'list') return 'invalid';
  if (state.checks.register(row.type, 'notes', action.text) !== null) return 'invalid';
  if (action.update.length > LONGEST_NOTE_STATE) return 'limit';
  if (state.mergeNote !== undefined) return state.mergeNote(state, { row, action, writer });
  const doc = noteDocOf(row);
  const kept = doc?.seed === action.seed ? doc : null;
  state.put(withNote(row, { text: action.text, doc: kept }, stampOfEdit(row, writer, true)));
  return 'ok';
}
