// Signatures by Ed25519 (RFC 8032). Apart from the other algorithms, as the desktop client needs no more than this to know who built its updates.
import { ed25519 } from '@noble/curves/ed25519.js';
import { assert } from '../assert.ts';
import { keyBytes } from './cipher.ts';

/** The public key of a secret that signs (Ed25519, RFC 8032). */
export function verifierOf(secret: Uint8Array): Uint8Array {
  assert(secret.length === keyBytes, 'a secret of its length');
  return ed25519.getPublicKey(secret);
}

/** Signs a message by Ed25519: 64 bytes. */
export const sign = (secret: Uint8Array, message: Uint8Array): Uint8Array => ed25519.sign(message, secret);

/** Whether a message was signed by the secret of this public key. What is no key or no signature was not. */
export function isSigned(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}
