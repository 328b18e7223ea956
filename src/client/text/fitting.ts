// Makes typed and pasted text storable without losing any of it: a title that is too long continues in the notes.
import { limits } from '#core/model.ts';

const LINE_ENDS = /\r\n?/g;
/** Control characters except tab and line end, and lone surrogates. */
const UNSTORABLE =
  /[\u0000-\u0008\u000B-\u001F\u007F]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

export interface Fitted {
  readonly text: string;
  /** The text beyond the limit; usually empty. */
  readonly rest: string;
}

function storable(text: string): string {
  return text.replaceAll(LINE_ENDS, '\n').replaceAll(UNSTORABLE, '\uFFFD');
}

function cut(text: string, codePoints: number): Fitted {
  if (text.length <= codePoints) return { text, rest: '' };
  const points = [...text];
  return { text: points.slice(0, codePoints).join(''), rest: points.slice(codePoints).join('') };
}

/** A title is a single line. */
export function fitTitle(text: string): Fitted {
  return cut(storable(text).replaceAll(/\n+/g, ' '), limits.titleCodePoints);
}

/** Fits the name of a list or label: a single line within the limit. */
export function fitName(text: string): Fitted {
  return cut(storable(text).replaceAll(/\n+/g, ' '), limits.nameCodePoints);
}

/** Notes are limited in bytes; a code point takes at most four. */
export function fitNotes(text: string): Fitted {
  const clean = storable(text);
  if (clean.length * 3 <= limits.notesBytes) return { text: clean, rest: '' };
  let bytes = 0;
  let at = 0;
  for (const point of clean) {
    const code = point.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > limits.notesBytes) return { text: clean.slice(0, at), rest: clean.slice(at) };
    at += point.length;
  }
  return { text: clean, rest: '' };
}
