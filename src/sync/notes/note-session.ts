// A person's editing of one note: makes the edits that are sent. Loaded with the merging code when somebody opens the
// notes.
import * as Y from 'yjs';
import type { Id } from '#core/ids.ts';
import { holds, load, LOWEST_CLIENT, newDoc, textOf, write } from './note-merge.ts';
import { seedOf, type NoteDoc } from './note.ts';
import { splicesOf } from '../rows/text-diff.ts';

export { carryText } from './note-merge.ts';
export { mergeNote } from './note-merging.ts';

/** An edit in the form that is sent. */
export interface NoteEdit {
  readonly seed: Id;
  readonly update: string;
  readonly text: string;
}

/** One person editing one note on one device, from opening to closing it. */
export class NoteSession {
  readonly #random: () => number;
  #client: number;
  #doc = newDoc();
  #held: NoteDoc = { seed: seedOf(''), state: '' };
  #waiting: Uint8Array[] = [];

  /** `random` gives 32 bits. */
  constructor(random: () => number) {
    this.#random = random;
    this.#client = this.#newClient();
  }

  /** Continues from the content of the row. */
  load(text: string, doc: NoteDoc | undefined): void {
    if (doc !== undefined && doc.seed === this.#held.seed && doc.state === this.#held.state) return;
    const written = Y.getState(this.#doc.store, this.#client);
    const { seed } = this.#held;
    this.#doc = loadOr(text, doc);
    const isDoc = doc !== undefined && textOf(this.#doc) === text;
    this.#held = isDoc ? doc : { seed: seedOf(text), state: '' };
    if (!isDoc && doc !== undefined) this.#doc = load({ state: null, text });
    // Earlier edits belong to another text, or were undone; the author's number is used on only if all of them are
    // there. Deletions count too: they mean nothing where the text was never inserted.
    const isAll =
      Y.getState(this.#doc.store, this.#client) === written &&
      this.#waiting.every((update) => holds(this.#doc, update));
    if (!isAll) this.#client = this.#newClient();
    if (!isAll || this.#held.seed !== seed) this.#waiting = [];
  }

  get text(): string {
    return textOf(this.#doc);
  }

  /**
   * Changes the text to `to`. The edit contains everything written since `isConfirmed` was last true, so the last of
   * several waiting edits is enough.
   */
  change(to: string, isConfirmed: boolean): NoteEdit {
    if (isConfirmed) this.#waiting = [];
    const before = Y.encodeStateVector(this.#doc);
    const updates: Uint8Array[] = [];
    const collect = (update: Uint8Array) => void updates.push(update);
    this.#doc.on('update', collect);
    write(this.#doc, this.#client, splicesOf(this.text, to));
    this.#doc.off('update', collect);
    this.#waiting.push(...(updates.length > 0 ? updates : [Y.encodeStateAsUpdate(this.#doc, before)]));
    if (this.#waiting.length > 1) this.#waiting = [Y.mergeUpdates(this.#waiting)];
    this.#held = { ...this.#held, state: '' };
    return {
      seed: this.#held.seed,
      update: (this.#waiting[0] as Uint8Array).toBase64(),
      text: to,
    };
  }

  #newClient(): number {
    return Math.max(this.#random() >>> 0, LOWEST_CLIENT);
  }
}

function loadOr(text: string, doc: NoteDoc | undefined): Y.Doc {
  try {
    return load({ state: doc?.state ?? null, text });
  } catch {
    return load({ state: null, text });
  }
}
