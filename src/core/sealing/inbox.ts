// What programs and mail write into a sealed scope: the server seals it to the public key of the scope's inbox, and forgets it. The first
// device with the keys opens it and seals it anew. Version 2:
//   02 | generation (u32) | ephemeral public key (32) | nonce (24) | XChaCha20-Poly1305 of the frame, with the value's home bound to it
// Anyone can seal to an inbox, so who wrote such a value is the server's word.
import { failed, ok, type Result } from '../result.ts';
import { agree, deriveFrom, pairOf } from './algorithms.ts';
import { keyBytes, nonceBytes, open, seal, tagBytes } from './cipher.ts';
import { concat, framed, fromText, readU32, toText, u32 } from './bytes.ts';
import type { Envelope, Home, Opened, SealProblem } from './envelope.ts';
import { boundTo, frameOf, readFrame } from './frame.ts';
import { inboxRootOf, type Keyring, type Owner, type Random } from './keys.ts';
import { paddedLength } from './padding.ts';

const VERSION = 2;
const HEADER_BYTES = 1 + 4 + keyBytes;

/** The inbox of a generation of a scope, as the directory says it. */
export interface Inbox extends Owner {
  readonly generation: number;
  /** As text, in base64 of the URL alphabet. */
  readonly publicKey: string;
}

/** Seals values at their homes. */
export type InboxSealer = (home: Home, content: Pick<Opened, 'value' | 'writer'>) => Envelope;

const keyOf = (root: Uint8Array, bound: Uint8Array) => deriveFrom(root, framed('value', bound));

/** A sealer for what is written at once; null where the public key is none. Its ephemeral key is forgotten with it. */
export function createInboxSealer(inbox: Inbox, random: Random): InboxSealer | null {
  const publicKey = fromText(inbox.publicKey);
  const secret = new Uint8Array(keyBytes);
  random(secret);
  const shared = publicKey && agree(secret, publicKey);
  if (publicKey === null || shared === null) return null;
  const ephemeral = pairOf(secret).publicKey;
  const root = inboxRootOf(shared, ephemeral, publicKey);
  return (home, content) => {
    const nonce = new Uint8Array(nonceBytes);
    random(nonce);
    const bound = boundTo(inbox, home, inbox.generation);
    const sealed = seal({ key: keyOf(root, bound), nonce, bound }, frameOf(content));
    return { e: toText(concat(Uint8Array.of(VERSION), u32(inbox.generation), ephemeral, nonce, sealed)) };
  };
}

/** Opens the bytes of an envelope of version 2 at its home. */
export function openFromInbox(ring: Keyring, home: Home, bytes: Uint8Array): Result<Opened, SealProblem> {
  if (bytes.length < HEADER_BYTES + nonceBytes + tagBytes + paddedLength(0))
    return failed({ type: 'malformed' });
  const generation = readU32(bytes, 1);
  const root = ring.inboxRoot(generation, bytes.subarray(5, HEADER_BYTES));
  if (root === null) return failed({ type: 'altered' });
  const bound = boundTo(ring, home, generation);
  const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + nonceBytes);
  const frame = open({ key: keyOf(root, bound), nonce, bound }, bytes.subarray(HEADER_BYTES + nonceBytes));
  if (frame === null) return failed({ type: 'altered' });
  const content = readFrame(frame);
  return content === null ? failed({ type: 'content' }) : ok({ ...content, generation, isFromInbox: true });
}
