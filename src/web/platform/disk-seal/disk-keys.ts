// The keys that disks of this browser are encrypted with: one for each, made here, which the browser uses and no script can read. Each in
// a database of its own, which goes with the disk. In the desktop client they are in the keychain of the system, where one opens (keychain-keys.ts).
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

/** What stands in the place of a key that is in the keychain. */
const ELSEWHERE = 'keychain';
type Held = Stored | typeof ELSEWHERE;

const KEY = 'key';

/** Told from the databases of profiles by its name. */
const databaseOf = (disk: string): SideDatabase<{ kept: { key: string; value: Held } }> => ({
  name: `key-of-${disk}`,
  create: (db) => void db.createObjectStore('kept'),
});

async function opened({ cipher, nonce, wrapped }: Stored): Promise<DiskKey> {
  const small = await crypto.subtle.decrypt({ name: CIPHER, iv: nonce }, cipher, wrapped);
  return { cipher, small: new Uint8Array(small) };
}

/** The key of a disk, by the name of its database; null: there is none. Rejects where the browser or the keychain doesn't answer. */
export async function readKey(name: string): Promise<DiskKey | null> {
  const held = await withDatabase(databaseOf(name), (db) => db.get('kept', KEY));
  if (held === undefined) return null;
  return held === ELSEWHERE ? ofKeychain(name) : opened(held);
}

async function ofKeychain(name: string): Promise<DiskKey> {
  const { readKept, systemKeychain } = await import('./keychain-keys.ts');
  const keychain = systemKeychain();
  if (keychain === null)
    throw new Error('The key of this device’s storage is in a keychain that isn’t here.');
  return readKept(keychain, name);
}

/** The key of a disk, made if there is none. It is on the disk, or in the keychain, when this resolves. */
export async function makeKey(name: string): Promise<DiskKey> {
  if (!('desktop' in globalThis)) return makeHere(name);
  // The other window of the same account may be at it, too.
  return navigator.locks.request(`key of ${name}`, async () => {
    const held = await readKey(name);
    if (held !== null) return held;
    const { makeKept, systemKeychain } = await import('./keychain-keys.ts');
    const keychain = systemKeychain();
    const made = keychain === null ? null : await makeKept(keychain, name);
    if (made === null) return makeHere(name);
    await withDatabase(databaseOf(name), async (db) => {
      const tx = db.transaction('kept', 'readwrite', { durability: 'strict' });
      await Promise.all([tx.store.put(ELSEWHERE, KEY), tx.done]);
    });
    return made;
  });
}

/** As browsers can: by a key that they use and no script can read. */
async function makeHere(name: string): Promise<DiskKey> {
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
  return kept === ELSEWHERE ? ofKeychain(name) : opened(kept);
}

/** What was encrypted with it can't be read any more. */
export async function forgetKey(name: string): Promise<void> {
  if ('desktop' in globalThis) {
    const { systemKeychain } = await import('./keychain-keys.ts');
    await systemKeychain()?.write(name, null);
  }
  await deleteDB(databaseOf(name).name);
}
