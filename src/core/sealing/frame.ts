// What is sealed for a value, and what is bound to it: the same in envelopes of every version.
import { assert } from '../assert.ts';
import { concat, framed, readUtf8, readVarint, u32, utf8, varint } from './bytes.ts';
import type { Home, Opened } from './envelope.ts';
import { FORMAT, type Owner } from './keys.ts';
import { paddedLength } from './padding.ts';

/** What a home gives to be bound to a sealed value. */
export function boundTo(owner: Owner, { id, type, register }: Home, generation: number): Uint8Array {
  return framed(FORMAT, String(owner.account), owner.scope, id, type, register, u32(generation));
}

/** The bytes that are sealed for a value: its writer and itself, padded. */
export function frameOf({ value, writer }: Pick<Opened, 'value' | 'writer'>): Uint8Array {
  assert(value !== undefined, 'a value of JSON');
  const text = utf8(JSON.stringify(value));
  const frame = concat(varint(writer.seq), varint(writer.device), varint(text.length), text);
  return concat(frame, new Uint8Array(paddedLength(frame.length) - frame.length));
}

/** What `frameOf` wrote; null where it is nothing of the kind. */
export function readFrame(frame: Uint8Array): Pick<Opened, 'value' | 'writer'> | null {
  const seq = readVarint(frame, 0);
  const device = seq && readVarint(frame, seq.end);
  const length = device && readVarint(frame, device.end);
  if (seq === null || device === null || length === null) return null;
  const end = length.end + length.value;
  let isPadded = frame.length === paddedLength(end);
  for (let at = end; isPadded && at < frame.length; at += 1) isPadded = frame[at] === 0;
  const text = isPadded ? readUtf8(frame.subarray(length.end, end)) : null;
  if (text === null) return null;
  try {
    return { value: JSON.parse(text) as unknown, writer: { device: device.value, seq: seq.value } };
  } catch {
    return null;
  }
}
