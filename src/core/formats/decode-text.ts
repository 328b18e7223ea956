// Decodes a file to text, by its content and not by its name: UTF-8, UTF-16 with and without a byte order mark, the
// encoding that its XML declares, else Windows-1252. Files that are not text are named and refused. Not here: the
// meaning of the text.
import { failed, ok, type Result } from '../result.ts';

interface DecodedText {
  /** Without its byte order mark. */
  readonly text: string;
  /** A sentence about characters that were guessed or could not be read; null if there are none. */
  readonly note: string | null;
}

interface Signature {
  readonly what: string;
  /** As Latin-1. */
  readonly bytes: string;
  readonly offset?: number;
}

const SIGNATURES: readonly Signature[] = [
  { what: 'a ZIP archive', bytes: 'PK\x03\x04' },
  { what: 'a ZIP archive', bytes: 'PK\x05\x06' },
  { what: 'an SQLite database', bytes: 'SQLite format 3\0' },
  { what: 'a PNG image', bytes: '\x89PNG' },
  { what: 'a JPEG image', bytes: '\xff\xd8\xff' },
  { what: 'a GIF image', bytes: 'GIF8' },
  { what: 'a TIFF image', bytes: 'II*\0' },
  { what: 'a TIFF image', bytes: 'MM\0*' },
  { what: 'a WebP image', bytes: 'WEBP', offset: 8 },
  { what: 'a film or an image', bytes: 'ftyp', offset: 4 },
  { what: 'a PDF document', bytes: '%PDF-' },
  { what: 'an RTF document', bytes: String.raw`{\rtf` },
  { what: 'an old Office document', bytes: '\xd0\xcf\x11\xe0' },
  { what: 'a binary property list', bytes: 'bplist0' },
  { what: 'a gzip archive', bytes: '\x1f\x8b' },
  { what: 'a bzip2 archive', bytes: 'BZh' },
  { what: 'a 7z archive', bytes: '7z\xbc\xaf' },
  { what: 'an xz archive', bytes: '\xfd7zXZ' },
  { what: 'a RAR archive', bytes: 'Rar!\x1a' },
  { what: 'a recording', bytes: 'ID3' },
];
const ARCHIVE = /archive$/;
/** Text may begin like the shorter signatures. */
const SHORTEST_SURE = 4;
/** Enough to tell; even, for UTF-16. */
const SAMPLE_BYTES = 65_536;
const HEAD_CHARACTERS = 200;
const DECLARED = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/;
// Characters that text does not contain: control characters other than tabs, line ends, page breaks, and the end sign
// of DOS.
// oxlint-disable-next-line no-control-regex -- It is control characters that are looked for.
const CONTROLS = /[\x00-\x08\x0e-\x19\x1b-\x1f\ufffe\uffff]/g;
const REPLACED = /\uFFFD/g;
const NOT_ASCII = /[^\x00-\x7f]/gu;
const ORDINARY = /[\t\n\r\x20-\x7e]/g;
/** Bytes 0x80 to 0x9F of Windows-1252; the five that it leaves out are as in Latin-1. Not every Node knows them. */
const HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const CHUNK = 8_192;

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function latin1Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return parts.join('');
}

function windows1252Of(bytes: Uint8Array): string {
  return latin1Of(bytes).replaceAll(/[\x80-\x9f]/g, (sign) => HIGH.charAt(sign.charCodeAt(0) - 0x80));
}

/** The type of a file by its first bytes; null when they do not tell. */
function signatureOf(bytes: Uint8Array): string | null {
  const head = latin1Of(bytes.subarray(0, 32));
  const hasControls = bytes.subarray(0, SAMPLE_BYTES).some((byte) => byte < 9);
  const found = SIGNATURES.find(
    ({ bytes: sign, offset = 0 }) =>
      head.startsWith(sign, offset) &&
      (hasControls || (offset === 0 && (sign.length > SHORTEST_SURE || /[^\x20-\x7e]/.test(sign)))),
  );
  return found?.what ?? null;
}

/** Number of ordinary characters in this encoding; 0 also when there are characters that no text contains. */
function ordinaryIn(sample: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): number {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
    return countOf(text, CONTROLS) > 0 ? 0 : countOf(text, ORDINARY);
  } catch {
    // Half of a surrogate pair: not this encoding.
    return 0;
  }
}

function isUtf8WithZeros(sample: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return countOf(text.replaceAll('\0', ''), CONTROLS) === 0;
  } catch {
    // The answer is the boolean.
    return false;
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = sample.filter((byte) => byte === 0).length;
  if (bytes.length % 2 === 1 || zeros === 0) return null;
  // A few zeros in what is otherwise UTF-8 are not letters.
  if (zeros * 4 < sample.length && isUtf8WithZeros(sample)) return null;
  const [little, big] = [ordinaryIn(sample, 'utf-16le'), ordinaryIn(sample, 'utf-16be')];
  if (little === 0 && big === 0) return null;
  return little >= big ? 'utf-16le' : 'utf-16be';
}

const isSevere = (count: number, length: number) => count * 100 > length;

const noText = failed('isn’t text. Import text, Markdown, JSON, OPML or CSV.');

/** The text in the encoding that its XML declares; null without a usable declaration. */
function declaredText(bytes: Uint8Array): string | null {
  const [, label] = DECLARED.exec(latin1Of(bytes.subarray(0, HEAD_CHARACTERS))) ?? [];
  if (label === undefined) return null;
  try {
    const decoder = new TextDecoder(label);
    const { encoding } = decoder;
    if (encoding === 'windows-1252') return windows1252Of(bytes);
    return encoding.startsWith('utf-') ? null : decoder.decode(bytes);
  } catch {
    // An unknown encoding: as without a declaration.
    return null;
  }
}

/** Text that is not UTF-8 throughout: damaged, or from an older program. */
function guessed(bytes: Uint8Array): Result<DecodedText, string> {
  const declared = declaredText(bytes);
  if (declared !== null) return ok({ text: declared, note: null });
  const utf8 = new TextDecoder().decode(bytes);
  const broken = countOf(utf8, REPLACED);
  // Few bytes are valid letters by chance.
  if (countOf(utf8, NOT_ASCII) > 3 * broken) {
    const many = broken === 1 ? 'One character' : `${broken} characters`;
    return ok({ text: utf8, note: `${many} couldn’t be read. The file is damaged there.` });
  }
  const text = windows1252Of(bytes);
  if (isSevere(countOf(text, CONTROLS), text.length)) return noText;
  return ok({
    text,
    note: 'It isn’t UTF-8, so we read it as Windows-1252. Check letters like é and ü.',
  });
}

/**
 * The text of a file. Never throws; linear in the bytes. Empty bytes are empty text. The problem follows the name of the
 * file in a sentence: "is a ZIP archive, not text. …"
 */
export function decodeText(bytes: Uint8Array): Result<DecodedText, string> {
  // Zeros in a known kind of file are no UTF-16.
  const what = signatureOf(bytes);
  const utf16 = what === null ? utf16Of(bytes) : null;
  if (utf16 !== null) {
    const text = new TextDecoder(utf16).decode(bytes);
    return text.includes('\0') ? noText : ok({ text, note: null });
  }
  if (what !== null) {
    const advice = ARCHIVE.test(what) ? ' Unpack it and import the files inside.' : '';
    return failed(`is ${what}, not text.${advice}`);
  }
  if (bytes.includes(0)) return noText;
  try {
    return ok({ text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), note: null });
  } catch {
    // Not UTF-8.
    return guessed(bytes);
  }
}
