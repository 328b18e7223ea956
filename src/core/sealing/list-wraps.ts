// The key of a list that stays encrypted, wrapped for its people: for the public key of a member, under the secret of an invitation link, and
// under a member's own account key. It is to the scope of the list what an account key is to somebody's own. The form is that of wraps.ts.
import type { Id } from '../ids.ts';
import { ok, type Result } from '../result.ts';
import { agree, deriveFrom, pairOf, rootOf, type KeyPair } from './algorithms.ts';
import { verifierOf } from './signing.ts';
import { keyBytes } from './cipher.ts';
import { framed, fromText, toText, utf8 } from './bytes.ts';
import { accountPurposeKey, FORMAT, type AccountKey, type Random } from './keys.ts';
import { readWrap, unwrap, wrap, type WrapProblem, type Wrapping } from './wraps.ts';

/** The scope of a list, and the generation from which its key counts. */
export interface ListGeneration {
  readonly scope: Id;
  readonly generation: number;
}

const parts = ({ scope, generation }: ListGeneration) => [scope, String(generation)];

function forMember(
  {
    ephemeral,
    shared,
    member,
  }: { readonly ephemeral: Uint8Array; readonly shared: Uint8Array; readonly member: Uint8Array },
  account: number,
  of: ListGeneration,
): Wrapping {
  const secret = rootOf(shared, framed(FORMAT, 'member', ephemeral, member));
  return { kind: 'member', parameters: ephemeral, secret, of: [String(account), ...parts(of)] };
}

/** Wraps the key of a list for the public key of a member; null where that is none. */
export function wrapForMember(
  key: AccountKey,
  { account, agree: text }: { readonly account: number; readonly agree: string },
  of: ListGeneration,
  random: Random,
): string | null {
  const member = fromText(text);
  const secret = new Uint8Array(keyBytes);
  random(secret);
  const shared = member && agree(secret, member);
  if (member === null || shared === null) return null;
  const ephemeral = pairOf(secret).publicKey;
  return wrap(forMember({ ephemeral, shared, member }, account, of), key, random);
}

/** Opens what `wrapForMember` made for this member. */
export function openForMember(
  text: string,
  { account, pair }: { readonly account: number; readonly pair: KeyPair },
  of: ListGeneration,
): Result<AccountKey, WrapProblem> {
  const bytes = readWrap(text, 'member', keyBytes);
  if (!bytes.ok) return bytes;
  const ephemeral = bytes.value.subarray(2, 2 + keyBytes);
  const shared = agree(pair.secret, ephemeral);
  // Nobody can have wrapped it with such a key.
  if (shared === null) return { ok: false, problem: { type: 'closed' } };
  return keyIn(forMember({ ephemeral, shared, member: pair.publicKey }, account, of), bytes.value);
}

function keyIn(wrapping: Wrapping, bytes: Uint8Array): Result<AccountKey, WrapProblem> {
  const opened = unwrap(wrapping, bytes);
  return opened.ok ? ok(opened.value as AccountKey) : opened;
}

const NONE = new Uint8Array();

/** The secret of an invitation link: 32 random bytes, which stand in its fragment and are never sent. */
export type InvitationSecret = Uint8Array & { readonly isInvitationSecret: true };

/** A new secret of a link. */
export function newInvitationSecret(random: Random): InvitationSecret {
  const secret = new Uint8Array(keyBytes);
  random(secret);
  return secret as InvitationSecret;
}

/** A secret as it stands in a link. */
export const writeInvitationSecret = (secret: InvitationSecret): string => toText(secret);

/** The secret of a link; null where it has none. */
export function readInvitationSecret(text: string): InvitationSecret | null {
  const bytes = fromText(text);
  return bytes?.length === keyBytes ? (bytes as InvitationSecret) : null;
}

const fromSecret = (secret: InvitationSecret, purpose: string) =>
  deriveFrom(rootOf(secret, utf8(`${FORMAT} invitation`)), framed(purpose));

/** What who comes by a link signs with, and the public half, by which the link is known. */
export function linkSigning(secret: InvitationSecret): {
  readonly signing: Uint8Array;
  readonly verify: string;
} {
  const signing = fromSecret(secret, 'sign');
  return { signing, verify: toText(verifierOf(signing)) };
}

function byInvitation(secret: InvitationSecret, of: ListGeneration): Wrapping {
  return { kind: 'invitation', parameters: NONE, secret: fromSecret(secret, 'wrap'), of: parts(of) };
}

/** Wraps the key of a list under the secret of a link. */
export function wrapByInvitation(
  key: AccountKey,
  secret: InvitationSecret,
  of: ListGeneration,
  random: Random,
): string {
  return wrap(byInvitation(secret, of), key, random);
}

/** Opens what `wrapByInvitation` made. */
export function openByInvitation(
  text: string,
  secret: InvitationSecret,
  of: ListGeneration,
): Result<AccountKey, WrapProblem> {
  const bytes = readWrap(text, 'invitation', 0);
  return bytes.ok ? keyIn(byInvitation(secret, of), bytes.value) : bytes;
}

function byOwn(account: AccountKey, number: number, of: ListGeneration): Wrapping {
  const secret = accountPurposeKey(account, 'list');
  return { kind: 'own', parameters: NONE, secret, of: [String(number), ...parts(of)] };
}

/** Wraps the key of a list under a member's account key: what tells their other devices that it is the right one. */
export function wrapForOwn(
  key: AccountKey,
  by: { readonly key: AccountKey; readonly account: number },
  of: ListGeneration,
  random: Random,
): string {
  return wrap(byOwn(by.key, by.account, of), key, random);
}

/** Opens what `wrapForOwn` made. */
export function openForOwn(
  text: string,
  by: { readonly key: AccountKey; readonly account: number },
  of: ListGeneration,
): Result<AccountKey, WrapProblem> {
  const bytes = readWrap(text, 'own', 0);
  return bytes.ok ? keyIn(byOwn(by.key, by.account, of), bytes.value) : bytes;
}

/** Seals the secret of a link under the key of its list, so that every member can send the link. */
export function wrapSecret(
  secret: InvitationSecret,
  key: AccountKey,
  of: ListGeneration,
  random: Random,
): string {
  return wrap(byOwn(key, 0, of), secret, random);
}

/** Opens what `wrapSecret` made. */
export function openSecret(text: string, key: AccountKey, of: ListGeneration): InvitationSecret | null {
  const bytes = readWrap(text, 'own', 0);
  const opened = bytes.ok ? unwrap(byOwn(key, 0, of), bytes.value) : bytes;
  return opened.ok ? (opened.value as InvitationSecret) : null;
}
