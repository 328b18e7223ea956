// The grammar of one line of outline text: its indentation, its marker (bullet, number, checkbox), and the backslash
// that protects text that looks like a marker. Not here: how lines form a tree (outline-text.ts).

const BULLET = String.raw`[-*+–○●■](?=\s|$)|[•◦▪▫‣⁃]`;
const NUMBER = String.raw`(?:\d{1,6}|[a-z])[.)](?=\s+\S)`;
const BOX = String.raw`\[(?:[ xX]|COMPLETE)\](?=\s|$)|[☐⬜☑☒✓✔✅]\uFE0F?`;

const LEADING_SPACE = /^\s*/;
const MARKER = new RegExp(`^(?:(${BULLET})|(${NUMBER}))\\s*`);
const CHECKBOX = new RegExp(`^(?:${BOX})\\s*`);
const OPEN_BOX = /^(?:\[ \]|[☐⬜])/;
/** Patterns of text that needs a backslash to be read literally, already escaped or not, by its position. */
const NEEDS_ESCAPE = {
  plain: new RegExp(`^\\\\*(?:$|>|${BULLET}|${NUMBER}|${BOX})`),
  marked: new RegExp(`^\\\\*(?:$|${BOX})`),
  note: new RegExp(`^\\\\*(?:$|\\s|${BULLET}|${NUMBER}|${BOX})`),
} as const;

/**
 * Put between white space and the end of a title, where white space alone would be trimmed. It is invisible, because a
 * title copied from here and pasted elsewhere must look the same.
 */
const GUARD = '\u200B';
const SPACE_FIRST = /^\u200B*\s/;
const SPACE_LAST = /\s\u200B*$/;

/** Position of a text: a title without a marker, a title after a bullet or number, or a line of notes. */
export type Standing = keyof typeof NEEDS_ESCAPE;

/** A numbered line's place in its sequence: `2.` and `b)` are both 2. */
export interface Numbering {
  readonly kind: 'digits' | 'letters';
  readonly value: number;
}

export interface OutlineLine {
  /** White space before the text. */
  readonly indent: string;
  /** Everything after the indentation. */
  readonly text: string;
  readonly isBulleted: boolean;
  readonly number: Numbering | null;
  /** The text after a bullet or number; the text itself without one. */
  readonly rest: string;
}

/** The parts of a line; null for an empty line. */
export function readLine(line: string): OutlineLine | null {
  const indent = LEADING_SPACE.exec(line)?.[0] ?? '';
  const text = line.slice(indent.length);
  if (text === '') return null;
  const [whole = '', bullet, number] = MARKER.exec(text) ?? [];
  return {
    indent,
    text,
    isBulleted: bullet !== undefined,
    number: number === undefined ? null : readNumber(number),
    rest: text.slice(whole.length),
  };
}

function readNumber(marker: string): Numbering {
  const digits = Number.parseInt(marker, 10);
  return Number.isNaN(digits)
    ? { kind: 'letters', value: marker.charCodeAt(0) - 'a'.charCodeAt(0) + 1 }
    : { kind: 'digits', value: digits };
}

/** Splits a checkbox off the beginning of a text; `done` is null when there is none. */
export function readBox(text: string): { readonly done: boolean | null; readonly rest: string } {
  const box = CHECKBOX.exec(text)?.[0];
  if (box === undefined) return { done: null, rest: text };
  return { done: !OPEN_BOX.test(box), rest: text.slice(box.length) };
}

/**
 * Escapes text that would be read as a marker, and leaves other text as it is. `unescapeText` gives the text back
 * exactly.
 */
export function escapeText(text: string, standing: Standing): string {
  return NEEDS_ESCAPE[standing].test(text) ? `\\${text}` : text;
}

export function unescapeText(text: string, standing: Standing): string {
  return text.startsWith('\\') && NEEDS_ESCAPE[standing].test(text) ? text.slice(1) : text;
}

/** Keeps white space at the ends of a title from being trimmed. `trimTitle` gives the title back exactly. */
export function guardTitle(title: string): string {
  const led = SPACE_FIRST.test(title) ? GUARD + title : title;
  return SPACE_LAST.test(led) ? led + GUARD : led;
}

/** Trims the white space around a title that is not guarded. */
export function trimTitle(text: string): string {
  const trimmed = text.trim();
  const cut = trimmed.endsWith(GUARD) && SPACE_LAST.test(trimmed) ? trimmed.slice(0, -1) : trimmed;
  return cut.startsWith(GUARD) && SPACE_FIRST.test(cut) ? cut.slice(1) : cut;
}
