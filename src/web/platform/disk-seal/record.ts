// One encrypted record: its form, and AES-GCM with the key of the disk. What a record holds is text or a page of rows (page-bytes.ts);
// where it belongs is bound to it, so that it opens nowhere else.
import { utf8 } from '#core/sealing/bytes.ts';
import { isRecord } from '#core/json.ts';

const CIPHER = 'AES-GCM';
const NONCE_BYTES = 12;
/** The first byte. 1: nonce, and what AES-GCM made of the content. */
const FORMAT = 1;

/** As it is stored, beside what the store itself has to see. */
export interface SealedRecord {
  readonly sealed: Uint8Array<ArrayBuffer>;
}

export function isSealed(value: unknown): value is SealedRecord {
  return isRecord(value) && value['sealed'] instanceof Uint8Array;
}

/** Encrypts bytes for one place. */
export async function sealBytes(
  key: CryptoKey,
  place: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const params = { name: CIPHER, iv, additionalData: new Uint8Array(utf8(place)) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(params, key, content));
  const whole = new Uint8Array(1 + NONCE_BYTES + sealed.length);
  whole[0] = FORMAT;
  whole.set(iv, 1);
  whole.set(sealed, 1 + NONCE_BYTES);
  return whole;
}

/** The content; null where a bit of it, the key or the place is another one, or the form is of a later app. */
export async function openBytes(
  key: CryptoKey,
  place: string,
  sealed: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (sealed[0] !== FORMAT) return null;
  const iv = sealed.subarray(1, 1 + NONCE_BYTES);
  const params = { name: CIPHER, iv, additionalData: new Uint8Array(utf8(place)) };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(params, key, sealed.subarray(1 + NONCE_BYTES)));
  } catch {
    // All that the browser says is that it doesn't open.
    return null;
  }
}
