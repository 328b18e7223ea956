// The content of an attachment, sealed in chunks (STREAM: Hoang, Reyhanitabar, Rogaway and Vizár, 2015), version 1:
//   01 | generation (u32) | salt (32) | chunks of 1 MiB, each AES-256-GCM under a key that only this content has
//   nonce of a chunk: 7 zeros | its number (u32) | 1 if it is the last; all in all: length (u32) | content | zeros up to a padded length
// The cipher is a port: browsers and Node have it built in, many times faster than any code of ours.
import { assert } from '../assert.ts';
import type { Id } from '../ids.ts';
import { failed, ok, type Result } from '../result.ts';
import { tagBytes, type Lock } from './cipher.ts';
import { concat, framed, readU32, u32 } from './bytes.ts';
import type { SealProblem } from './envelope.ts';
import { FORMAT, type Keyring } from './keys.ts';
import { paddedLength } from './padding.ts';

const VERSION = 1;
const SALT_BYTES = 32;
const HEADER_BYTES = 1 + 4 + SALT_BYTES;
const LENGTH_BYTES = 4;
const CHUNK_BYTES = 1024 * 1024;
const LONGEST_CONTENT = 0x7f_ff_ff_ff;

/**
 * AES-256-GCM with nonces of 12 bytes and the tag of 16 after the content. `open` answers null where anything isn't as it was sealed,
 * and throws only where the platform fails.
 */
export interface FileCipher {
  seal(lock: Lock, content: Uint8Array): Promise<Uint8Array>;
  open(lock: Lock, sealed: Uint8Array): Promise<Uint8Array | null>;
}

/** A content that is to be sealed: where it belongs, and 32 random bytes that no other content has. */
export interface FileSealing {
  readonly ring: Keyring;
  readonly attachment: Id;
  readonly salt: Uint8Array;
}

/** How many bytes a content has once it is sealed: all that its server learns of its length. */
export function sealedFileBytes(contentBytes: number): number {
  const stream = paddedLength(LENGTH_BYTES + contentBytes);
  return HEADER_BYTES + stream + Math.ceil(stream / CHUNK_BYTES) * tagBytes;
}

/** Bytes from which `sealedFileGeneration` knows a sealed content. */
export const SEALED_FILE_HEAD_BYTES = HEADER_BYTES;

/** The generation that a content says it is sealed in, from its first bytes; null: it isn't sealed, or in another version. */
export function sealedFileGeneration(head: Uint8Array): number | null {
  if (head.length < HEADER_BYTES || head[0] !== VERSION) return null;
  const generation = readU32(head, 1);
  return generation === 0 ? null : generation;
}

const boundTo = (ring: Keyring, attachment: Id, header: Uint8Array) =>
  framed(FORMAT, 'file', String(ring.account), ring.scope, attachment, header);

const nonceOf = (chunk: number, isLast: boolean) =>
  concat(new Uint8Array(7), u32(chunk), Uint8Array.of(isLast ? 1 : 0));

/** The parts of `bytes` that are `size` long, the last one shorter or as long. */
function* partsOf(bytes: Uint8Array, size: number): Generator<readonly [number, Uint8Array, boolean]> {
  const count = Math.ceil(bytes.length / size);
  for (let index = 0; index < count; index += 1)
    yield [index, bytes.subarray(index * size, (index + 1) * size), index === count - 1];
}

/** Seals the content of an attachment in the newest generation of the ring. Fails only where the ring has no key. */
export async function sealFile(
  cipher: FileCipher,
  { ring, attachment, salt }: FileSealing,
  content: Uint8Array,
): Promise<Result<Uint8Array, SealProblem>> {
  assert(salt.length === SALT_BYTES, 'a salt of its length');
  assert(content.length <= LONGEST_CONTENT, 'a length of 31 bits');
  const generation = ring.newest;
  const key = ring.fileKey(generation, attachment, salt);
  if (key === null) return failed({ type: 'no-key', generation });
  const header = concat(Uint8Array.of(VERSION), u32(generation), salt);
  const bound = boundTo(ring, attachment, header);
  const stream = new Uint8Array(paddedLength(LENGTH_BYTES + content.length));
  stream.set(u32(content.length));
  stream.set(content, LENGTH_BYTES);
  const sealed: Uint8Array[] = [header];
  for (const [index, part, isLast] of partsOf(stream, CHUNK_BYTES))
    sealed.push(await cipher.seal({ key, nonce: nonceOf(index, isLast), bound }, part));
  return ok(concat(...sealed));
}

/** The content of a stream that has been opened. */
function contentOf(stream: Uint8Array): Result<Uint8Array, SealProblem> {
  const length = stream.length < LENGTH_BYTES ? null : readU32(stream, 0);
  if (length === null || length > LONGEST_CONTENT) return failed({ type: 'content' });
  const end = LENGTH_BYTES + length;
  const isPadded = stream.length === paddedLength(end) && stream.subarray(end).every((byte) => byte === 0);
  return isPadded ? ok(stream.slice(LENGTH_BYTES, end)) : failed({ type: 'content' });
}

/** Opens what `sealFile` made for this attachment, whole: not one byte of it is given out before all is known to be right. */
export async function openFile(
  cipher: FileCipher,
  ring: Keyring,
  attachment: Id,
  sealed: Uint8Array,
): Promise<Result<Uint8Array, SealProblem>> {
  const [version = 0] = sealed;
  if (version > VERSION) return failed({ type: 'newer', version });
  if (version !== VERSION || sealed.length <= HEADER_BYTES + tagBytes) return failed({ type: 'malformed' });
  const header = sealed.subarray(0, HEADER_BYTES);
  const generation = readU32(header, 1);
  const key = ring.fileKey(generation, attachment, header.subarray(1 + 4));
  if (key === null) return failed({ type: 'no-key', generation });
  const bound = boundTo(ring, attachment, header);
  const opened: Uint8Array[] = [];
  for (const [index, part, isLast] of partsOf(sealed.subarray(HEADER_BYTES), CHUNK_BYTES + tagBytes)) {
    const chunk =
      part.length > tagBytes ? await cipher.open({ key, nonce: nonceOf(index, isLast), bound }, part) : null;
    if (chunk === null) return failed({ type: 'altered' });
    opened.push(chunk);
  }
  return contentOf(concat(...opened));
}
