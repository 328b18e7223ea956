// Reads and prints outline text, the lines people copy and paste between programs: indented, bulleted, numbered or with
// checkboxes. Not here: making tasks of a tree, and Markdown for reading (markdown.ts).
import {
  escapeText,
  guardTitle,
  readBox,
  readLine,
  trimTitle,
  unescapeText,
  type Numbering,
  type OutlineLine,
} from './outline-line.ts';

/** An item of an outline with the items under it, as outline text can express it. */
export interface OutlineItem {
  /** One line. */
  readonly title: string;
  /** Lines end in \n. Never empty. */
  readonly notes?: string;
  /** Absent when it has no checkbox. */
  readonly done?: boolean;
  readonly children: readonly OutlineItem[];
}

export type OutlineStyle = 'indented' | 'bulleted' | 'numbered' | 'checkbox';

const LINE_END = /\r\n?|\n/;
const DEFAULT_TAB = 4;
const WIDEST_TAB = 8;

interface Draft {
  title: string;
  notes?: string;
  done?: boolean;
  children: Draft[];
}

interface Level {
  readonly draft: Draft;
  readonly columns: number;
  readonly isMarked: boolean;
  notes: string[] | null;
  /** Column of its first line of notes; deeper lines keep the difference. */
  noteColumns: number;
  /** Number of its last child. */
  lastNumber: Numbering | null;
}

/** Reads any text as a tree; no line is lost and nothing is thrown. Linear in the text, at any depth. */
export function parseOutlineText(text: string): OutlineItem[] {
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split(LINE_END).map(readLine);
  const tab = tabColumns(lines);
  const builder = new OutlineBuilder();
  for (const line of lines) {
    if (line === null) builder.addBlank();
    else builder.addLine(line, columnsOf(line.indent, tab));
  }
  return builder.finish();
}

/** A tab counts as the narrowest indentation made of spaces, so that mixed text lines up. */
function tabColumns(lines: readonly (OutlineLine | null)[]): number {
  let narrowest = WIDEST_TAB + 1;
  for (const line of lines) {
    if (line === null || line.indent === '' || line.indent.includes('\t')) continue;
    narrowest = Math.min(narrowest, line.indent.length);
  }
  return narrowest > WIDEST_TAB ? DEFAULT_TAB : narrowest;
}

function columnsOf(indent: string, tab: number): number {
  let columns = 0;
  for (let i = 0; i < indent.length; i += 1) columns += indent[i] === '\t' ? tab : 1;
  return columns;
}

class OutlineBuilder {
  readonly #root: Level = openLevel({ title: '', children: [] }, -1, false);
  /** From the top level down to the last item; columns strictly increase. */
  readonly #open: Level[] = [];
  readonly #noted: Level[] = [];
  #lastNoted: Level | null = null;
  #blanks = 0;

  addBlank(): void {
    this.#blanks += 1;
  }

