// Tells a file's type by its first bytes, since its name and stated type are up to the sender. Only pictures that every
// browser can show are told apart, because only they are ever shown; everything else is only saved.

export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif';

/** Number of first bytes that are enough to tell. */
export const SIGNATURE_BYTES = 32;

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to));

const startsWith = (bytes: Uint8Array, ...start: readonly number[]) =>
  start.every((byte, at) => bytes[at] === byte);

/** The picture type of a file that begins with these bytes; null for anything else. */
export function pictureType(bytes: Uint8Array): PictureType | null {
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'image/gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  // A box of type `ftyp`; its brand says which of many formats it is.
  if (ascii(bytes, 4, 8) === 'ftyp' && /^avi[fs]$/.test(ascii(bytes, 8, 12))) return 'image/avif';
  return null;
}

/** Control characters and marks of direction, which make a name look like another. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Limit of common file systems. */
const MOST_BYTES = 255;

function utf8Bytes(letter: string): number {
  const code = letter.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4;
}

/** A name that is safe to show and to save under: no folders, nothing invisible, at most 255 bytes. */
export function safeFileName(name: string): string {
  const last = name.normalize('NFC').replaceAll(INVISIBLE, '').split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '');
  const [, stem = plain, ending = ''] = /^(.*?)(\.[A-Za-z0-9]{1,10})?$/su.exec(plain) ?? [];
  let kept = '';
  let bytes = ending.length;
  for (const letter of stem) {
    bytes += utf8Bytes(letter);
    if (bytes > MOST_BYTES) break;
    kept += letter;
  }
  return kept + ending || 'file';
}
