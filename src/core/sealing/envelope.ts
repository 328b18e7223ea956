// The envelope that a sealed value travels and rests in, version 1:
//   01 | generation (u32) | nonce (24) | XChaCha20-Poly1305 of the frame, with the value's home bound to it
//   frame: sequence number | device | length (varints) | the value as JSON in UTF-8 | zeros up to a padded length
// A value opens at its home only: account, scope, row, type, register and generation. Its writer is inside.
// Version 2, to which anyone seals who has only the public key of the scope's inbox, is inbox.ts.
import type { EntityType } from '../model.ts';
import type { Id } from '../ids.ts';
import { failed, ok, type Result } from '../result.ts';
import { keyBytes, nonceBytes, open, seal, tagBytes } from './cipher.ts';
import { concat, fromText, readU32, toText, u32, varint } from './bytes.ts';
import type { Keyring } from './keys.ts';
import { boundTo, frameOf, readFrame } from './frame.ts';
import { openFromInbox } from './inbox.ts';
import { paddedLength } from './padding.ts';

const VERSION = 1;
/** Of what is sealed to an inbox. */
const INBOX_VERSION = 2;
const HEADER_BYTES = 1 + 4;
/** No value of a register comes near it; a longer text is not even decoded. */
const LONGEST_TEXT = 2 * 1024 * 1024;

/** A sealed value as it stands in a register. */
export interface Envelope {
  /** Base64 of the URL alphabet. */
  readonly e: string;
}

/** Where a value belongs. */
export interface Home {
  readonly id: Id;
  readonly type: EntityType;
  /** The register, by the name under which the server keeps it. */
  readonly register: string;
}

/** Who wrote a value: the device's number and the sequence number, as in the register's stamp. */
export interface SealedWriter {
  readonly device: number;
  readonly seq: number;
}

/** A value that has been opened. */
export interface Opened {
  readonly value: unknown;
  readonly writer: SealedWriter;
  readonly generation: number;
  /** Anyone may have sealed it: a program or mail, by way of the server. */
  readonly isFromInbox?: boolean;
}

/**
 * Why a value can't be opened.
 * - `malformed` it isn't an envelope; `newer` it is one of a later version; `no-key` of a generation without a key here
 * - `altered` something isn't as it was sealed: content, home or key
 * - `content` it was sealed with the right key, but this version can't read what is in it
 */
export type SealProblem =
  | { readonly type: 'malformed' | 'altered' | 'content' }
  | { readonly type: 'newer'; readonly version: number }
  | { readonly type: 'no-key'; readonly generation: number };

/** Whether it has the outer form of an envelope. Says nothing of whether it opens. */
export function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null || typeof (value as Partial<Envelope>).e !== 'string')
    return false;
  const names = Object.keys(value);
  return names.length === 1 && names[0] === 'e' && !Array.isArray(value);
}

/** What sealing needs: the keys, and nonces that never repeat. */
export interface Sealer {
  readonly ring: Keyring;
  readonly nonce: () => Uint8Array;
}

/**
 * Seals a value of JSON at its home, in the newest generation of the ring. Fails only where the ring has no key at all. The same
 * value gives another envelope each time.
 */
export function sealValue(
  { ring, nonce: next }: Sealer,
  home: Home,
  content: Pick<Opened, 'value' | 'writer'>,
): Result<Envelope, SealProblem> {
  const generation = ring.newest;
  const key = ring.rowKey(generation, home.id);
  if (key === null) return failed({ type: 'no-key', generation });
  const nonce = next();
  const sealed = seal({ key, nonce, bound: boundTo(ring, home, generation) }, frameOf(content));
  return ok({ e: toText(concat(Uint8Array.of(VERSION), u32(generation), nonce, sealed)) });
}

function numberIn(envelope: Envelope, version: number): number | null {
  const bytes = envelope.e.length > LONGEST_TEXT ? null : fromText(envelope.e);
  return bytes === null || bytes[0] !== version || bytes.length < HEADER_BYTES ? null : readU32(bytes, 1);
}

/** The generation that an envelope says it is of; null where it isn't one that a device with the keys has sealed. */
export const generationOf = (envelope: Envelope): number | null => numberIn(envelope, VERSION);

/** The generation of the inbox that it says it was sealed to; null where it isn't for one. The first device that opens it seals it anew. */
export const inboxGenerationOf = (envelope: Envelope): number | null => numberIn(envelope, INBOX_VERSION);

/** Whether it says that it was sealed by a device, or to an inbox. */
export const isSealedText = (envelope: Envelope): boolean =>
  (generationOf(envelope) ?? inboxGenerationOf(envelope)) !== null;

/** Opens an envelope at its home. Whatever the envelope holds, the answer is a value or a problem. */
export function openValue(ring: Keyring, home: Home, envelope: unknown): Result<Opened, SealProblem> {
  if (!isEnvelope(envelope) || envelope.e.length > LONGEST_TEXT) return failed({ type: 'malformed' });
  const bytes = fromText(envelope.e);
  const version = bytes?.[0];
  if (bytes === null || version === undefined || version === 0) return failed({ type: 'malformed' });
  if (version === INBOX_VERSION) return openFromInbox(ring, home, bytes);
  if (version !== VERSION) return failed({ type: 'newer', version });
  if (bytes.length < HEADER_BYTES + nonceBytes + tagBytes + paddedLength(0))
    return failed({ type: 'malformed' });
  const generation = readU32(bytes, 1);
  const key = ring.rowKey(generation, home.id);
  if (key === null) return failed({ type: 'no-key', generation });
  const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + nonceBytes);
  const lock = { key, nonce, bound: boundTo(ring, home, generation) };
  const frame = open(lock, bytes.subarray(HEADER_BYTES + nonceBytes));
  if (frame === null) return failed({ type: 'altered' });
  const content = readFrame(frame);
  return content === null ? failed({ type: 'content' }) : ok({ ...content, generation });
}

/** The longest text of an envelope around a value whose JSON has at most that many bytes: what a server lets through. */
export function longestEnvelope(jsonBytes: number): number {
  const bytes =
    HEADER_BYTES +
    // Of the ephemeral key, where it was sealed to an inbox.
    keyBytes +
    nonceBytes +
    tagBytes +
    paddedLength(jsonBytes + 3 * varint(Number.MAX_SAFE_INTEGER).length);
  return Math.ceil((bytes * 4) / 3);
}
