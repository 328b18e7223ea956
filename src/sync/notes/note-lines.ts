// Lines that two people write at the same place of a note, neither knowing of the other's: merged letter by letter they would be one line. Finds where a
// break is missing between them. Merging itself is note-merge.ts.
import * as Y from 'yjs';

type Clocks = ReadonlyMap<number, number>;

/** Parts of one author that follow each other, as one edit put them in. */
interface Run {
  readonly first: Y.Item;
  readonly last: Y.Item;
  /** What is to be seen before it; null: nothing. */
  readonly before: Y.Item | null;
  readonly start: number;
  readonly end: number;
}

const BREAK = '\n';

const textIn = ({ content }: Y.Item): string => (content instanceof Y.ContentString ? content.str : '');

/** Whether a place is the end of the text, or beside a break, for an author who knew this neighbor. One that is gone by now says nothing. */
function isAtBreak(doc: Y.Doc, neighbor: Y.ID | null): boolean {
  if (neighbor === null) return true;
  const item: unknown = Y.getItem(doc.store, neighbor);
  if (!(item instanceof Y.Item) || item.deleted) return false;
  return textIn(item)[neighbor.clock - item.id.clock] === BREAK;
}

/** Where a break is missing at a run, before what is to be seen after it. */
function breaksAt(doc: Y.Doc, { first, last, before, start, end }: Run, after: Y.Item | null): number[] {
  // In the middle of somebody's line it goes on with that line.
  if (!isAtBreak(doc, first.origin) || !isAtBreak(doc, last.rightOrigin)) return [];
  const found: number[] = [];
  const isUnknown = (item: Y.Item, known: Y.ID | null, id: Y.ID) =>
    textIn(item) !== '' && !Y.compareIDs(known, id);
  if (before !== null && isUnknown(before, first.origin, before.lastId))
    if (!textIn(before).endsWith(BREAK) && !textIn(first).startsWith(BREAK)) found.push(start);
  if (after !== null && isUnknown(after, last.rightOrigin, after.id))
    if (!textIn(after).startsWith(BREAK) && !textIn(last).endsWith(BREAK)) found.push(end);
  return found;
}

/**
 * Offsets, ascending, at which a break is missing beside what was put in since `known` (how much there was of each author): a whole line of its author
 * that has come beside a line which its author had not seen.
 */
export function missingBreaks(doc: Y.Doc, text: Y.Text, known: Clocks): readonly number[] {
  const found: number[] = [];
  let run = null as Run | null;
  let [before, at]: [Y.Item | null, number] = [null, 0];
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !item.countable) continue;
    const { client, clock } = item.id;
    const isNew = clock >= (known.get(client) ?? 0);
    const goesOn: Run | null =
      isNew && run !== null && Y.compareIDs(item.origin, run.last.lastId) ? run : null;
    if (run !== null && goesOn === null) found.push(...breaksAt(doc, run, item));
    const end = at + item.length;
    if (!isNew) run = null;
    else if (goesOn !== null) run = { ...goesOn, last: item, end };
    else run = { first: item, last: item, before, start: at, end };
    [before, at] = [item, end];
  }
  return run === null ? found : [...found, ...breaksAt(doc, run, null)];
}
