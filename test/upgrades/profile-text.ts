// A browser's profile as JSON and back: its IndexedDB with the layout it had, and its localStorage. `putDatabase` needs
// nothing around it, so that it can also be sent into a real browser's page.

export interface StoreText {
  readonly name: string;
  readonly keyPath: string | null;
  readonly autoIncrement: boolean;
  readonly entries: readonly (readonly [key: unknown, value: unknown])[];
}

export interface DatabaseText {
  readonly name: string;
  readonly version: number;
  readonly stores: readonly StoreText[];
}

/** Arrays of numbers are not JSON: `{"$Float64Array": "…"}` with the bytes in base64. */
function toJson(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { [`$${value.constructor.name}`]: bytes.toString('base64') };
  }
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toJson(part)]));
}

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The database refuses.')));
  });

/** Reads a whole database of this process, whatever is in it. Nobody else may have it open for upgrading. */
export async function readDatabase(name: string): Promise<DatabaseText> {
  const db = await done(indexedDB.open(name));
  const transaction = db.transaction([...db.objectStoreNames]);
  const stores = await Promise.all(
    [...db.objectStoreNames].map(async (storeName) => {
      const store = transaction.objectStore(storeName);
      const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
      const entries = keys.map((key, index) => [key, toJson(values[index])] as const);
      return {
        name: storeName,
        keyPath: store.keyPath as string | null,
        autoIncrement: store.autoIncrement,
        entries,
      };
    }),
  );
  const { version } = db;
  db.close();
  return { name, version, stores };
}

/** Makes the database as it was. */
export async function putDatabase({ name, version, stores }: DatabaseText): Promise<void> {
  const fromJson = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fromJson);
    if (typeof value !== 'object' || value === null) return value;
    const [first] = Object.entries(value);
    if (first !== undefined && /^\$\w+Array$/.test(first[0])) {
      const [key, part] = first;
      const bytes = Uint8Array.from(atob(String(part)), (character) => character.charCodeAt(0));
      if (key === '$Float64Array') return new Float64Array(bytes.buffer);
      if (key === '$Uint16Array') return new Uint16Array(bytes.buffer);
      if (key === '$Uint32Array') return new Uint32Array(bytes.buffer);
      if (key === '$Uint8Array') return bytes;
      throw new Error(`${key} is not known here.`);
    }
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, fromJson(inner)]));
  };
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.addEventListener('upgradeneeded', () => {
      for (const { name: storeName, keyPath, autoIncrement, entries } of stores) {
        const store = request.result.createObjectStore(storeName, { keyPath, autoIncrement });
        for (const [key, value] of entries) {
          if (keyPath === null) store.put(fromJson(value), key as IDBValidKey);
          else store.put(fromJson(value));
        }
      }
    });
    request.addEventListener('success', () => {
      request.result.close();
      resolve();
    });
    request.addEventListener('error', () => reject(request.error ?? new Error('The database refuses.')));
  });
}

/** A browser's localStorage in a map. */
export class SmallStorageMap {
  readonly values = new Map<string, string>();
  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }
  removeItem(key: string): void {
    this.values.delete(key);
  }
}
