// Calendars of files, as this device keeps them: in a database of their own, encrypted where the disk is. They are nowhere else, so this
// database is never emptied but by their person. Not here: reading files (file-reading.ts).
import { isRecord } from '#core/json.ts';
import type { ReadCalendar } from '#core/calendar/events.ts';
import type { Id } from '#core/ids.ts';
import type { ClosedAside } from '../disk-seal/aside.ts';
import { encryptedDisk } from '../disk-seal/open-disks.ts';
import { type SideDatabase, withDatabase } from '../storage/side-database.ts';

/** A calendar of a file. Times are wall milliseconds. */
export interface FileCalendar extends Pick<ReadCalendar, 'events' | 'unread' | 'isCut'> {
  readonly id: Id;
  readonly name: string;
  readonly fileName: string;
  readonly color: string;
  readonly isHidden: boolean;
  readonly text: string;
  readonly addedAt: number;
  /** When the file was given. */
  readonly readAt: number;
  /** When its events were reckoned: they are those around that day. */
  readonly expandedAt: number;
  /** When it was removed; null: it was not. */
  readonly trashedAt: number | null;
}

interface Kept {
  readonly account: number;
  readonly id: Id;
  /** In the open; absent: it is encrypted. */
  readonly value?: FileCalendar;
  readonly closed?: ClosedAside;
}

const database: SideDatabase<{ files: { key: [number, Id]; value: Kept } }> = {
  name: 'posthaste-calendar-files',
  create: (db) => void db.createObjectStore('files', { keyPath: ['account', 'id'] }),
};

const loadAside = () => import('../disk-seal/aside.ts');
const placeOf = (account: number, id: Id) => `calendar-file/${account}/${id}`;
const of = (account: number) => IDBKeyRange.bound([account], [account, []]);

/** Undefined where its key is gone. */
async function opened({ account, id, value, closed }: Kept): Promise<FileCalendar | undefined> {
  if (closed === undefined) return value;
  const found = await (await loadAside()).openAside(closed, placeOf(account, id));
  return isRecord(found) ? (found as unknown as FileCalendar) : undefined;
}

/** Writes it as records of this disk are written now. `account`: its number; 0: there is none. */
export async function keepFile(account: number, file: FileCalendar): Promise<void> {
  const { id } = file;
  const disk = encryptedDisk();
  const form =
    disk === null
      ? { value: file }
      : { closed: await (await loadAside()).closeAside(disk.name, placeOf(account, id), file) };
  await withDatabase(database, async (db) => {
    const tx = db.transaction('files', 'readwrite', { durability: 'strict' });
    await Promise.all([tx.store.put({ account, id, ...form }), tx.done]);
  });
}

/** Those of an account, in the order in which they were added. One that no key opens is left out, and stays. */
export async function filesOf(account: number): Promise<readonly FileCalendar[]> {
  const kept = await withDatabase(database, (db) => db.getAll('files', of(account)));
  const files: FileCalendar[] = [];
  for (const each of kept) {
    const file = await opened(each);
    if (file === undefined) continue;
    files.push(file);
    // The disk was encrypted since, or isn't any longer.
    if ((each.closed !== undefined) !== (encryptedDisk() !== null)) await keepFile(account, file);
  }
  return files.toSorted((a, b) => a.addedAt - b.addedAt);
}

/** Deletes it for good. */
export async function dropFile(account: number, id: Id): Promise<void> {
  await withDatabase(database, (db) => db.delete('files', [account, id]));
}

/** Brings those that a disk has encrypted into the form of its records, before its key goes. */
export async function settleFiles(disk: string, isOn: boolean): Promise<void> {
  if (isOn) return;
  const kept = await withDatabase(database, (db) => db.getAll('files'));
  for (const each of kept) {
    const file = each.closed?.disk === disk ? await opened(each) : undefined;
    if (file !== undefined) await keepFile(each.account, file);
  }
}

/** What was there without an account belongs to it from now on. */
export async function adoptFiles(account: number): Promise<void> {
  for (const file of await filesOf(0)) {
    await keepFile(account, file);
    await dropFile(0, file.id);
  }
}

/** They go with the account's copy. */
export async function forgetFiles(account: number): Promise<void> {
  await withDatabase(database, (db) => db.delete('files', of(account)));
}
