// The key of one generation of an encrypted list, wrapped for visitors of a public link: under a secret that stands in the fragment of its address
// alone. It opens and seals values of that generation, and neither the key of the list nor any later generation. The form is that of wraps.ts.
import { ok, type Result } from '../result.ts';
import { deriveFrom, rootOf } from './algorithms.ts';
import { keyBytes } from './cipher.ts';
import { framed, fromText, toText, utf8 } from './bytes.ts';
import {
  accountPurposeKey,
  createKeyring,
  FORMAT,
  ownerOfList,
  type AccountKey,
  type GenerationKey,
  type Keyring,
  type Random,
} from './keys.ts';
import type { ListGeneration } from './list-wraps.ts';
import { readWrap, unwrap, wrap, type WrapProblem, type Wrapping } from './wraps.ts';

/** The secret of a public link: 32 random bytes, which stand in its fragment and are never sent. */
export type VisitorSecret = Uint8Array & { readonly isVisitorSecret: true };

/** A new secret of a public link. */
export function newVisitorSecret(random: Random): VisitorSecret {
  const secret = new Uint8Array(keyBytes);
  random(secret);
  return secret as VisitorSecret;
}

/** A secret as it stands in an address: 43 letters. */
export const writeVisitorSecret = (secret: VisitorSecret): string => toText(secret);

/** The secret in an address; null where that is none. */
export function readVisitorSecret(text: string): VisitorSecret | null {
  const bytes = fromText(text);
  return bytes?.length === keyBytes ? (bytes as VisitorSecret) : null;
}

const NONE = new Uint8Array();
const PURPOSE = 'public link';

function bySecret(secret: VisitorSecret, { scope, generation }: ListGeneration): Wrapping {
  const derived = deriveFrom(rootOf(secret, utf8(`${FORMAT} ${PURPOSE}`)), framed('wrap'));
  return { kind: 'visitor', parameters: NONE, secret: derived, of: [scope, String(generation)] };
}

/** Wraps the key of a generation for who has the secret. */
export const wrapForVisitors = (
  key: GenerationKey,
  secret: VisitorSecret,
  of: ListGeneration,
  random: Random,
): string => wrap(bySecret(secret, of), key, random);

/** Opens what `wrapForVisitors` made. */
export function openForVisitor(
  text: string,
  secret: VisitorSecret,
  of: ListGeneration,
): Result<GenerationKey, WrapProblem> {
  const bytes = readWrap(text, 'visitor', 0);
  if (!bytes.ok) return bytes;
  const opened = unwrap(bySecret(secret, of), bytes.value);
  return opened.ok ? ok(opened.value as GenerationKey) : opened;
}

/** Nothing that was sealed for another purpose opens as a secret of a public link: it is about to be shown to anyone. */
function byList(key: AccountKey, { scope, generation }: ListGeneration): Wrapping {
  const secret = accountPurposeKey(key, 'list');
  return { kind: 'own', parameters: NONE, secret, of: [PURPOSE, scope, String(generation)] };
}

/** Seals the secret of a link under the key of its list, so that every member can copy the address again. */
export const wrapVisitorSecret = (
  secret: VisitorSecret,
  key: AccountKey,
  of: ListGeneration,
  random: Random,
): string => wrap(byList(key, of), secret, random);

/** Opens what `wrapVisitorSecret` made; null: it isn't for this list, generation and purpose. */
export function openVisitorSecret(text: string, key: AccountKey, of: ListGeneration): VisitorSecret | null {
  const bytes = readWrap(text, 'own', 0);
  const opened = bytes.ok ? unwrap(byList(key, of), bytes.value) : bytes;
  return opened.ok ? (opened.value as VisitorSecret) : null;
}

/** The ring of a visitor: of one generation. Names that are hidden, and what comes by an inbox, are nothing that it could read. */
export const visitorRing = (key: GenerationKey, { scope, generation }: ListGeneration): Keyring =>
  createKeyring(new Uint8Array(keyBytes) as AccountKey, ownerOfList(scope), new Map([[generation, key]]));
