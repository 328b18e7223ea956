// Encrypts and decrypts what a disk keeps (the DiskSeal of device-database.ts). Loaded only for a disk that is encrypted, or was. Keys of
// records stay readable, as the stores need them. Not here: keys (disk-keys.ts), and when a disk is encrypted (indexeddb.ts).
import { isRecord, readJson } from '#core/json.ts';
import type { Id } from '#core/ids.ts';
import { databaseName } from '../account/profile.ts';
import type { DeviceTransaction, DeviceDb, DiskSeal, Put } from '../storage/device-database.ts';
import type { RowPage } from '../storage/row-page.ts';
import { type DiskKey, makeKey, readKey } from './disk-keys.ts';
import { pageBytes, readPageBytes } from './page-bytes.ts';
import { isSealed, openBytes, sealBytes } from './record.ts';
import { settleRecords } from './settling.ts';
import { layTexts, settleTexts } from './small-texts.ts';
import { beginDisk, endDisk } from './open-disks.ts';

type Store = Put[0];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What the store has to see of a record. */
function seenOf(store: Store, value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return {};
  switch (store) {
    case 'outbox':
      return { q: value['q'] };
    case 'recovered':
      return { operation: { q: isRecord(value['operation']) ? value['operation']['q'] : undefined } };
    case 'journal':
      return { device: value['device'], q: value['q'] };
    case 'delta':
      return { id: value['id'] };
    case 'pages':
    case 'runs':
      // So that it can be said how many are lost where one doesn't open.
      return { count: value['count'] };
    case 'meta':
      return {};
  }
}

const isPaged = (store: Store) => store === 'pages' || store === 'runs';

/** Where a record belongs. Runs get their number when they are stored. */
function placeOf(name: string, store: Store, key: IDBValidKey | undefined, value: unknown): string {
  const seen = store === 'pages' ? key : store === 'runs' ? '' : seenOf(store, value);
  return `${name}/${store}/${JSON.stringify(seen)}`;
}

function bytesOf(store: Store, value: unknown): Uint8Array<ArrayBuffer> {
  return isPaged(store) ? pageBytes(value as RowPage) : encoder.encode(JSON.stringify(value));
}

function read(store: Store, content: Uint8Array<ArrayBuffer>): unknown {
  try {
    return isPaged(store) ? readPageBytes(content) : readJson(decoder.decode(content));
  } catch {
    // Written by another app than this one: it is told as damage.
    return null;
  }
}

/** Whose disk it is. */
const profileOf = (name: string) => name.slice(databaseName('' as Id).length) as Id;

/** Opens what encrypts the disk of this name. Its key is made anew where it is gone: what it encrypted is then told as damage. */
export async function openSeal(name: string, isOn: boolean): Promise<DiskSeal> {
  const key = (await readKey(name)) ?? (await makeKey(name));
  return sealWith(name, key, isOn);
}

function sealWith(name: string, key: DiskKey, isOn: boolean): DiskSeal {
  const disk = { name, key: key.small, isOn };
  beginDisk(disk);
  layTexts();

  async function close([store, value, at]: Put): Promise<Put> {
    if (!isOn || store === 'meta' || isSealed(value)) return [store, value, at];
    const sealed = await sealBytes(key.cipher, placeOf(name, store, at, value), bytesOf(store, value));
    return [store, { ...seenOf(store, value), sealed }, at];
  }

  async function open(store: Store, at: IDBValidKey, value: unknown): Promise<unknown> {
    if (!isSealed(value)) return value;
    const content = await openBytes(key.cipher, placeOf(name, store, at, value), value.sealed);
    return content === null ? value : (read(store, content) ?? value);
  }

  return {
    isOn,
    close: (puts) => Promise.all(puts.map(close)),
    open,
    async settle(
      db: DeviceDb,
      transact: (work: (tx: DeviceTransaction) => Promise<unknown>) => Promise<void>,
    ) {
      settleTexts(disk);
      await settleRecords({
        db,
        isOn,
        transact,
        beside: async () => {
          await (await import('./settling-contents.ts')).settleContents(name, isOn);
          await (await import('../storage/safety-copies.ts')).settleSafetyCopies(profileOf(name));
          await (await import('./kept-calendars.ts')).forgetCalendars();
          await (await import('../calendars/file-store.ts')).settleFiles(name, isOn);
        },
        formed: async (store, at, value) =>
          isOn ? (await close([store, value, at]))[1] : open(store, at, value),
      });
    },
    end: () => endDisk(disk),
  };
}
