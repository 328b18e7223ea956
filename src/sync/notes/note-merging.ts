// Applies an edit of a note: merges it with others that started from the same text, or carries it over from a text that
// was replaced. The server always has this; a device loads it with the notes. Yjs itself is note-merge.ts.
import type { Id } from '#core/ids.ts';
import { noteMerge, type Merged } from './note-merge.ts';
import {
  LONGEST_NOTE_STATE,
  noteDocOf,
  noteTextOf,
  seedOf,
  stampOfEdit,
  withNote,
  type MergeNote,
  type NoteDoc,
  type NoteEditing,
  type NoteEpoch,
  type NoteState,
} from './note.ts';
import type { Verdict } from '../rows/operation.ts';
import type { Row } from '../rows/row.ts';
import type { Splice } from '../rows/text-change.ts';

/** Whether a text is allowed in a note. Its length does not matter: merges may exceed the limit. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\r') && !text.includes('\0');
}

/** Merges an edit into a note with Yjs: the implementation of the port that `apply` uses. */
export const mergeNote: MergeNote = (state, editing) => {
  const { row, action } = editing;
  const doc = noteDocOf(row);
  const text = noteTextOf(row);
  const isCurrent = doc === undefined ? seedOf(text) === action.seed : doc.seed === action.seed;
  const base = { state: doc?.state ?? null, text };
  const merged = isCurrent ? noteMerge.merge(base, action.update) : null;
  if (merged?.type === 'invalid') return 'invalid';
  if (merged?.type === 'damaged') state.noteDamaged?.(row.id);
  if (merged?.type !== 'ok') return applyLate(state, editing);
  if (!isStorable(merged.text)) return 'invalid';
  if (doc === undefined)
    state.keepNoteEpoch?.(row.id, { seed: action.seed, state: null, text, isOpen: true });
  putMerged(state, { ...editing, merged, seed: action.seed });
  return 'ok';
};

/**
 * Applies an edit of a text that was replaced meanwhile: merges it where it belongs, and carries its changes over to
 * the current text.
 */
function applyLate(
  state: NoteState & { put(row: Row): void },
  { row, action, writer }: NoteEditing,
): Verdict {
  const { id } = row;
  const text = noteTextOf(row);
  const doc = noteDocOf(row);
  const epoch = state.noteEpoch?.(id, action.seed) ?? plainEpoch(action.seed, text);
  if (epoch === undefined) {
    // A prediction shows its author's text; the server has the kept texts and decides.
    if (state.noteEpoch !== undefined) return 'superseded';
    state.put(withNote(row, { text: action.text, doc: null }, stampOfEdit(row, writer, true)));
    return 'ok';
  }
  const replayed = noteMerge.merge(epoch, action.update);
  if (replayed.type === 'invalid') return 'invalid';
  if (replayed.type === 'damaged') state.noteDamaged?.(id);
  if (replayed.type !== 'ok') return 'superseded';
  if (!isStorable(replayed.text)) return 'invalid';
  const carried = carryInto({ doc, text }, { from: epoch.text, changes: replayed.changes });
  if (carried?.isDamaged === true) state.noteDamaged?.(id);
  if (carried === null || !isStorable(carried.merged.text)) return 'superseded';
  const { seed, merged } = carried;
  state.keepNoteEpoch?.(id, { seed: action.seed, state: replayed.state, text: replayed.text });
  if (seed !== doc?.seed) state.keepNoteEpoch?.(id, { seed, state: null, text, isOpen: true });
  if (doc !== undefined && seed !== doc.seed)
    state.keepNoteEpoch?.(id, { seed: doc.seed, state: null, text });
  // Its author continues from there until the answer arrives.
  if (merged.text !== action.text)
    state.keepNoteEpoch?.(id, { seed: seedOf(action.text), state: null, text: action.text });
  putMerged(state, { row, action, writer, merged, seed });
  return 'ok';
}

function plainEpoch(seed: Id, current: string): NoteEpoch | undefined {
  const text = [current, ''].find((known) => seedOf(known) === seed);
  return text === undefined ? undefined : { seed, state: null, text };
}

interface Carried {
  readonly seed: Id;
  readonly merged: Extract<Merged, { type: 'ok' }>;
  /** The existing state could not be read. */
  readonly isDamaged?: boolean;
}

/** Carries into the existing state; if it is damaged or missing, into one made from the text. */
function carryInto(
  { doc, text }: { readonly doc: NoteDoc | undefined; readonly text: string },
  { from, changes }: { readonly from: string; readonly changes: readonly Splice[] },
): Carried | null {
  if (doc !== undefined) {
    const merged = noteMerge.carry({ state: doc.state, text }, from, changes);
    if (merged.type === 'ok') return { seed: doc.seed, merged };
  }
  const merged = noteMerge.carry({ state: null, text }, from, changes);
  return merged.type === 'ok' ? { seed: seedOf(text), merged, isDamaged: doc !== undefined } : null;
}

type Merging = Carried & NoteEditing;

function putMerged(
  state: NoteState & { put(row: Row): void },
  { row, action, writer, merged, seed }: Merging,
): void {
  const { text } = merged;
  const isTooLarge = merged.state.length > LONGEST_NOTE_STATE;
  if (isTooLarge) state.keepNoteEpoch?.(row.id, { seed, state: merged.state, text });
  const doc = isTooLarge ? null : { seed, state: merged.state };
  state.put(withNote(row, { text, doc }, stampOfEdit(row, writer, text === action.text)));
}
