// The cipher that everything is sealed with. Pure: nonces and keys are passed in. Apart from the other algorithms, as a disk needs no more
// than this (web/platform/disk-seal/). Why this one: docs/decisions/0032-sealing.md.
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
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
  try {
    return xchacha20poly1305(key, nonce, bound).decrypt(sealed);
  } catch {
    return null;
  }
}
