// Fits texts of other programs into what can be stored here: no broken characters, no titles, notes or names beyond
// their limits.
import { limits } from '../../model.ts';

/** Tasks that an account holds: no import brings more. */
export const mostImportedTasks = 100_000;

/** A text within its limit, and what did not fit. */
export interface Fitted {
  readonly text: string;
  readonly rest: string;
}

const LINE_END = /\r\n?|\u2028|\u2029/g;
/** Control characters besides tabs and line ends, and the two noncharacters that a wrong byte order makes and XML can't hold. */
// oxlint-disable-next-line no-control-regex -- It is control characters that are taken out.
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\uFFFE\uFFFF]/g;

/** The text with `\n` as line end, without control characters and halves of surrogate pairs. */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.replaceAll(LINE_END, '\n').replaceAll(CONTROLS, '');
}

function cut(text: string, points: number): Fitted {
  if (text.length <= points) return { text, rest: '' };
  let count = 0;
  let at = 0;
  for (const point of text) {
    if (count === points) return { text: text.slice(0, at), rest: text.slice(at) };
    count += 1;
    at += point.length;
  }
  return { text, rest: '' };
}

/** A title: one line. The other lines and what is too long are the rest. */
export function fitTitle(text: string): Fitted {
  const clean = storable(text).trim();
  const end = clean.indexOf('\n');
  const first = end < 0 ? clean : clean.slice(0, end).trimEnd();
  const others = end < 0 ? '' : clean.slice(end + 1).trim();
  const { text: title, rest } = cut(first, limits.titleCodePoints);
  return { text: title, rest: [rest, others].filter((part) => part !== '').join('\n') };
}

/** A name: one line. */
export function fitName(text: string): Fitted {
  return cut(
    storable(text)
      .replaceAll(/\s*\n+\s*/g, ' ')
      .trim(),
    limits.nameCodePoints,
  );
}

const bytesOf = (point: string) => {
  const code = point.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
};

/** Notes. Their limit is in bytes. */
export function fitNotes(text: string): Fitted {
  const clean = storable(text).replace(/^\n+/, '').trimEnd();
  if (clean.length * 3 <= limits.notesBytes) return { text: clean, rest: '' };
  let bytes = 0;
  let at = 0;
  for (const point of clean) {
    bytes += bytesOf(point);
    if (bytes > limits.notesBytes) return { text: clean.slice(0, at), rest: clean.slice(at) };
    at += point.length;
  }
  return { text: clean, rest: '' };
}

/** A value of metadata, or null when it does not fit. */
export function fitMetadata(text: string): string | null {
  const clean = storable(text).trim();
  return clean === '' || clean.length > limits.metadataCharacters ? null : clean;
}

const LONGEST_KEY = 60;

/** A key of metadata; null when nothing of it is left. */
export function fitKey(text: string): string | null {
  const clean = [...storable(text).trim()].slice(0, LONGEST_KEY).join('');
  return clean === '' ? null : clean;
}
