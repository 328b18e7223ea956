// One person writing one note: makes the edits that are sent. Fetched when somebody opens the notes, with all that merges.
import * as Y from 'yjs';
import type { Id } from '#core/ids.ts';
import { load, LOWEST_CLIENT, newDoc, textOf, write } from './note-merge.ts';
import { seedOf, type NoteDoc } from './note.ts';
import { splicesOf } from './text-diff.ts';

export { carryText } from './note-merge.ts';
export { mergeNote } from './note-merging.ts';

/** What an edit is sent as. */
export interface NoteEdit {
  readonly seed: Id;
  readonly update: string;
  readonly text: string;
}

/** One person writing one note on one device, from opening to closing it. */
export class NoteSession {
  private readonly random: () => number;
  private client: number;
  private doc = newDoc();
  private held: NoteDoc = { seed: seedOf(''), state: '' };
  private waiting: Uint8Array[] = [];

  /** `random` gives 32 bits. */
  constructor(random: () => number) {
    this.random = random;
    this.client = this.newClient();
  }

  /** Goes on from what the row holds. */
  load(text: string, doc: NoteDoc | undefined): void {
    if (doc !== undefined && doc.seed === this.held.seed && doc.state === this.held.state) return;
    const written = Y.getState(this.doc.store, this.client);
    const { seed } = this.held;
    this.doc = loadOr(text, doc);
    const isDoc = doc !== undefined && textOf(this.doc) === text;
    this.held = isDoc ? doc : { seed: seedOf(text), state: '' };
    if (!isDoc && doc !== undefined) this.doc = load({ state: null, text });
    // What was written before belongs to another text, or was taken back; a number is used on only where all of it is there.
    const isAll = Y.getState(this.doc.store, this.client) === written;
    if (!isAll) this.client = this.newClient();
    if (!isAll || this.held.seed !== seed) this.waiting = [];
  }

  get text(): string {
    return textOf(this.doc);
  }

  /**
   * Makes the text this one. The edit holds all that was written since `isConfirmed` was last true, so that of several
   * that wait the last is enough.
   */
  change(to: string, isConfirmed: boolean): NoteEdit {
    if (isConfirmed) this.waiting = [];
    const before = Y.encodeStateVector(this.doc);
    const updates: Uint8Array[] = [];
    const collect = (update: Uint8Array) => void updates.push(update);
    this.doc.on('update', collect);
    write(this.doc, this.client, splicesOf(this.text, to));
    this.doc.off('update', collect);
    this.waiting.push(...(updates.length > 0 ? updates : [Y.encodeStateAsUpdate(this.doc, before)]));
    if (this.waiting.length > 1) this.waiting = [Y.mergeUpdates(this.waiting)];
    this.held = { ...this.held, state: '' };
    return {
      seed: this.held.seed,
      update: (this.waiting[0] as Uint8Array).toBase64(),
      text: to,
    };
  }

  private newClient(): number {
    return Math.max(this.random() >>> 0, LOWEST_CLIENT);
  }
}

function loadOr(text: string, doc: NoteDoc | undefined): Y.Doc {
  try {
    return load({ state: doc?.state ?? null, text });
  } catch {
    return load({ state: null, text });
  }
}
