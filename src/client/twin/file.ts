// A Markdown file of a twin, read with the place of every line: front matter, tasks with their notes, and other lines, which are
// kept as they are.
import { BOX, readLine, splitMark, type Reading } from './line.ts';
import { plainNotes, type Content } from './model.ts';

/** One line with its end, which the last one may lack. */
export interface Line {
  readonly text: string;
  readonly end: '' | '\n' | '\r\n';
}

/** A task in a file, with its notes. */
export interface Block {
  /** The short or long form of its id; null: it has none yet. */
  readonly mark: string | null;
  readonly content: Content;
  /** The text of the task without its indent: what is compared with the last time. */
  readonly raw: string;
  readonly indent: string;
  readonly lines: readonly Line[];
  /** Lines after it that belong to no task. */
  readonly tail: readonly Line[];
  /** The block it is under. */
  readonly parent: Block | null;
}

export interface TwinFile {
  /** The id in the front matter. */
  readonly list: string | null;
  readonly hasMark: boolean;
  readonly head: readonly Line[];
  readonly blocks: readonly Block[];
  readonly eol: '\n' | '\r\n';
}

/** What a line was when the file was last in step; null: nothing is known of this mark. */
export type Remembered = (mark: string) => (Content & { readonly raw: string }) | null;

const TAB = 4;
const LIST = /^posthaste:[ \t]*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[ \t]*$/;
const CONFLICT = /^(?:<{7}|>{7}|\|{7})(?: |\r?$)/m;
const BYTE_ORDER_MARK = '\uFEFF';

function widthOf(indent: string): number {
  let width = 0;
  for (const each of indent) width += each === '\t' ? TAB - (width % TAB) : 1;
  return width;
}

const indentOf = (text: string) => /^[ \t]*/.exec(text)?.[0] ?? '';

/** The text without up to `width` columns of its indent. */
function unindented(text: string, width: number): string {
  let at = 0;
  let columns = 0;
  while (columns < width && (text[at] === ' ' || text[at] === '\t')) {
    columns += text[at] === '\t' ? TAB - (columns % TAB) : 1;
    at += 1;
  }
  return text.slice(at);
}

/** A line of notes that looks like a task has a backslash before its bullet. */
const ESCAPED = /^([ \t]*)\\(\\*(?:[-*+]|\d{1,9}[.)])[ \t]+\[.\])/u;
const TO_ESCAPE = /^([ \t]*)(\\*(?:[-*+]|\d{1,9}[.)])[ \t]+\[.\])/u;
/** A line of notes as it is written below a task. */
export const escapeNote = (line: string) => line.replace(TO_ESCAPE, String.raw`$1\$2`);
const unescapeNote = (line: string) => line.replace(ESCAPED, '$1$2');

export function linesIn(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (const [, body = '', end = ''] of text.matchAll(/([^\n]*?)(\r?\n|$)/g)) {
    if (body === '' && end === '') break;
    lines.push({ text: body, end: end as Line['end'] });
  }
  return lines;
}

/** Why a file is left alone; null: it can be read. */
export function damageIn(text: string): string | null {
  if (CONFLICT.test(text)) return "has Git's conflict markers. Resolve them, and it goes on";
  if (text.includes('\u0000') || text.includes('\uFFFD')) return "isn't text in UTF-8";
  return null;
}

interface Head {
  readonly list: string | null;
  readonly end: number;
}

function headOf(lines: readonly Line[]): Head {
  if (lines[0]?.text.trimEnd() !== '---') return { list: null, end: 0 };
  const end = lines.findIndex(({ text }, at) => at > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(text));
  if (end < 0) return { list: null, end: 0 };
  const list = lines.slice(1, end).flatMap(({ text }) => LIST.exec(text)?.[1] ?? [])[0] ?? null;
  return { list, end: end + 1 };
}

interface Draft {
  readonly found: RegExpExecArray;
  readonly width: number;
  readonly parent: Draft | null;
  readonly lines: Line[];
  readonly tail: Line[];
}

class Drafting {
  readonly head: Line[];
  readonly drafts: Draft[] = [];
  /** Empty lines that belong to notes only if notes follow. */
  #blank: Line[] = [];

