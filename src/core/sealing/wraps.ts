// Keys sealed by other keys, as the server keeps them: the account key under a recovery code, a passphrase or a passkey, the keys of
// generations under the account key, and an account key of before under the one that took its place. Version 1:
//   01 | kind | parameters | nonce (24) | XChaCha20-Poly1305 of the key (48) | commitment (32)
// The commitment ties the wrap to the one key that opens it, which the cipher alone doesn't: no wrap opens under two keys.
import { assert } from '../assert.ts';
import { failed, ok, type Result } from '../result.ts';
import { authenticate, deriveFrom, rootOf, stretch, type Stretching } from './algorithms.ts';
import { keyBytes, nonceBytes, open, seal, tagBytes } from './cipher.ts';
import { concat, framed, fromText, isEqual, readU32, toText, u32, utf8 } from './bytes.ts';
import {
  accountPurposeKey,
  FORMAT,
  type AccountKey,
  type GenerationKey,
  type Owner,
  type Random,
} from './keys.ts';
import type { RecoverySecret } from './recovery-code.ts';

const VERSION = 1;
const KINDS = {
  recovery: 1,
  passphrase: 2,
  generation: 3,
  passkey: 4,
  earlier: 5,
  // Of the keys of lists: list-wraps.ts.
  member: 6,
  invitation: 7,
  own: 8,
  // Of public links: visitor-link.ts.
  visitor: 9,
} as const;
type Kind = keyof typeof KINDS;
const SALT_BYTES = 16;
/** Memory in KiB, passes, salt. */
const PASSPHRASE_BYTES = 4 + 4 + SALT_BYTES;
const COMMITMENT_BYTES = 32;
/** Text of base64: no wrap is longer. */
const LONGEST_TEXT = 400;

/** The stretching of new passphrases (RFC 9106, second choice, with one lane). */
export const usualStretching: Stretching = { memoryKiB: 64 * 1024, passes: 3 };
/** Less is never accepted, nor made: for phones without memory for the usual one. */
export const leastStretching: Stretching = { memoryKiB: 19 * 1024, passes: 2 };
/** More isn't tried: a server could otherwise occupy a device for hours. */
const mostStretching: Stretching = { memoryKiB: 256 * 1024, passes: 10 };

/**
 * Why a wrap can't be opened.
 * - `malformed` it isn't a wrap of this kind; `newer` it is of a later version
 * - `closed` another code, passphrase or key, another account, or it was altered: these can't be told apart
 * - `weak` less stretching than is required here; `heavy` more than any device should do
 */
export interface WrapProblem {
  readonly type: 'malformed' | 'newer' | 'closed' | 'weak' | 'heavy';
}

/** A key and what it is wrapped by. */
export interface Wrapping {
  readonly kind: Kind;
  readonly parameters: Uint8Array;
  /** From which both keys of the wrap are derived. */
  readonly secret: Uint8Array;
  /** What else has to be the same: account, scope, generation. */
  readonly of: readonly string[];
}

function keysOf({ kind, parameters, secret, of }: Wrapping) {
  const root = rootOf(secret, utf8(`${FORMAT} wrap`));
  const keys = deriveFrom(root, framed(kind, parameters, ...of), 2 * keyBytes);
  return { key: keys.subarray(0, keyBytes), commitmentKey: keys.subarray(keyBytes) };
}

/** Wraps a key. */
export function wrap(wrapping: Wrapping, key: Uint8Array, random: Random): string {
  assert(key.length === keyBytes, 'a key of its length');
  const nonce = new Uint8Array(nonceBytes);
  random(nonce);
  const header = concat(Uint8Array.of(VERSION, KINDS[wrapping.kind]), wrapping.parameters);
  const keys = keysOf(wrapping);
  const sealed = concat(header, nonce, seal({ key: keys.key, nonce, bound: header }, key));
  return toText(concat(sealed, authenticate(keys.commitmentKey, sealed)));
}

