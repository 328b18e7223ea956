// Bytes as sealing needs them: numbers and texts of fixed form, read strictly, so that one content has one encoding only.
import { assert } from '../assert.ts';

const BYTE = 0x80;
/** A safe integer has at most 53 bits, seven to a byte. */
const LONGEST_VARINT = 8;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Characters of a text that is written one by one. */
const SHORT = 64;
/** Of a length in front of a part. */
const LENGTH_BYTES = 4;

/** The parts one after the other. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A whole number of 32 bits, the highest byte first. */
export function u32(value: number): Uint8Array {
  assert(Number.isInteger(value) && value >= 0 && value <= 0xff_ff_ff_ff, 'a number of 32 bits');
  const bytes = new Uint8Array(4);
  bytes[0] = value >>> 24;
  bytes[1] = value >>> 16;
  bytes[2] = value >>> 8;
  bytes[3] = value;
  return bytes;
}

/** The number that `u32` wrote at `at`, which must lie inside. */
export function readU32(bytes: Uint8Array, at: number): number {
  assert(at + 4 <= bytes.length, 'four bytes are there');
  const at24 = (bytes[at + 1] ?? 0) << 16;
  return (bytes[at] ?? 0) * 0x1_00_00_00 + (at24 | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Writes a text of ASCII at `at`. False: it has other characters, and what was written means nothing. */
function writeAscii(text: string, to: Uint8Array, at: number): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= BYTE) return false;
    to[at + index] = code;
  }
  return true;
}

/** The UTF-8 of a text. Its surrogates have to be paired. */
export function utf8(text: string): Uint8Array {
  if (text.length > SHORT) return encoder.encode(text);
  // Most texts here are ids and names: a call of the encoder takes longer than they do.
  const bytes = new Uint8Array(text.length);
  return writeAscii(text, bytes, 0) ? bytes : encoder.encode(text);
}

/** The text, or null where the bytes aren't UTF-8. A byte order mark is a character like others. */
export function readUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Each part after its length, so that no two lists of parts give the same bytes. */
export function framed(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += LENGTH_BYTES + part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    const { length: size } = part;
    whole[at] = size >>> 24;
    whole[at + 1] = size >>> 16;
    whole[at + 2] = size >>> 8;
    whole[at + 3] = size;
    at += LENGTH_BYTES;
    if (typeof part !== 'string') whole.set(part, at);
    // Another text is longer than it has characters.
    else if (!writeAscii(part, whole, at)) return framed(...parts.map((each) => bytesOf(each)));
    at += size;
  }
  return whole;
}

const bytesOf = (part: string | Uint8Array): Uint8Array => (typeof part === 'string' ? utf8(part) : part);

/** A number below 2^53, seven bits to a byte, the lowest first. */
export function varint(value: number): Uint8Array {
  assert(Number.isSafeInteger(value) && value >= 0, 'a safe number');
  const bytes: number[] = [];
  let rest = value;
  while (rest >= BYTE) {
    bytes.push((rest % BYTE) + BYTE);
    rest = Math.floor(rest / BYTE);
  }
  return Uint8Array.from([...bytes, rest]);
}

/** The number at `at` and where it ends; null where there is none in its shortest form. */
export function readVarint(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly end: number } | null {
  let value = 0;
  for (let index = 0; index < LONGEST_VARINT; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    value += (byte % BYTE) * BYTE ** index;
    if (byte >= BYTE) continue;
    const isShortest = byte > 0 || index === 0;
    return isShortest && Number.isSafeInteger(value) ? { value, end: at + index + 1 } : null;
  }
  return null;
}

/** Base64 of the URL alphabet without padding. */
export function toText(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

const AS_TEXT = { alphabet: 'base64url' } as const;

/** The bytes of a text that `toText` made; null for any other, also one that only means the same. */
export function fromText(text: string): Uint8Array | null {
  const over = text.length % 4;
  if (over === 1) return null;
  // The last character stands for bits of which some belong to no byte. They are zero.
  const unused = over === 0 ? 0 : over === 2 ? 0b1111 : 0b11;
  if (unused !== 0 && (LETTERS.indexOf(text.at(-1) ?? 'A') & unused) !== 0) return null;
  try {
    const bytes = Uint8Array.fromBase64(text, AS_TEXT);
    // Spaces and padding, which are passed over, make fewer bytes than as many characters do.
    return bytes.length === Math.floor((text.length * 3) / 4) ? bytes : null;
  } catch {
    return null;
  }
}

/** Whether they are equal, in a time that tells nothing but their lengths. */
export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}
