// The recovery code: 128 random bits and a checksum of 12 as a person writes them down and types them again, 28 characters of
// Crockford's Base32 in seven groups. Not here: what it opens (wraps.ts).
import { assert } from '../assert.ts';
import { failed, ok, type Result } from '../result.ts';
import { digest } from './algorithms.ts';
import { concat, utf8 } from './bytes.ts';

/** Without I, L, O and U, which are taken for others or make words. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SECRET_BYTES = 16;
const CHECKSUM_BITS = 12n;
const CHARACTERS = 28;
const GROUP = 4;

/** The secret of a recovery code: 16 random bytes. */
export type RecoverySecret = Uint8Array & { readonly isRecoverySecret: true };

/** Why a text isn't a recovery code. `at` counts characters of the text as it was typed, from 0. */
export type RecoveryProblem =
  | { readonly type: 'character'; readonly at: number }
  /** `missing` characters; too many where it is negative. */
  | { readonly type: 'length'; readonly missing: number }
  | { readonly type: 'checksum' };

/** A new secret. `random` fills its argument with cryptographically strong random bytes. */
export function newRecoverySecret(random: (bytes: Uint8Array) => void): RecoverySecret {
  const secret = new Uint8Array(SECRET_BYTES);
  random(secret);
  return secret as RecoverySecret;
}

function checksumOf(secret: Uint8Array): bigint {
  const [high = 0, low = 0] = digest(concat(utf8('posthaste recovery code 1'), secret));
  return BigInt((high << 4) | (low >> 4));
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${bytes.toHex()}`);

/** The code as it is shown, `ABCD-EFGH-…`. */
export function writeRecoveryCode(secret: RecoverySecret): string {
  assert(secret.length === SECRET_BYTES, 'a secret of 128 bits');
  let rest = (numberOf(secret) << CHECKSUM_BITS) | checksumOf(secret);
  let text = '';
  for (let index = 0; index < CHARACTERS; index += 1) {
    text = `${ALPHABET[Number(rest & 31n)]}${text}`;
    rest >>= 5n;
  }
  return recoveryGroups(text).join('-');
}

/** The groups of a code, in which it is written down and asked for. */
export function recoveryGroups(code: string): readonly string[] {
  const plain = code.replaceAll('-', '');
  return Array.from({ length: CHARACTERS / GROUP }, (_, index) =>
    plain.slice(index * GROUP, (index + 1) * GROUP),
  );
}

/** What a person may type for a character: either case, O for 0, I and L for 1. */
function valueOf(character: string): number {
  const upper = character.toUpperCase();
  if (upper === 'O') return 0;
  if (upper === 'I' || upper === 'L') return 1;
  return upper.length === 1 ? ALPHABET.indexOf(upper) : -1;
}

/** Reads a code as people type it: in any case, with or without spaces and dashes. */
export function readRecoveryCode(text: string): Result<RecoverySecret, RecoveryProblem> {
  let number = 0n;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (/[\s\-–—]/.test(character)) continue;
    const value = valueOf(character);
    if (value < 0) return failed({ type: 'character', at });
    // What is too long is only counted: it can be as long as a hostile text.
    if (count < CHARACTERS) number = (number << 5n) | BigInt(value);
    count += 1;
  }
  if (count !== CHARACTERS) return failed({ type: 'length', missing: CHARACTERS - count });
  const hex = (number >> CHECKSUM_BITS).toString(16).padStart(SECRET_BYTES * 2, '0');
  const secret = Uint8Array.fromHex(hex) as Uint8Array as RecoverySecret;
  const isWhole = checksumOf(secret) === (number & ((1n << CHECKSUM_BITS) - 1n));
  return isWhole ? ok(secret) : failed({ type: 'checksum' });
}

/** Whether somebody who writes the code down again has typed this group, counted from 0, as it is. */
export function isRecoveryGroup(code: string, group: number, typed: string): boolean {
  const values = (text: string) => [...text.replaceAll(/[\s\-–—]/g, '')].map(valueOf).join(' ');
  const asked = recoveryGroups(code)[group];
  return asked !== undefined && values(asked) === values(typed);
}