/** The bytes of a wrap that has the form of this kind. */
export function readWrap(text: string, kind: Kind, parameterBytes: number): Result<Uint8Array, WrapProblem> {
  const bytes = text.length > LONGEST_TEXT ? null : fromText(text);
  if (bytes === null || bytes[0] === undefined || bytes[0] === 0) return failed({ type: 'malformed' });
  if (bytes[0] !== VERSION) return failed({ type: 'newer' });
  const length = 2 + parameterBytes + nonceBytes + keyBytes + tagBytes + COMMITMENT_BYTES;
  return bytes[1] === KINDS[kind] && bytes.length === length ? ok(bytes) : failed({ type: 'malformed' });
}

/** The key of a wrap whose form was read. */
export function unwrap(wrapping: Wrapping, bytes: Uint8Array): Result<Uint8Array, WrapProblem> {
  const { key, commitmentKey } = keysOf(wrapping);
  const sealed = bytes.subarray(0, -COMMITMENT_BYTES);
  const isCommitted = isEqual(authenticate(commitmentKey, sealed), bytes.subarray(-COMMITMENT_BYTES));
  if (!isCommitted) return failed({ type: 'closed' });
  const header = sealed.subarray(0, 2 + wrapping.parameters.length);
  const nonce = sealed.subarray(header.length, header.length + nonceBytes);
  const opened = open({ key, nonce, bound: header }, sealed.subarray(header.length + nonceBytes));
  return opened === null ? failed({ type: 'closed' }) : ok(opened);
}

const NONE = new Uint8Array();

function byRecovery(secret: RecoverySecret, account: number): Wrapping {
  return { kind: 'recovery', parameters: NONE, secret, of: [String(account)] };
}

/** Wraps an account key under a recovery code, whose 128 random bits need no stretching. */
export function wrapByRecovery(
  key: AccountKey,
  account: number,
  secret: RecoverySecret,
  random: Random,
): string {
  return wrap(byRecovery(secret, account), key, random);
}

/** Opens what `wrapByRecovery` made for this account. */
export function openByRecovery(
  text: string,
  account: number,
  secret: RecoverySecret,
): Result<AccountKey, WrapProblem> {
  const bytes = readWrap(text, 'recovery', 0);
  return bytes.ok
    ? (unwrap(byRecovery(secret, account), bytes.value) as Result<AccountKey, WrapProblem>)
    : bytes;
}

const isLess = (one: Stretching, other: Stretching) =>
  one.memoryKiB < other.memoryKiB || one.passes < other.passes;

/** The same characters are the same passphrase, however a keyboard composes them. */
const plainForm = (passphrase: string) => passphrase.normalize('NFKC');

function byPassphrase(passphrase: string, account: number, parameters: Uint8Array): Wrapping {
  const stretching = { memoryKiB: readU32(parameters, 0), passes: readU32(parameters, 4) };
  const secret = stretch(plainForm(passphrase), parameters.subarray(8), stretching);
  return { kind: 'passphrase', parameters, secret, of: [String(account)] };
}

/** A passphrase with the account that it is for and the work that guessing it shall cost. */
export interface Passphrase {
  readonly text: string;
  readonly account: number;
  /** When it opens: the least that is accepted, which is what this device has seen before. */
  readonly stretching: Stretching;
}

/** Wraps an account key under a passphrase. Takes as long as `stretch`. */
export function wrapByPassphrase(
  key: AccountKey,
  { text, account, stretching }: Passphrase,
  random: Random,
): string {
  assert(!isLess(stretching, leastStretching), 'as much stretching as is accepted later');
  assert(!isLess(mostStretching, stretching), 'no more stretching than is accepted later');
  const salt = new Uint8Array(SALT_BYTES);
  random(salt);
  const parameters = concat(u32(stretching.memoryKiB), u32(stretching.passes), salt);
  return wrap(byPassphrase(text, account, parameters), key, random);
}

/** The stretching that a wrap asks for, which a device remembers as the least it accepts. */
export function stretchingOf(text: string): Result<Stretching, WrapProblem> {
  const bytes = readWrap(text, 'passphrase', PASSPHRASE_BYTES);
  if (!bytes.ok) return bytes;
  const stretching = { memoryKiB: readU32(bytes.value, 2), passes: readU32(bytes.value, 6) };
  if (isLess(stretching, leastStretching)) return failed({ type: 'weak' });
  return isLess(mostStretching, stretching) ? failed({ type: 'heavy' }) : ok(stretching);
}

