// The keys that disks of this browser are encrypted with: one for each, made here, which the browser uses and no script can read. Each in
// a database of its own, which goes with the disk. A shell with a keychain of the system has these functions over it.
import { deleteDB } from 'idb';
import { type SideDatabase, withDatabase } from '../storage/side-database.ts';

const CIPHER = 'AES-GCM';
const NONCE_BYTES = 12;
const SMALL_BYTES = 32;

/** What a disk is encrypted with. */
export interface DiskKey {
  /** For everything that can wait for its turn. */
  readonly cipher: CryptoKey;
  /** 32 bytes for what has to be encrypted at once: short texts of the small storage. */
  readonly small: Uint8Array;
}

interface Stored {
  readonly cipher: CryptoKey;
  readonly nonce: Uint8Array<ArrayBuffer>;
  /** The small key, encrypted. */
  readonly wrapped: ArrayBuffer;
}

const KEY = 'key';

/** Told from the databases of profiles by its name. */
const databaseOf = (disk: string): SideDatabase<{ kept: { key: string; value: Stored } }> => ({
  name: `key-of-${disk}`,
  create: (db) => void db.createObjectStore('kept'),
});

async function opened({ cipher, nonce, wrapped }: Stored): Promise<DiskKey> {
  const small = await crypto.subtle.decrypt({ name: CIPHER, iv: nonce }, cipher, wrapped);
  return { cipher, small: new Uint8Array(small) };
}

/** The key of a disk, by the name of its database; null: there is none. Rejects where the browser doesn't answer. */
export async function readKey(name: string): Promise<DiskKey | null> {
  const stored = await withDatabase(databaseOf(name), (db) => db.get('kept', KEY));
  return stored === undefined ? null : opened(stored);
}

/** The key of a disk, made if there is none. It is on the disk when this resolves. */
export async function makeKey(name: string): Promise<DiskKey> {
  const cipher = await crypto.subtle.generateKey({ name: CIPHER, length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const small = crypto.getRandomValues(new Uint8Array(SMALL_BYTES));
  const made: Stored = {
    cipher,
    nonce,
    wrapped: await crypto.subtle.encrypt({ name: CIPHER, iv: nonce }, cipher, small),
  };
  const kept = await withDatabase(databaseOf(name), async (db) => {
    const tx = db.transaction('kept', 'readwrite', { durability: 'strict' });
    // Another tab may have been faster.
    const held = await tx.store.get(KEY);
    await Promise.all([...(held === undefined ? [tx.store.add(made, KEY)] : []), tx.done]);
    return held ?? made;
  });
  return opened(kept);
}

/** What was encrypted with it can't be read any more. */
export function forgetKey(name: string): Promise<void> {
  return deleteDB(databaseOf(name).name);
}
