// The cipher that everything is sealed with. Pure: nonces and keys are passed in. Apart from the other algorithms, as a disk needs no more
// than this (web/platform/disk-seal/). Why this one: docs/decisions/0032-sealing.md.
import { chacha20, hchacha, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { isLE } from '@noble/ciphers/utils.js';
import { assert } from '../assert.ts';

/** Bytes of every key. */
export const keyBytes = 32;
/** Bytes of a nonce, so many that random ones never meet. */
export const nonceBytes = 24;
/** Bytes by which a sealed content is longer. */
export const tagBytes = 16;

/** What is sealed with a key: `open` knows the nonce and the associated data, too. */
export interface Lock {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  /** What is not in the sealed content and yet has to be the same when it is opened. */
  readonly bound: Uint8Array;
}

/** Seals by XChaCha20-Poly1305. */
export function seal({ key, nonce, bound }: Lock, content: Uint8Array): Uint8Array {
  assert(key.length === keyBytes && nonce.length === nonceBytes, 'a key and a nonce of their lengths');
  return xchacha20poly1305(key, nonce, bound).encrypt(content);
}

/** The content; null where the key, the nonce, what is bound or a single bit isn't the same. */
export function open({ key, nonce, bound }: Lock, sealed: Uint8Array): Uint8Array | null {
  assert(key.length === keyBytes && nonce.length === nonceBytes, 'a key and a nonce of their lengths');
  if (sealed.length < tagBytes) return null;
  if (isLE && sealed.length <= SHORT && bound.length <= SHORT)
    return openShort({ key, nonce, bound }, sealed);
  try {
    return xchacha20poly1305(key, nonce, bound).decrypt(sealed);
  } catch {
    return null;
  }
}

/** Bytes of contents, and of what is bound to them, that are opened in room that stays. A first sync opens hundreds of thousands of them. */
const SHORT = 1024;
/** Bytes of a block of the stream, and of the authenticator. */
const STREAM_BLOCK = 64;
const TAG_BLOCK = 16;
/** Of the nonce of the stream: zeros, then what the subkey isn't made of. */
const SUBKEY_NONCE = 16;
/** "expand 32-byte k" (RFC 8439, 2.3). */
const SIGMA = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);

const subkey = new Uint32Array(keyBytes / 4);
const subkeyBytes = new Uint8Array(subkey.buffer);
const subkeyNonce = new Uint32Array(SUBKEY_NONCE / 4);
const subkeyNonceBytes = new Uint8Array(subkeyNonce.buffer);
const streamNonce = new Uint8Array(12);
/** A block of zeros, which gives the key of the authenticator, then what is sealed. */
const input = new Uint8Array(STREAM_BLOCK + SHORT);
const output = new Uint8Array(STREAM_BLOCK + SHORT);
const tagged = new Uint8Array(2 * SHORT + TAG_BLOCK);
const tagKey = output.subarray(0, keyBytes);

/** Puts the first bytes of `from` at `at` of another array: so few that a view of them would take longer. */
function put(to: Uint8Array, at: number, from: Uint8Array, length: number): void {
  for (let index = 0; index < length; index += 1) to[at + index] = from[index] ?? 0;
}

/** Puts what the tag is of: a part of so many bytes at `at`, with zeros up to a whole block. Returns where that ends. */
function putTagged(part: Uint8Array, length: number, at: number): number {
  put(tagged, at, part, length);
  const end = at + Math.ceil(length / TAG_BLOCK) * TAG_BLOCK;
  for (let index = at + length; index < end; index += 1) tagged[index] = 0;
  return end;
}

/** `open` of a short content: the same steps (draft-irtf-cfrg-xchacha-03) by the same library, without new room for each of them. */
function openShort({ key, nonce, bound }: Lock, sealed: Uint8Array): Uint8Array | null {
  const length = sealed.length - tagBytes;
  put(subkeyBytes, 0, key, keyBytes);
  put(subkeyNonceBytes, 0, nonce, SUBKEY_NONCE);
  hchacha(SIGMA, subkey, subkeyNonce, subkey);
  for (let at = SUBKEY_NONCE; at < nonceBytes; at += 1) streamNonce[at - 12] = nonce[at] ?? 0;
  put(input, STREAM_BLOCK, sealed, length);
  const all = STREAM_BLOCK + length;
  chacha20(subkeyBytes, streamNonce, input.subarray(0, all), output.subarray(0, all));
  const end = putTagged(sealed, length, putTagged(bound, bound.length, 0));
  // Lengths of 64 bits, the lowest byte first; both are below 2^16.
  for (let at = end; at < end + TAG_BLOCK; at += 1) tagged[at] = 0;
  tagged[end] = bound.length;
  tagged[end + 1] = bound.length >>> 8;
  tagged[end + 8] = length;
  tagged[end + 9] = length >>> 8;
  const tag = poly1305(tagged.subarray(0, end + TAG_BLOCK), tagKey);
  let difference = 0;
  for (let at = 0; at < tagBytes; at += 1) difference |= (tag[at] ?? 0) ^ (sealed[length + at] ?? 0);
  const opened = difference === 0 ? output.slice(STREAM_BLOCK, all) : null;
  // No content and no key stays.
  output.fill(0, 0, all);
  subkey.fill(0);
  return opened;
}