  addLine(line: OutlineLine, columns: number): void {
    while ((this.#open.at(-1)?.columns ?? -1) >= columns) this.#open.pop();
    const parent = this.#open.at(-1) ?? this.#root;
    const isNumbered = line.number !== null && continues(parent.lastNumber, line.number);
    const hasMarker = line.isBulleted || isNumbered;
    const { done, rest } = readBox(hasMarker ? line.rest : line.text);
    const isMarked = hasMarker || done !== null;
    if (!isMarked && parent !== this.#root && (parent.isMarked || line.text.startsWith('>'))) {
      this.#addNote(parent, line.text, columns);
    } else {
      const title = done === null ? unescapeText(rest.trimEnd(), hasMarker ? 'marked' : 'plain') : rest;
      const draft: Draft = { title: trimTitle(title), children: [] };
      if (done !== null) draft.done = done;
      parent.lastNumber = isNumbered ? line.number : null;
      parent.draft.children.push(draft);
      this.#open.push(openLevel(draft, columns, isMarked));
      this.#lastNoted = null;
    }
    this.#blanks = 0;
  }

  #addNote(owner: Level, text: string, columns: number): void {
    if (owner.notes === null) {
      owner.notes = [];
      owner.noteColumns = columns;
      this.#noted.push(owner);
    }
    // Empty lines between two lines of the same notes are part of them.
    if (this.#lastNoted === owner) for (let i = 0; i < this.#blanks; i += 1) owner.notes.push('');
    this.#lastNoted = owner;
    if (owner.isMarked) {
      owner.notes.push(' '.repeat(Math.max(0, columns - owner.noteColumns)) + unescapeText(text, 'note'));
    } else {
      owner.notes.push(text.slice(text.startsWith('> ') ? 2 : 1));
    }
  }

  finish(): OutlineItem[] {
    for (const { draft, notes } of this.#noted) {
      const text = notes?.join('\n') ?? '';
      if (text !== '') draft.notes = text;
    }
    return this.#root.draft.children;
  }
}

function openLevel(draft: Draft, columns: number, isMarked: boolean): Level {
  return { draft, columns, isMarked, notes: null, noteColumns: 0, lastNumber: null };
}

/** A number marks an item where it begins or continues a sequence; else it is text ("24. December"). */
function continues(last: Numbering | null, number: Numbering): boolean {
  return number.value === 1 || (last?.kind === number.kind && last.value === number.value - 1);
}

/**
 * Prints a tree that parseOutlineText reads back exactly, whatever its titles and notes contain. An item with `done`
 * gets its checkbox in every style; in `checkbox` one without counts as open.
 */
export function printOutlineText(items: readonly OutlineItem[], style: OutlineStyle): string {
  const printed: string[] = [];
  const waiting: Waiting[] = [];
  pushChildren(waiting, items, { level: 0, isParentMarked: false });
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const isMarked = printItem(printed, next, style);
    pushChildren(waiting, next.item.children, { level: next.level + 1, isParentMarked: isMarked });
  }
  return printed.join('\n');
}

interface Waiting {
  readonly item: OutlineItem;
  readonly number: number;
  readonly level: number;
  readonly isParentMarked: boolean;
}

function pushChildren(
  waiting: Waiting[],
  children: readonly OutlineItem[],
  place: Pick<Waiting, 'level' | 'isParentMarked'>,
): void {
  for (let i = children.length - 1; i >= 0; i -= 1) {
    const item = children[i];
    if (item !== undefined) waiting.push({ item, number: i + 1, ...place });
  }
}

const INDENTS: Readonly<Record<OutlineStyle, string>> = {
  indented: '\t',
  bulleted: '  ',
  numbered: '    ',
  checkbox: '  ',
};

/** Returns whether the item carries a marker. */
function printItem(
  printed: string[],
  { item, number, level, isParentMarked }: Waiting,
  style: OutlineStyle,
): boolean {
  const done = style === 'checkbox' ? (item.done ?? false) : item.done;
  const box = done === undefined ? '' : done ? '[x] ' : '[ ] ';
  const marker = printMarker(style, number, isParentMarked && box === '');
  const isMarked = marker !== '' || box !== '';
  const title = guardTitle(item.title.replaceAll(/[\r\n]+/g, ' '));
  const text = box === '' ? escapeText(title, marker === '' ? 'plain' : 'marked') : title;
  const indent = INDENTS[style].repeat(level);
  printed.push(`${indent}${marker}${box}${text}`.trimEnd());
  if (item.notes !== undefined && item.notes !== '') {
    printNotes(printed, item.notes.split(LINE_END), { indent: indent + INDENTS[style], isMarked });
  }
  return isMarked;
}

/** Under a marked parent plain text would be read as notes, so there even the indented style needs a bullet. */
function printMarker(style: OutlineStyle, number: number, needsMarker: boolean): string {
  if (style === 'numbered') return `${number}. `;
  return style === 'indented' && !needsMarker ? '' : '- ';
}

function printNotes(
  printed: string[],
  lines: readonly string[],
  { indent, isMarked }: { readonly indent: string; readonly isMarked: boolean },
): void {
  const last = lines.findLastIndex((line) => line !== '');
  lines.forEach((line, i) => {
    if (!isMarked) printed.push(line === '' ? `${indent}>` : `${indent}> ${line}`);
    else if (line === '' && i > 0 && i < last) printed.push('');
    else printed.push(indent + escapeText(line, 'note'));
  });
}
