// Tokens: their form, and the digest under which they are stored.
// `<prefix><32 random bytes, base64url><6 characters of checksum>`; the checksum lets a scanner tell a leaked token from
// noise and turns most wrong ones away without a look-up.
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { SessionKind } from '../access/authorise.ts';

const PREFIX_BY_KIND: Readonly<Record<SessionKind, string>> = { web: 'phs_', device: 'phd_', api: 'ph_' };
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^(ph[sd]?_)([A-Za-z0-9_-]{43})([0-9A-Za-z]{6})$/;

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let digit = 0; digit < 6; digit += 1) {
    out = (ALPHABET[rest % 62] ?? '') + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

/** The secret itself: shown or set once, stored nowhere. */
export function createToken(kind: SessionKind): string {
  const body = PREFIX_BY_KIND[kind] + randomBytes(32).toString('base64url');
  return body + checksum(body);
}

/** The kind a token claims to be; null: it cannot be one of ours. */
export function tokenKind(token: string): SessionKind | null {
  const match = SHAPE.exec(token);
  if (!match) return null;
  const [, prefix = '', body = '', sum] = match;
  if (checksum(prefix + body) !== sum) return null;
  return prefix === PREFIX_BY_KIND.web ? 'web' : prefix === PREFIX_BY_KIND.device ? 'device' : 'api';
}

/** SHA-256. Enough for 256 random bits; look-ups use the digest, so no comparison of secrets is timed. */
export function tokenDigest(token: string): Uint8Array {
  return hash('sha256', token, 'buffer');
}
