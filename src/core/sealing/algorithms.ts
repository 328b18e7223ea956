// The algorithms that sealing is made of besides its cipher (cipher.ts) and signatures (signing.ts). These three files alone name their library: a faster
// one has these functions. All are pure; nonces, salts and keys are passed in. Why these: docs/decisions/0032-sealing.md.
import { x25519 } from '@noble/curves/ed25519.js';
import { argon2id } from '@noble/hashes/argon2.js';
import { expand, extract } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { assert } from '../assert.ts';
import { utf8 } from './bytes.ts';
import { keyBytes } from './cipher.ts';

/** HMAC with SHA-256: 32 bytes. */
export function authenticate(key: Uint8Array, message: Uint8Array): Uint8Array {
  return hmac(sha256, key, message);
}

/** SHA-256. */
export function digest(message: Uint8Array): Uint8Array {
  return sha256(message);
}

/** First half of HKDF (RFC 5869) with SHA-256: a root from which `deriveFrom` makes keys. */
export function rootOf(secret: Uint8Array, salt: Uint8Array): Uint8Array {
  return extract(sha256, secret, salt);
}

/** Second half of HKDF: a key of `length` bytes for one purpose. */
export function deriveFrom(root: Uint8Array, purpose: Uint8Array, length: number = keyBytes): Uint8Array {
  return expand(sha256, root, purpose, length);
}

/** `deriveFrom` for many keys of `keyBytes` from one root: its half of the work is done once. */
export function deriverOf(root: Uint8Array): (purpose: Uint8Array) => Uint8Array {
  const begun = hmac.create(sha256, root);
  // Begins anew for each key in the same room.
  const going = begun.clone();
  return (purpose) => {
    const key = new Uint8Array(keyBytes);
    begun._cloneInto(going).update(purpose).update(FIRST_BLOCK).digestInto(key);
    return key;
  };
}

/** The number that HKDF puts after the purpose of its first block, the only one for a key. */
const FIRST_BLOCK = Uint8Array.of(1);

/** A pair of keys of X25519: what is meant for the public one opens with the secret one. */
export interface KeyPair {
  readonly secret: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** The pair of a secret of 32 bytes. */
export function pairOf(secret: Uint8Array): KeyPair {
  assert(secret.length === keyBytes, 'a secret of its length');
  return { secret, publicKey: x25519.getPublicKey(secret) };
}

/** The secret that two pairs share (X25519, RFC 7748), from one's secret and the other's public key; null for a public key that gives none. */
export function agree(secret: Uint8Array, publicKey: Uint8Array): Uint8Array | null {
  if (publicKey.length !== keyBytes) return null;
  try {
    return x25519.getSharedSecret(secret, publicKey);
  } catch {
    return null;
  }
}

/** How much memory and work each guess at a passphrase takes. */
export interface Stretching {
  readonly memoryKiB: number;
  readonly passes: number;
}

/** Argon2id 1.3 with one lane: 32 bytes. Takes a second or more: never on the thread that answers keys. */
export function stretch(passphrase: string, salt: Uint8Array, { memoryKiB, passes }: Stretching): Uint8Array {
  const options = { m: memoryKiB, t: passes, p: 1, dkLen: keyBytes, version: 0x13 };
  return argon2id(utf8(passphrase), salt, options);
}
