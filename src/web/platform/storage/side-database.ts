// A database beside the copy's own, for what is written seldom: opened for one piece of work and closed after it, so that it
// never stands in the way of another tab or a newer version. Not here: the copy itself (device-database.ts).
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** How it is opened. `create` makes its stores when it is not there yet. */
export interface SideDatabase<S> {
  readonly name: string;
  readonly create: (db: IDBPDatabase<S>) => void;
}

/** Opens it, does the work, and closes it again, whatever becomes of the work. */
export async function withDatabase<S extends DBSchema, T>(
  { name, create }: SideDatabase<S>,
  work: (db: IDBPDatabase<S>) => Promise<T>,
): Promise<T> {
  const db = await openDB<S>(name, 1, {
    upgrade: create,
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
  try {
    return await work(db);
  } finally {
    db.close();
  }
}