  constructor(head: readonly Line[]) {
    this.head = [...head];
  }

  add(line: Line): void {
    const last = this.drafts.at(-1);
    const found = BOX.exec(line.text);
    if (found && (found[6] ?? '').trim() !== '') return this.#start(line, found);
    if (last === undefined) return void this.head.push(line);
    if (last.tail.length > 0) return void last.tail.push(line);
    if (line.text.trim() === '') return void this.#blank.push(line);
    const isNote = widthOf(indentOf(line.text)) > last.width && !found;
    (isNote ? last.lines : last.tail).push(...this.#blank, line);
    this.#blank = [];
  }

  end(): void {
    this.drafts.at(-1)?.tail.push(...this.#blank);
    this.#blank = [];
  }

  #start(line: Line, found: RegExpExecArray): void {
    this.end();
    const width = widthOf(found[1] ?? '');
    let parent = this.drafts.at(-1) ?? null;
    while (parent !== null && parent.width >= width) parent = parent.parent; // oxlint-disable-line
    this.drafts.push({ found, width, parent, lines: [line], tail: [] });
  }
}

function blockOf(
  { found, width, lines, tail }: Draft,
  parent: Block | null,
  { reading, remembered }: { readonly reading: Reading; readonly remembered: Remembered },
): Block {
  const [, indent = '', , , box = ' ', , rest = ''] = found;
  const { text, mark } = splitMark(rest);
  const noteLines = lines.slice(1).map((line) => unindented(line.text, width + 2));
  const raw = [(lines[0]?.text ?? '').slice(indent.length), ...noteLines].join('\n');
  const known = mark === null ? null : remembered(mark);
  const labels = known === null ? reading.labels : new Set([...reading.labels, ...known.labels]);
  const content =
    known?.raw === raw
      ? known
      : {
          ...readLine(text, { ...reading, labels }),
          isDone: /x/i.test(box),
          notes: plainNotes(noteLines.map(unescapeNote).join('\n')),
        };
  return { mark, content, raw, indent, lines, tail, parent };
}

/** Reads a file. `text` is decoded and undamaged. */
export function readFile(text: string, reading: Reading, remembered: Remembered): TwinFile {
  const hasMark = text.startsWith(BYTE_ORDER_MARK);
  const lines = linesIn(hasMark ? text.slice(1) : text);
  const head = headOf(lines);
  const drafting = new Drafting(lines.slice(0, head.end));
  for (const line of lines.slice(head.end)) drafting.add(line);
  drafting.end();
  const blocks = new Map<Draft, Block>();
  for (const draft of drafting.drafts) {
    const parent = draft.parent === null ? null : (blocks.get(draft.parent) ?? null);
    blocks.set(draft, blockOf(draft, parent, { reading, remembered }));
  }
  const windows = lines.filter(({ end }) => end === '\r\n').length;
  return {
    list: head.list,
    hasMark,
    head: drafting.head,
    blocks: [...blocks.values()],
    eol: windows * 2 > lines.length ? '\r\n' : '\n',
  };
}

/** The text of lines, in which every line but the last has an end. */
export function textOf(lines: readonly Line[], { eol, hasMark }: Pick<TwinFile, 'eol' | 'hasMark'>): string {
  const texts = lines.map(({ text, end }, at) => text + (end === '' && at < lines.length - 1 ? eol : end));
  return (hasMark ? BYTE_ORDER_MARK : '') + texts.join('');
}

/** The lines that a file begins with, with the id of its list in the front matter. */
export function headWith(file: Pick<TwinFile, 'head' | 'eol' | 'list'>, list: string): readonly Line[] {
  if (file.list === list) return file.head;
  const line = (text: string): Line => ({ text, end: file.eol });
  const own = line(`posthaste: ${list}`);
  const head = headOf(file.head);
  if (head.end === 0) return [line('---'), own, line('---'), ...file.head];
  const [first = line('---'), ...more] = file.head;
  return [first, own, ...more.filter(({ text }, at) => at >= head.end || !LIST.test(text))];
}
