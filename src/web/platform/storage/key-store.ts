// The keys of an account on this device (the KeyStore port): the account key is encrypted by a key that the browser keeps and no script can
// read, so what lies on the disk opens nothing elsewhere. In a database of its own, which goes when the account leaves the device.
import { deleteDB } from 'idb';
import type { Id } from '#core/ids.ts';
import type { AccountKey } from '#core/sealing/keys.ts';
import type { KeptKeys, KeyStore } from '#sync/sealing/ports.ts';
import { type SideDatabase, withDatabase } from './side-database.ts';

const CIPHER = 'AES-GCM';
const KEY = 'keys';
const NONCE_BYTES = 12;

/** Bytes of an account key; the one that is to take its place follows it in what is encrypted. */
const KEY_BYTES = 32;

interface Stored extends Omit<KeptKeys, 'key' | 'next'> {
  readonly wrapping: CryptoKey;
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly wrapped: ArrayBuffer;
}

const databaseOf = (account: number): SideDatabase<{ kept: { key: string; value: Stored } }> => ({
  name: `posthaste-keys-${account}`,
  create: (db) => void db.createObjectStore('kept'),
});

/** Where the keys of an account are on this device. */
export const createKeyStore = (account: number): KeyStore => ({
  ...storeOf(account, KEY),
  erase: () => forgetKeys(account),
});

/** Where the keys of a list that stays encrypted are. They go with those of the account. */
export const createListKeyStore = (account: number, scope: Id): KeyStore => storeOf(account, `list ${scope}`);

function storeOf(account: number, name: string): KeyStore {
  const database = databaseOf(account);
  return {
    async read() {
      const stored = await withDatabase(database, (db) => db.get('kept', name));
      if (stored === undefined) return null;
      const { wrapping, nonce, wrapped, ...others } = stored;
      const keys = new Uint8Array(
        await crypto.subtle.decrypt({ name: CIPHER, iv: nonce }, wrapping, wrapped),
      );
      const [key, next] = [keys.slice(0, KEY_BYTES), keys.slice(KEY_BYTES)] as readonly Uint8Array[];
      return {
        ...others,
        key: key as AccountKey,
        ...(next?.length === KEY_BYTES && { next: next as AccountKey }),
      };
    },
    async write({ key, next, ...others }) {
      const wrapping = await crypto.subtle.generateKey({ name: CIPHER, length: 256 }, false, [
        'encrypt',
        'decrypt',
      ]);
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const keys = new Uint8Array([...key, ...(next ?? [])]);
      const wrapped = await crypto.subtle.encrypt({ name: CIPHER, iv: nonce }, wrapping, keys);
      await withDatabase(database, async (db) => {
        const tx = db.transaction('kept', 'readwrite', { durability: 'strict' });
        await Promise.all([tx.store.put({ ...others, wrapping, nonce, wrapped }, name), tx.done]);
      });
    },
    erase: () => withDatabase(database, (db) => db.delete('kept', name)),
  };
}

/** Removes the keys of an account from this device. */
export function forgetKeys(account: number): Promise<void> {
  return deleteDB(databaseOf(account).name);
}
