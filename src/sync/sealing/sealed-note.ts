// What an edit of a note comes to in a scope that is not plain: its server can't merge texts, so it takes the author's, who has merged with
// what was there. Who had not seen that is asked to take it in first (server/sealing/pushed-form.ts).
import { noteDocOf, noteTextOf, seedOf, withNote, type MergeNote } from '../notes/note.ts';
import { stampOver, type Writer } from '../rows/merge.ts';
import { registerStamp, type Row } from '../rows/row.ts';

/** Whether the author of a text has seen the present one. */
export function hasSeenNote(row: Row, { base, device }: Pick<Writer, 'base' | 'device'>): boolean {
  const [version, , writer] = registerStamp(row, 'notes');
  return base >= version || writer === device;
}

/** Takes the text of an author who has seen the present one. */
export const takeSealedNote: MergeNote = (state, { row, action, writer }) => {
  const stamp = hasSeenNote(row, writer) ? stampOver(registerStamp(row, 'notes'), writer) : null;
  if (stamp === null) return 'superseded';
  state.put(withNote(row, { text: action.text, doc: null }, stamp));
  return 'ok';
};

/**
 * In a scope that was sealed once: edits that waited may begin with a text of the time when only devices could read it. They can't be merged
 * here; the text of an author who has seen the present one counts.
 */
export const mergedAfterSealing =
  (mergeNote: MergeNote): MergeNote =>
  (state, editing) => {
    const verdict = mergeNote(state, editing);
    if (verdict !== 'superseded') return verdict;
    const { row } = editing;
    const [doc, text] = [noteDocOf(row), noteTextOf(row)];
    const taken = takeSealedNote(state, editing);
    // What began with the text that it takes the place of goes on from there.
    if (taken === 'ok')
      state.keepNoteEpoch?.(row.id, { seed: doc?.seed ?? seedOf(text), state: doc?.state ?? null, text });
    return taken;
  };
