// Merges what a file and the server made of a task, field by field. What cannot be merged is kept beside: nothing that was typed on
// either side is thrown away.
import { withSplices, type Splice } from '#sync/rows/text-change.ts';
import { addSplice, splicesOf } from '#sync/rows/text-diff.ts';
import { scalarNames, type Content } from './model.ts';

/** Up to so many pairs of words are compared; longer texts differ in fewer, larger pieces. */
const MOST_PAIRS = 4_000_000;

const wordsIn = (text: string): readonly string[] => text.match(/\s|\S+/gu) ?? [];

/** For each pair of places, the number of words that the rests have in common, in order. */
function commonTable(from: readonly string[], to: readonly string[]): Uint32Array {
  const width = to.length + 1;
  const table = new Uint32Array((from.length + 1) * width);
  for (let a = from.length - 1; a >= 0; a -= 1)
    for (let b = to.length - 1; b >= 0; b -= 1)
      table[a * width + b] =
        from[a] === to[b]
          ? (table[(a + 1) * width + b + 1] ?? 0) + 1
          : Math.max(table[(a + 1) * width + b] ?? 0, table[a * width + b + 1] ?? 0);
  return table;
}

/** The differences, whole words each, in the order of the text. */
function words(from: string, to: string): readonly Splice[] {
  const [old, now] = [wordsIn(from), wordsIn(to)];
  if (old.length * now.length > MOST_PAIRS) return splicesOf(from, to);
  const table = commonTable(old, now);
  const width = now.length + 1;
  const splices: Splice[] = [];
  let at = 0;
  for (let a = 0, b = 0; a < old.length || b < now.length;) {
    if (a < old.length && b < now.length && old[a] === now[b]) {
      at += old[a]?.length ?? 0;
      a += 1;
      b += 1;
      continue;
    }
    const isOut =
      b >= now.length ||
      (a < old.length && (table[(a + 1) * width + b] ?? 0) >= (table[a * width + b + 1] ?? 0));
    const [out, into] = isOut ? [old[a] ?? '', ''] : ['', now[b] ?? ''];
    addSplice(splices, { at, remove: out.length, insert: into });
    at += out.length;
    if (isOut) a += 1;
    else b += 1;
  }
  return splices;
}

/** Both changes of a text, if they do not touch; null: they do. */
export function mergeText(base: string, ours: string, theirs: string): string | null {
  if (ours === base || ours === theirs) return theirs;
  if (theirs === base) return ours;
  const other = words(base, theirs);
  const isSame = (a: Splice, b: Splice) => a.at === b.at && a.remove === b.remove && a.insert === b.insert;
  const own = words(base, ours).filter((splice) => !other.some((each) => isSame(each, splice)));
  const touches = (a: Splice, b: Splice) => a.at <= b.at + b.remove && b.at <= a.at + a.remove;
  if (own.some((splice) => other.some((each) => touches(splice, each)))) return null;
  return withSplices(
    base,
    [...own, ...other].toSorted((a, b) => a.at - b.at),
  );
}

/** The lines of `theirs`, and those that `ours` has and nobody else. */
function bothLines(base: string, ours: string, theirs: string): string {
  const known = new Set([...base.split('\n'), ...theirs.split('\n')]);
  const own = ours.split('\n').filter((line) => !known.has(line));
  return [theirs, ...own].filter((text) => text !== '').join('\n');
}

const NAMES = { due: 'due', start: 'start', snooze: 'snooze', repeat: 'repeat', minutes: 'for' } as const;

/** A merged task. `kept`: what the file said and the server otherwise, in words. */
export interface Merged {
  readonly content: Content;
  readonly kept: readonly string[];
}

function mergedLabels(base: readonly string[], ours: readonly string[], theirs: readonly string[]): string[] {
  const gone = base.filter((label) => !ours.includes(label));
  const added = ours.filter((label) => !base.includes(label));
  return [...new Set([...theirs.filter((label) => !gone.includes(label)), ...added])].toSorted();
}

/** Merges a task of a file with that of the server. `base`: what it was when both were the same; null: not known. */
export function mergeContent(base: Content | null, ours: Content, theirs: Content): Merged {
  const kept: string[] = [];
  const named = base ?? { ...theirs, notes: '', title: '' };
  // A task needs a title.
  const typed = ours.title === '' ? (base?.title ?? theirs.title) : ours.title;
  const title =
    base === null ? (typed === theirs.title ? typed : null) : mergeText(base.title, typed, theirs.title);
  if (title === null) kept.push(`“${typed}”`);
  const values: Record<string, unknown> = {};
  for (const name of scalarNames) {
    const [own, other] = [ours[name], theirs[name]];
    const was = base === null ? undefined : base[name];
    values[name] = other === was ? own : other;
    if (other !== was && own !== other && own !== null && own !== was) kept.push(`${NAMES[name]}:${own}`);
  }
  // Who ticks a repeating task means the occurrence on the line.
  const isOther = named.repeat !== null && theirs.due !== named.due;
  const isDone = base === null || ours.isDone === base.isDone || isOther ? theirs.isDone : ours.isDone;
  const notes =
    mergeText(named.notes, ours.notes, theirs.notes) ?? bothLines(named.notes, ours.notes, theirs.notes);
  const lines = kept
    .map((each) => `Kept from the file: ${each}`)
    .filter((line) => !notes.split('\n').includes(line));
  const labels =
    base === null
      ? [...new Set([...ours.labels, ...theirs.labels])].toSorted()
      : mergedLabels(base.labels, ours.labels, theirs.labels);
  return {
    content: {
      ...theirs,
      ...values,
      title: title ?? theirs.title,
      isDone,
      labels,
      notes: [notes, ...lines].filter((text) => text !== '').join('\n'),
    },
    kept: lines,
  };
}
