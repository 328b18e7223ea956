// What is kept apart for a while, in databases of its own, and came from an encrypted disk: encrypted there as well. Not here: what is kept
// and for how long (safety-copies.ts, quarantine.ts).
import { readJson } from '#core/json.ts';
import { makeKey, readKey } from './disk-keys.ts';
import { openBytes, sealBytes } from './record.ts';

/** With the key of this disk. */
export interface ClosedAside {
  readonly disk: string;
  readonly sealed: Uint8Array<ArrayBuffer>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Numbers in columns go as lists. */
const plain = (_key: string, value: unknown): unknown =>
  ArrayBuffer.isView(value) && !(value instanceof DataView) ? [...(value as Float64Array)] : value;

/** As JSON, with the key of a name. It opens at the same place alone. */
export async function closeAside(disk: string, place: string, value: unknown): Promise<ClosedAside> {
  const { cipher } = await makeKey(disk);
  return { disk, sealed: await sealBytes(cipher, place, encoder.encode(JSON.stringify(value, plain))) };
}

/** Undefined where its key is gone, or it is damaged. */
export async function openAside({ disk, sealed }: ClosedAside, place: string): Promise<unknown> {
  const key = await readKey(disk);
  const content = key === null ? null : await openBytes(key.cipher, place, sealed);
  return content === null ? undefined : readJson(decoder.decode(content));
}
