// Who somebody is to the people that they share encrypted lists with: a pair that keys are wrapped for (X25519) and a pair that signs
// (Ed25519), both derived from the account key. Only the public halves leave the device.
import { digest, pairOf, type KeyPair } from './algorithms.ts';
import { isSigned, sign, verifierOf } from './signing.ts';
import { keyBytes } from './cipher.ts';
import { framed, fromText, toText } from './bytes.ts';
import { accountPurposeKey, FORMAT, type AccountKey } from './keys.ts';
import { spokenWords } from './spoken-words.ts';

/** Of each of the two people: 63 bits or more, as no word comes twice. */
const SAFETY_WORDS = 8;
/** How often what words come from is hashed once more: ten bits for who tries. */
const SAFETY_ROUNDS = 1_024;
const SIGNATURE_BYTES = 64;

/** The public halves, as text in base64 of the URL alphabet. */
export interface PublicIdentity {
  /** What keys are wrapped for. */
  readonly agree: string;
  /** What signatures are checked with. */
  readonly verify: string;
}

/** Somebody's own identity. */
export interface Identity {
  readonly agreement: KeyPair;
  readonly signing: Uint8Array;
  readonly shown: PublicIdentity;
}

function identityFrom(agreeing: Uint8Array, signing: Uint8Array): Identity {
  const agreement = pairOf(agreeing);
  return {
    agreement,
    signing,
    shown: { agree: toText(agreement.publicKey), verify: toText(verifierOf(signing)) },
  };
}

/** The identity of an account. It is another one under another account key. */
export function identityOf(key: AccountKey, account: number): Identity {
  const of = (purpose: string) => accountPurposeKey(key, 'identity', purpose, String(account));
  return identityFrom(of('agree'), of('sign'));
}

/** Whether both halves are public keys, as far as can be seen. */
export function isIdentity({ agree, verify }: PublicIdentity): boolean {
  return [agree, verify].every((text) => fromText(text)?.length === keyBytes);
}

/** Whether two identities are the same. */
export const isSameIdentity = (one: PublicIdentity, other: PublicIdentity): boolean =>
  one.agree === other.agree && one.verify === other.verify;

/** Signs parts, for a purpose. */
export function signed(signing: Uint8Array, purpose: string, ...parts: readonly string[]): string {
  return toText(sign(signing, framed(FORMAT, purpose, ...parts)));
}

/** Whether `signed` has made this with the secret of a public key. */
export function isSignedBy(
  verify: string,
  signature: string,
  purpose: string,
  ...parts: readonly string[]
): boolean {
  const [key, made] = [fromText(verify), fromText(signature)];
  if (key?.length !== keyBytes || made?.length !== SIGNATURE_BYTES) return false;
  return isSigned(key, framed(FORMAT, purpose, ...parts), made);
}

/** What the words of one identity come from. */
function safetyDigest({ agree, verify }: PublicIdentity): Uint8Array {
  let bytes = digest(framed(FORMAT, 'safety words', agree, verify));
  for (let round = 0; round < SAFETY_ROUNDS; round += 1) bytes = digest(bytes);
  return bytes;
}

/**
 * Words that two people compare: the same at both, no matter which of them is asked first, and none of them twice. Eight follow from each
 * identity alone: who stands between the two has to find keys with the eight of a given person. If all words followed from both identities,
 * it would be enough to find any two keys with the same words, which takes no more tries than half of the bits say.
 */
export function safetyWords(one: PublicIdentity, other: PublicIdentity): readonly string[] {
  const words = new Set<string>();
  const textOf = ({ agree, verify }: PublicIdentity) => `${agree} ${verify}`;
  const both = [one, other].toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  for (const identity of both) {
    const most = words.size + SAFETY_WORDS;
    for (let bytes = safetyDigest(identity); words.size < most; bytes = digest(bytes))
      for (const byte of bytes) if (words.size < most) words.add(spokenWords[byte] ?? '');
  }
  return [...words];
}
