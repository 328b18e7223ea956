// Merging the text of notes with Yjs. What an edit means for a row is note-merging.ts, how one is made note-session.ts.
import { diffCleanupSemantic, diffMain } from 'diff-match-patch-es';
import * as Y from 'yjs';
import type { NoteEpoch } from './note.ts';
import { spliceOf, withSplices, type Splice } from './text-change.ts';

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
/**
 * Products of the lengths of what differs, up to which it is looked at line by line and character by character. Late edits
 * are compared while others wait: characters, which differ more often than lines, have to cost less.
 */
const MOST_LINES_COMPARED = 16_000_000;
const MOST_COMPARED = 1_000_000;
/** Different parts that units below the surrogates can stand for. */
const MOST_PARTS = 0xd7ff;

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

/** Every part (a character, a line) as one unit, so that none is split; null when there are too many different ones. */
function encoded(
  from: readonly string[],
  to: readonly string[],
): { readonly from: string; readonly to: string; readonly parts: readonly string[] } | null {
  const parts: string[] = [];
  const codes = new Map<string, string>();
  const encode = (all: readonly string[]): string => {
    const units: string[] = [];
    for (const part of all) {
      let code = codes.get(part);
      if (code === undefined) {
        codes.set(part, (code = String.fromCharCode(parts.length)));
        parts.push(part);
      }
      units.push(code);
    }
    return units.join('');
  };
  const both = { from: encode(from), to: encode(to), parts };
  return parts.length > MOST_PARTS ? null : both;
}

const characters = (text: string): string[] => [...text];
const lines = (text: string): string[] => text.split(/(?<=\n)/);

/** Adds the next one, joined with the last where they touch. */
function addSplice(splices: Splice[], { at, remove, insert }: Splice): void {
  const last = splices.at(-1);
  if (last === undefined || last.at + last.remove !== at) splices.push({ at, remove, insert });
  else
    splices[splices.length - 1] = {
      at: last.at,
      remove: last.remove + remove,
      insert: last.insert + insert,
    };
}

/** A replaced piece in finer ones, by the parts it is split into; null when that is too much work. */
function refined(from: string, { at: start, insert: to }: Splice, split: (text: string) => string[]) {
  const [before, after] = [split(from), split(to)];
  const most = split === lines ? MOST_LINES_COMPARED : MOST_COMPARED;
  const codes = before.length * after.length <= most ? encoded(before, after) : null;
  if (codes === null) return null;
  const diffs = diffMain(codes.from, codes.to, { diffTimeout: 0 }, false);
  if (split === characters) diffCleanupSemantic(diffs);
  const splices: Splice[] = [];
  let at = start;
  for (const [kind, units] of diffs) {
    let piece = '';
    for (let index = 0; index < units.length; index += 1) piece += codes.parts[units.charCodeAt(index)] ?? '';
    if (kind !== 0)
      addSplice(splices, { at, remove: kind < 0 ? piece.length : 0, insert: kind < 0 ? '' : piece });
    if (kind <= 0) at += piece.length;
  }
  return splices;
}

/** Where two texts differ, piece by piece, ascending. The same for the same texts, whatever the machine. */
export function splicesOf(from: string, to: string): readonly Splice[] {
  const whole = spliceOf(from, to);
  if (whole === null) return [];
  const finer = (splice: Splice, split: typeof lines): readonly Splice[] => {
    if (splice.remove === 0 || splice.insert === '') return [splice];
    return refined(from.slice(splice.at, splice.at + splice.remove), splice, split) ?? [splice];
  };
  if (whole.remove * whole.insert.length <= MOST_COMPARED) return finer(whole, characters);
  return finer(whole, lines).flatMap((splice) =>
    splice.remove * splice.insert.length <= MOST_COMPARED ? finer(splice, characters) : [splice],
  );
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
