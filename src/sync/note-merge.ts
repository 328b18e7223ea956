// Merging the text of notes with Yjs. What an edit means for a row is note-merging.ts, how one is made note-session.ts.
import * as Y from 'yjs';
import type { NoteEpoch } from './note.ts';
import { withSplices, type Splice } from './text-change.ts';
import { addSplice, splicesOf } from './text-diff.ts';

/** Something that edits can be merged into: a state, or a text that nobody has edited yet. */
export type NoteBase = Pick<NoteEpoch, 'state' | 'text'>;

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

const NAME = 'note';
/** Writes the text a note starts from, on every device the same bytes. */
const SEED_CLIENT = 1;
/** Writes what the server carries over. Only it may: the lock of the scope makes it one writer. */
const CARRY_CLIENT = 2;
/** A device's own number is above: random, one for each time that somebody edits. */
export const LOWEST_CLIENT = 1_024;
/** Given a name, it needs no random one. */
export const newDoc = () => new Y.Doc({ guid: NAME });

/** Throws when the state cannot be read. */
export function load({ state, text }: NoteBase): Y.Doc {
  const doc = newDoc();
  if (state !== null) {
    Y.applyUpdateV2(doc, Uint8Array.fromBase64(state));
    if (isIncomplete(doc)) throw new Error('a state misses a part');
    return doc;
  }
  const client = doc.clientID;
  doc.clientID = SEED_CLIENT;
  doc.getText(NAME).insert(0, text);
  doc.clientID = Math.max(client, LOWEST_CLIENT);
  return doc;
}

function isIncomplete(doc: Y.Doc): boolean {
  return doc.store.pendingStructs !== null || doc.store.pendingDs !== null;
}

export const textOf = (doc: Y.Doc): string => doc.getText(NAME).toJSON();
const stateOf = (doc: Y.Doc): string => Y.encodeStateAsUpdateV2(doc).toBase64();

export function write(doc: Y.Doc, client: number, splices: readonly Splice[]): void {
  doc.clientID = client;
  const text = doc.getText(NAME);
  doc.transact(() => {
    for (const { at, remove, insert } of splices.toReversed()) {
      if (remove > 0) text.delete(at, remove);
      if (insert !== '') text.insert(at, insert);
    }
  });
}

/** Merges an update and tells what it changed in the text. Throws where it cannot be read. */
function mergeInto(doc: Y.Doc, update: Uint8Array): Splice[] {
  const text = doc.getText(NAME);
  const splices: Splice[] = [];
  const note = ({ delta }: Y.YTextEvent): void => {
    let at = 0;
    for (const { retain = 0, delete: remove = 0, insert = '' } of delta) {
      at += retain;
      if (typeof insert !== 'string') throw new TypeError('a note holds text only');
      if (remove > 0 || insert !== '') addSplice(splices, { at, remove, insert });
      at += remove;
    }
  };
  text.observe(note);
  Y.applyUpdate(doc, update);
  text.unobserve(note);
  return splices;
}

/** What `changes`, made to `from`, are in `now`, which is what else became of it. */
function transformed(from: string, now: string, changes: readonly Splice[]): readonly Splice[] {
  if (from === now) return changes;
  const doc = load({ state: null, text: from });
  const copy = load({ state: null, text: from });
  write(doc, CARRY_CLIENT, splicesOf(from, now));
  write(copy, CARRY_CLIENT + 1, changes);
  return mergeInto(doc, Y.encodeStateAsUpdate(copy));
}

/** The text `onto`, which is what else became of `from`, with the change `from` → `to` made to it. */
export function carryText(from: string, to: string, onto: string): string {
  if (from === onto) return to;
  return withSplices(onto, transformed(from, onto, splicesOf(from, to)));
}

export const noteMerge = {
  /** Merges an edit (base64). */
  merge(base: NoteBase, update: string): Merged {
    let doc: Y.Doc;
    try {
      doc = load(base);
    } catch {
      return { type: 'damaged' };
    }
    try {
      const bytes = Uint8Array.fromBase64(update);
      // Applying makes room for as many parts as an update says it has; reading it takes them one by one.
      Y.decodeUpdate(bytes);
      const changes = mergeInto(doc, bytes);
      if (isIncomplete(doc)) return { type: 'missing' };
      return { type: 'ok', state: stateOf(doc), text: textOf(doc), changes };
    } catch {
      return { type: 'invalid' };
    }
  },
  /** Makes the changes, which were made to `from`, to what else became of it: nothing put in by either side is lost. */
  carry(base: NoteBase, from: string, changes: readonly Splice[]): Merged {
    try {
      const doc = load(base);
      const carried = transformed(from, textOf(doc), changes);
      write(doc, CARRY_CLIENT, carried);
      return { type: 'ok', state: stateOf(doc), text: textOf(doc), changes: carried };
    } catch {
      return { type: 'damaged' };
    }
  },
};
