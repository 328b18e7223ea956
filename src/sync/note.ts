// Editing a note: what an edit and a plain write make of the note of a task or list. A note is plain text until it is
// edited; while it is, the state that edits merge in lies beside the text, written only here and always together with it.
// Merging is a port (note-merging.ts), so that a device fetches it only when somebody writes notes.
import { deriveId, type Id } from '#core/ids.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import { stampOver, type Writer } from './merge.ts';
import type { Action, Verdict } from './operation.ts';
import { registerStamp, type Row, type Stamp } from './row.ts';

/** What merging a note's edits needs besides its text. */
export interface NoteDoc {
  /** Names the text the first edit started from (`seedOf`): copies that start from equal text make equal states. */
  readonly seed: Id;
  /** Base64. */
  readonly state: string;
}

/** A text that was replaced, or stopped being edited: edits that started from it may still arrive. */
export interface NoteEpoch {
  readonly seed: Id;
  /** Null where nobody has edited it; base64 otherwise. */
  readonly state: string | null;
  /** The text of the state; where there is none, the text edits start from. */
  readonly text: string;
  /** Edits go on in the row itself; this is only where they started. */
  readonly isOpen?: boolean;
}

/** What apply needs for notes. Without `mergeNote` an edit leaves its author's text, as a prediction may. */
export interface NoteState {
  readonly mergeNote?: MergeNote | undefined;
  /** A kept epoch of the note. Absent where none are kept: what becomes of a late edit, the server says. */
  noteEpoch?(note: Id, seed: Id): NoteEpoch | undefined;
  keepNoteEpoch?(note: Id, epoch: NoteEpoch): void;
  /** What edits of the note merge in cannot be read: it was made anew from the text, or the edit was refused. */
  noteDamaged?(note: Id): void;
}

type Notes = NoteState & {
  readonly checks: RegisterChecks;
  row(id: Id): Row | undefined;
  put(row: Row): void;
};

/** An edit whose form is right, and the row it is made to. */
export interface NoteEditing {
  readonly row: Row;
  readonly action: NoteAction;
  readonly writer: Writer;
}

export type MergeNote = (state: NoteState & { put(row: Row): void }, editing: NoteEditing) => Verdict;

/** Stands as device in the stamp of a note that holds edits of several, none of whom had seen all of it. */
const SEVERAL = -0x7fff_ffff;
/** Base64 characters of an edit, and of a state before it is flattened: 512 KiB. */
export const LONGEST_NOTE_STATE = 700_000;

export function seedOf(text: string): Id {
  return deriveId('note', text);
}

/** What merging needs of a note; undefined while nobody has edited it together with others. */
export function noteDocOf(row: Row): NoteDoc | undefined {
  return row.fields.notesDoc as NoteDoc | undefined;
}

/** The text of a note; empty without one. */
export function noteTextOf(row: Row): string {
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
  const text = noteTextOf(row);
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

export type NoteAction = Extract<Action, { readonly a: 'note' }>;

/** The stamp of an edit. One that was merged with what its author had not seen is nobody's own to take back. */
export function stampOfEdit(row: Row, writer: Writer, isWhole: boolean): Stamp {
  const [, time] = registerStamp(row, 'notes');
  const at = Math.max(writer.time, time + 1);
  return isWhole ? [writer.version, at, writer.device, writer.seq] : [writer.version, at, SEVERAL, 0];
}

/** An edit of a note: merged where merging is known, else its author's text, which only a prediction may leave. */
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
