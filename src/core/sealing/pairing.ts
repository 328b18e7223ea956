// How a device without the key of its account gets it from one that has it, by way of a server that may lie. Four messages:
//   new → old  commitment: SHA-256 of the new device's public key and a nonce
//   old → new  the old device's public key
//   new → old  the public key and the nonce
//   old → new  the account key, sealed, once the person has seen that both devices show the same words
// The commitment leaves somebody in between one guess at the words instead of as many as a processor tries: who stands there
// has to choose keys before the words are known (Vaudenay, "Secure Communications over Insecure Channels Based on Short Authenticated
// Strings", 2005). Where the old device reads a picture on the screen of the new one, the words needn't be compared: the picture has the
// commitment, and a secret that the server never sees and the account key is sealed with.
import { agree, deriveFrom, digest, pairOf, rootOf } from './algorithms.ts';
import { keyBytes, nonceBytes, open, seal } from './cipher.ts';
import { concat, framed, fromText, isEqual, toText } from './bytes.ts';
import { FORMAT, type AccountKey, type Random } from './keys.ts';
import { spokenWords } from './spoken-words.ts';

const NONCE_BYTES = 16;
const SECRET_BYTES = 16;
/** What a picture begins with. */
const PICTURE = 'posthaste:pair:';
const WORDS = 3;
const DIGITS = 6;

/** What a new device keeps until it has the key. Texts are base64 of the URL alphabet. */
export interface NewDevice {
  readonly secret: Uint8Array;
  readonly publicKey: string;
  readonly nonce: string;
  /** What it says first. */
  readonly commitment: string;
  /** What only its screen says. */
  readonly shown: Uint8Array;
}

/** What a device reads in the picture of another one. */
export interface ReadPicture {
  readonly commitment: string;
  readonly shown: Uint8Array;
}

/** What the device with the key keeps until it has sent it. */
export interface OldDevice {
  readonly secret: Uint8Array;
  readonly publicKey: string;
}

/** All that was said in the open. */
export interface Transcript {
  /** Account number. */
  readonly account: number;
  readonly newKey: string;
  readonly nonce: string;
  readonly oldKey: string;
}

/** What both devices come to if nobody stands between them. */
export interface Agreement {
  /** Three words and six digits say the same: one of them is compared. */
  readonly words: readonly string[];
  readonly digits: string;
  readonly key: Uint8Array;
  readonly transcript: Transcript;
}

function randomBytes(length: number, random: Random): Uint8Array {
  const bytes = new Uint8Array(length);
  random(bytes);
  return bytes;
}

function commitmentTo(publicKey: string, nonce: string): string {
  return toText(digest(framed(FORMAT, 'pairing commitment', publicKey, nonce)));
}

/** The new device's part. */
export function beginPairing(random: Random): NewDevice {
  const { secret, publicKey } = pairOf(randomBytes(keyBytes, random));
  const key = toText(publicKey);
  const nonce = toText(randomBytes(NONCE_BYTES, random));
  const shown = randomBytes(SECRET_BYTES, random);
  return { secret, publicKey: key, nonce, commitment: commitmentTo(key, nonce), shown };
}

/** The text of the picture that a new device shows. */
export const pictureText = ({ commitment, shown }: NewDevice): string =>
  `${PICTURE}${commitment}${toText(shown)}`;

/** What the text of a picture says; null: it is no such picture. */
export function readPicture(text: string): ReadPicture | null {
  if (!text.startsWith(PICTURE)) return null;
  const [commitment, rest] = [
    text.slice(PICTURE.length, PICTURE.length + 43),
    text.slice(PICTURE.length + 43),
  ];
  const [said, shown] = [fromText(commitment), fromText(rest)];
  return said?.length === keyBytes && shown?.length === SECRET_BYTES ? { commitment, shown } : null;
}

/** The part of the device with the key, begun when the commitment is there. */
export function answerPairing(random: Random): OldDevice {
  const { secret, publicKey } = pairOf(randomBytes(keyBytes, random));
  return { secret, publicKey: toText(publicKey) };
}

/** Whether the new device has shown what it had committed itself to. */
export function isAsCommitted(commitment: string, newKey: string, nonce: string): boolean {
  const [said, shown] = [fromText(commitment), fromText(commitmentTo(newKey, nonce))];
  return said !== null && shown !== null && isEqual(said, shown);
}

const detailsOf = ({ account, newKey, nonce, oldKey }: Transcript) =>
  framed(FORMAT, 'pairing', String(account), newKey, nonce, oldKey);

/** What this device comes to; null where the other public key is none. The old device asks `isAsCommitted` first. */
export function agreement(own: Uint8Array, theirs: string, transcript: Transcript): Agreement | null {
  const publicKey = fromText(theirs);
  const shared = publicKey && agree(own, publicKey);
  if (shared === null) return null;
  const root = rootOf(shared, detailsOf(transcript));
  const shown = deriveFrom(root, framed('shown'), WORDS + 4);
  const number = shown.subarray(WORDS).reduce((sum, byte) => sum * 256 + byte, 0);
  return {
    words: [...shown.subarray(0, WORDS)].map((byte) => spokenWords[byte] ?? ''),
    digits: String(number % 10 ** DIGITS).padStart(DIGITS, '0'),
    key: deriveFrom(root, framed('account key')),
    transcript,
  };
}

/** What both come to who know what the picture shows, and nobody else: it takes no comparing. */
export function withPicture(agreed: Agreement, shown: Uint8Array): Agreement {
  const root = rootOf(concat(agreed.key, shown), detailsOf(agreed.transcript));
  return { ...agreed, key: deriveFrom(root, framed('account key', 'picture')) };
}

/** The account key for the new device alone. */
export function handOver({ key, transcript }: Agreement, accountKey: AccountKey, random: Random): string {
  const nonce = randomBytes(nonceBytes, random);
  return toText(concat(nonce, seal({ key, nonce, bound: detailsOf(transcript) }, accountKey)));
}

/** The account key that `handOver` sealed; null where it is not for this device, or was altered. */
export function takeOver({ key, transcript }: Agreement, handed: string): AccountKey | null {
  const bytes = fromText(handed);
  if (bytes === null || bytes.length < nonceBytes) return null;
  const lock = { key, nonce: bytes.subarray(0, nonceBytes), bound: detailsOf(transcript) };
  const opened = open(lock, bytes.subarray(nonceBytes));
  return opened?.length === keyBytes ? (opened as AccountKey) : null;
}
