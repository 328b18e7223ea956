// Secrets for links: 256 random bits, stored as a digest only.
import { createHash, randomBytes } from 'node:crypto';

const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** A new secret, as it stands in a link. */
export const createSecret = (): string => randomBytes(32).toString('base64url');

/** Null: it cannot be one of ours, so no look-up is needed. */
export function secretDigest(secret: string): Uint8Array | null {
  return SHAPE.test(secret) ? createHash('sha256').update(secret).digest() : null;
}

/** The form in which a secret of ours is stored. */
export const digestOf = (text: string): Uint8Array => createHash('sha256').update(text).digest();
