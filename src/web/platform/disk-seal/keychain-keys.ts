// Keys of disks in the keychain of the system, as the desktop client has one: 32 bytes for records and 32 for short texts, in one entry. On the disk
// itself lies only that they are there. Loaded in the desktop client alone.
import { fromText, toText } from '#core/sealing/bytes.ts';
import type { DiskKey } from './disk-keys.ts';

/** The keychain, by the program around the page. */
export interface SystemKeychain {
  /** Null: there is none of this name, or no keychain that opens. */
  read(name: string): Promise<string | null>;
  /** Null removes it. False: no keychain opens. */
  write(name: string, text: string | null): Promise<boolean>;
}

const KEY_BYTES = 32;

/** The keychain of the desktop client; null: the page is in a browser. */
export function systemKeychain(): SystemKeychain | null {
  return (
    (globalThis as { readonly desktop?: { readonly keychain?: SystemKeychain } }).desktop?.keychain ?? null
  );
}

async function keyOf(text: string): Promise<DiskKey | null> {
  const bytes = fromText(text);
  if (bytes?.length !== 2 * KEY_BYTES) return null;
  const raw = new Uint8Array(bytes.subarray(0, KEY_BYTES));
  const cipher = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
  return { cipher, small: bytes.slice(KEY_BYTES) };
}

/** The key of a disk whose key is there. Rejects where it can't be had: nothing may be made in its place, as it opens what nothing else does. */
export async function readKept(keychain: SystemKeychain, name: string): Promise<DiskKey> {
  const text = await keychain.read(name);
  const key = text === null ? null : await keyOf(text);
  if (key === null)
    throw new Error(
      'The key of this device’s storage is in your keychain, which doesn’t open. Unlock it, then start Posthaste again.',
    );
  return key;
}

/** A new key, or the one that a start before made and could not write down. Null: no keychain opens. */
export async function makeKept(keychain: SystemKeychain, name: string): Promise<DiskKey | null> {
  const before = await keychain.read(name);
  const held = before === null ? null : await keyOf(before);
  if (held !== null) return held;
  const text = toText(crypto.getRandomValues(new Uint8Array(2 * KEY_BYTES)));
  // A keychain that takes a text and gives another one is none.
  const isKept = (await keychain.write(name, text)) && (await keychain.read(name)) === text;
  return isKept ? await keyOf(text) : null;
}
