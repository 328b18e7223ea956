// Merges the text of notes with Yjs. What an edit means for a row is note-merging.ts, how one is made note-session.ts.
import * as Y from 'yjs';
import { deriveId } from '#core/ids.ts';
import type { NoteEpoch } from './note.ts';
import { withSplices, type Splice } from '../rows/text-change.ts';
import { addSplice, splicesOf } from '../rows/text-diff.ts';
import { missingBreaks } from './note-lines.ts';

/** The base that edits merge into: a state, or a text that nobody has edited yet. */
export type NoteBase = Pick<NoteEpoch, 'state' | 'text'>;

export type Merged =
  | {
      readonly type: 'ok';
      readonly state: string;
      readonly text: string;
      /** The changes to the text of the base. */
      readonly changes: readonly Splice[];
    }
  /** The edit cannot be read, or makes a text that is not allowed. */
  | { readonly type: 'invalid' }
  /** The edit builds on others that are not here. */
  | { readonly type: 'missing' }
  /** The base cannot be read. */
  | { readonly type: 'damaged' };

const NAME = 'note';
/** Author of the text that a note starts from, so that every device writes the same bytes. */
const SEED_CLIENT = 1;
/** Author of the other one of two changes that are compared; neither is kept. */
const OTHER_CLIENT = 2;
/** Authors on devices have higher numbers: random ones, a new one for each editing session. */
export const LOWEST_CLIENT = 1_024;
/** A fixed guid saves a random one. */
export const newDoc = () => new Y.Doc({ guid: NAME });

/** A document with this state. Throws when the state cannot be read. */
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

/** Whether the document contains everything that an update inserts and deletes. */
export function holds(doc: Y.Doc, update: Uint8Array): boolean {
  const { structs, ds } = Y.decodeUpdate(update);
  const ends = structs.map(({ id, length }) => [id.client, id.clock + length] as const);
  for (const [client, gone] of ds.clients)
    for (const { clock, len } of gone) ends.push([client, clock + len]);
  return ends.every(([client, end]) => Y.getState(doc.store, client) >= end);
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

/** Merges an update and returns its changes to the text. Throws when it cannot be read. `author`: of breaks between lines, by the text so far. */
function mergeInto(doc: Y.Doc, update: Uint8Array, author: (text: string) => number): Splice[] {
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
  doc.transact(({ beforeState }) => {
    Y.applyUpdate(doc, update);
    const breaks = missingBreaks(doc, text, beforeState);
    if (breaks.length === 0) return;
    const { clientID } = doc;
    doc.clientID = author(textOf(doc));
    for (const at of breaks.toReversed()) text.insert(at, '\n');
    doc.clientID = clientID;
  });
  text.unobserve(note);
  return splices;
}

/** The same `changes`, made to `from`, as changes to `now`, which also came from `from`. */
function transformed(from: string, now: string, changes: readonly Splice[]): readonly Splice[] {
  if (from === now) return changes;
  const doc = load({ state: null, text: from });
  const copy = load({ state: null, text: from });
  write(doc, OTHER_CLIENT, splicesOf(from, now));
  write(copy, OTHER_CLIENT + 1, changes);
  return mergeInto(doc, Y.encodeStateAsUpdate(copy), () => OTHER_CLIENT + 2);
}

/**
 * The author of carried changes: a different number for every text or change. A note may be edited anew from the same
 * text, and a restored server carries changes again; Yjs would take the second writing of the same author for the
 * first.
 */
function carrier({ state, text }: NoteBase, carried: readonly Splice[]): number {
  const digits = deriveId('carry', state ?? '', text, JSON.stringify(carried)).slice(0, 8);
  return Math.max(Number.parseInt(digits, 16), LOWEST_CLIENT);
}

/**
 * The author of a break between two lines: above the numbers of all devices, so that what somebody goes on writing at the end of their line stays
 * before it. Another one for another text, as with `carrier`.
 */
function breaker({ state, text }: NoteBase, merged: string): number {
  return 2 ** 32 + Number.parseInt(deriveId('line', state ?? '', text, merged).slice(0, 8), 16);
}

/** Applies the change `from` → `to` to `onto`, which also came from `from`. */
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
      const changes = mergeInto(doc, bytes, (text) => breaker(base, text));
      if (isIncomplete(doc)) return { type: 'missing' };
      return { type: 'ok', state: stateOf(doc), text: textOf(doc), changes };
    } catch {
      return { type: 'invalid' };
    }
  },
  /**
   * Applies changes that were made to `from` to the base, which also came from `from`: no insertion of either side is
   * lost.
   */
  carry(base: NoteBase, from: string, changes: readonly Splice[]): Merged {
    try {
      const doc = load(base);
      const carried = transformed(from, textOf(doc), changes);
      write(doc, carrier(base, carried), carried);
      return { type: 'ok', state: stateOf(doc), text: textOf(doc), changes: carried };
    } catch {
      return { type: 'damaged' };
    }
  },
};
