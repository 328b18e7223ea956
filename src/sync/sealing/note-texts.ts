// Notes of a sealed scope merge on devices: the server takes the text that a device sends. So before an edit is sealed it is merged with the
// text that the server has, as the server would do with one that it can read, and the texts that were replaced are kept for edits that
// started from them. In memory only: after a restart such an edit keeps all that both sides have written.
import type { Id } from '#core/ids.ts';
import { PREDICTED, registersOf, registerStamp, withFields, type Row, type StoredRow } from '../rows/row.ts';
import { withSplices } from '../rows/text-change.ts';
import { wordSplicesOf } from '../rows/text-diff.ts';
import type { ActionOf, OperationHead } from '../rows/operation.ts';
import {
  noteDocOf,
  noteTextOf,
  seedOf,
  withNote,
  type MergeNote,
  type NoteDoc,
  type NoteEpoch,
} from '../notes/note.ts';

const MOST_NOTES = 200;
const MOST_EPOCHS = 20;

type Edit = OperationHead & ActionOf<'note'>;

/** What was sent for a note. `epochs`: what is known once it has been taken; a push that wasn't is merged again from what was known before. */
interface Sent {
  readonly text: string;
  readonly doc: NoteDoc | undefined;
  readonly epochs: readonly NoteEpoch[];
}

/** All words that either text has and the other doesn't: for an edit whose beginning nobody knows any more. */
const both = (there: string, here: string): string =>
  withSplices(
    there,
    wordSplicesOf(there, here).map(({ at, remove, insert }) => {
      // Where one stands in the place of the other, neither has a space between them.
      const isGlued = remove > 0 && /\S$/.test(insert) && /^\S/.test(there.slice(at));
      return { at, remove: 0, insert: isGlued ? `${insert}\n` : insert };
    }),
  );

/** The texts of notes that this device has seen, and what becomes of its edits. */
export class NoteTexts {
  readonly #confirmed: (id: Id) => Row | undefined;
  readonly #epochs = new Map<Id, NoteEpoch[]>();
  /** What was merged and sent, until the server's row of it comes back. */
  readonly #sent = new Map<Id, Sent>();

  constructor(confirmed: (id: Id) => Row | undefined) {
    this.#confirmed = confirmed;
  }

  #keep(id: Id, epoch: NoteEpoch): void {
    const known = (this.#epochs.get(id) ?? []).filter(({ seed }) => seed !== epoch.seed);
    this.#epochs.delete(id);
    this.#epochs.set(id, [...known, epoch].slice(-MOST_EPOCHS));
    for (const oldest of this.#epochs.keys()) {
      if (this.#epochs.size <= MOST_NOTES) break;
      this.#epochs.delete(oldest);
    }
  }

  /** A push: its edits of notes one after the other, each merged with what the server has by then. */
  push(mergeNote: MergeNote): { edit(operation: Edit): Edit; set(id: Id, text: string): void } {
    const now = new Map<Id, Row>();
    const fresh = new Map<Id, NoteEpoch[]>();
    const epochOf = (id: Id, seed: Id) =>
      [...(this.#epochs.get(id) ?? []), ...(fresh.get(id) ?? [])].findLast((epoch) => epoch.seed === seed);
    const rowOf = (id: Id) => now.get(id) ?? this.#confirmed(id);
    const put = (row: Row) => void now.set(row.id, row);
    return {
      edit: (operation) => {
        const row = rowOf(operation.id);
        if (row === undefined) return operation;
        const seen = registerStamp(row, 'notes')[0];
        const b = seen === PREDICTED ? operation.b : Math.max(operation.b, seen);
        const before = noteTextOf(row);
        const [version, time, device, seq] = registerStamp(row, 'notes');
        const writer = { version, time, device, seq, base: b };
        const verdict = mergeNote(
          {
            put,
            noteEpoch: epochOf,
            keepNoteEpoch: (id, epoch) => void fresh.set(id, [...(fresh.get(id) ?? []), epoch]),
          },
          { row, action: operation, writer },
        );
        const merged = verdict === 'ok' ? now.get(operation.id) : undefined;
        if (merged === undefined) {
          const text = both(before, operation.text);
          put(withNote(row, { text, doc: null }, registerStamp(row, 'notes')));
          return { ...operation, b, text };
        }
        const text = noteTextOf(merged);
        const doc = noteDocOf(merged);
        this.#sent.set(operation.id, { text, doc, epochs: fresh.get(operation.id) ?? [] });
        return { ...operation, b, text };
      },
      set: (id, text) => {
        const row = rowOf(id);
        if (row !== undefined) put(withNote(row, { text, doc: null }, registerStamp(row, 'notes')));
      },
    };
  }

  /**
   * A row that has been opened: keeps what its note replaces, and knows its own merging again as long as the server can't merge (`seals`): one
   * that can has to know what edits begin with.
   */
  opened<R extends StoredRow>(row: R, seals: boolean): R {
    if (row.type !== 'task' && row.type !== 'list') return row;
    const held = this.#confirmed(row.id);
    const fields = registersOf(row);
    const text = typeof fields['notes'] === 'string' ? fields['notes'] : '';
    const before = held === undefined ? text : noteTextOf(held);
    if (held !== undefined && before !== text) {
      const doc = noteDocOf(held);
      this.#keep(
        row.id,
        doc === undefined ? { seed: seedOf(before), state: null, text: before } : { ...doc, text: before },
      );
    }
    const sent = this.#sent.get(row.id);
    if (sent?.text === text) {
      this.#sent.delete(row.id);
      for (const epoch of sent.epochs) this.#keep(row.id, epoch);
    }
    // One that the server still has is of the time before the scope was sealed.
    if (fields['notesDoc'] !== undefined || !seals) return row;
    const kept = held !== undefined && before === text ? noteDocOf(held) : undefined;
    const doc = sent?.text === text ? sent.doc : kept;
    return doc === undefined ? row : (withFields(row as Row, { ...fields, notesDoc: doc }) as R);
  }
}