/** Opens what `wrapByPassphrase` made. Weak and heavy ones are refused before the passphrase is touched. */
export function openByPassphrase(wrapped: string, passphrase: Passphrase): Result<AccountKey, WrapProblem> {
  const asked = stretchingOf(wrapped);
  if (!asked.ok) return asked;
  if (isLess(asked.value, passphrase.stretching)) return failed({ type: 'weak' });
  const bytes = readWrap(wrapped, 'passphrase', PASSPHRASE_BYTES);
  if (!bytes.ok) return bytes;
  const parameters = bytes.value.subarray(2, 2 + PASSPHRASE_BYTES);
  const wrapping = byPassphrase(passphrase.text, passphrase.account, parameters);
  return unwrap(wrapping, bytes.value) as Result<AccountKey, WrapProblem>;
}

/** A passkey, and what it answered: 32 bytes that it gives to nobody else (WebAuthn, extension PRF). */
export interface PasskeySecret {
  readonly account: number;
  /** The id of the credential, as text. */
  readonly credential: string;
  readonly answer: Uint8Array;
}

function byPasskey({ account, credential, answer }: PasskeySecret): Wrapping {
  assert(answer.length === keyBytes, 'an answer of its length');
  return { kind: 'passkey', parameters: NONE, secret: answer, of: [String(account), credential] };
}

/** Wraps an account key under what a passkey answers. */
export function wrapByPasskey(key: AccountKey, passkey: PasskeySecret, random: Random): string {
  return wrap(byPasskey(passkey), key, random);
}

/** Opens what `wrapByPasskey` made for this passkey of this account. */
export function openByPasskey(text: string, passkey: PasskeySecret): Result<AccountKey, WrapProblem> {
  const bytes = readWrap(text, 'passkey', 0);
  return bytes.ok ? (unwrap(byPasskey(passkey), bytes.value) as Result<AccountKey, WrapProblem>) : bytes;
}

/** One generation of a scope. */
export interface Generation extends Owner {
  readonly generation: number;
}

function byAccount(key: AccountKey, { account, scope, generation }: Generation): Wrapping {
  const of = [String(account), scope, String(generation)];
  return { kind: 'generation', parameters: NONE, secret: accountPurposeKey(key, 'wrap'), of };
}

/** Wraps the key of a generation under the account key. */
export function wrapGeneration(
  key: GenerationKey,
  account: AccountKey,
  of: Generation,
  random: Random,
): string {
  return wrap(byAccount(account, of), key, random);
}

/** Opens what `wrapGeneration` made for exactly this generation of this scope. */
export function openGeneration(
  text: string,
  account: AccountKey,
  of: Generation,
): Result<GenerationKey, WrapProblem> {
  const bytes = readWrap(text, 'generation', 0);
  return bytes.ok
    ? (unwrap(byAccount(account, of), bytes.value) as Result<GenerationKey, WrapProblem>)
    : bytes;
}

function byLaterKey(key: AccountKey, { account, scope, generation }: Generation): Wrapping {
  const of = ['earlier', String(account), scope, String(generation)];
  return { kind: 'earlier', parameters: NONE, secret: accountPurposeKey(key, 'wrap'), of };
}

/** Wraps an account key under the one that takes its place after this generation: who has the later one has both. */
export function wrapEarlier(
  earlier: AccountKey,
  later: AccountKey,
  until: Generation,
  random: Random,
): string {
  return wrap(byLaterKey(later, until), earlier, random);
}

/** Opens what `wrapEarlier` made for exactly this generation of this scope. */
export function openEarlier(
  text: string,
  later: AccountKey,
  until: Generation,
): Result<AccountKey, WrapProblem> {
  const bytes = readWrap(text, 'earlier', 0);
  return bytes.ok
    ? (unwrap(byLaterKey(later, until), bytes.value) as Result<AccountKey, WrapProblem>)
    : bytes;
}
