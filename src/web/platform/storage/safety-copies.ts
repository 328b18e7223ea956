// What was made while cloud sync was off and removed when it was turned on again: kept on this device, apart from the copy
// it came from, for 30 days. Not here: what is in it, and making it again (client/sync-status/detaching.ts).
import type { Id } from '#core/ids.ts';
import { SAFETY_DAYS, type SafetyCopies, type SafetyCopy } from '#client/app/device.ts';
import { type SideDatabase, withDatabase } from './side-database.ts';

const KEPT_MS = SAFETY_DAYS * 24 * 60 * 60 * 1_000;

interface Kept extends SafetyCopy {
  readonly profile: Id;
}

const database: SideDatabase<{ copies: { key: [Id, string]; value: Kept } }> = {
  name: 'posthaste-safety',
  create: (db) => void db.createObjectStore('copies', { keyPath: ['profile', 'id'] }),
};

/** All of one profile's. */
const of = (profile: Id) => IDBKeyRange.bound([profile], [profile, []]);

export function safetyCopiesOf(profile: Id): SafetyCopies {
  return {
    keep: (copy) =>
      withDatabase(database, async (db) => {
        const tx = db.transaction('copies', 'readwrite', { durability: 'strict' });
        await Promise.all([tx.store.put({ ...copy, profile }), tx.done]);
      }),
    list: () =>
      withDatabase(database, async (db) => {
        const kept = await db.getAll('copies', of(profile));
        return kept.toSorted((a, b) => b.until - a.until);
      }),
    drop: (id) => withDatabase(database, (db) => db.delete('copies', [profile, id])),
  };
}

/** They go with the profile. */
export async function forgetSafetyCopies(profile: Id): Promise<void> {
  await withDatabase(database, (db) => db.delete('copies', of(profile)));
}

/** Lets go what is older than 30 days. */
export async function expireSafetyCopies(now: number): Promise<void> {
  await withDatabase(database, async (db) => {
    const tx = db.transaction('copies', 'readwrite');
    for (let at = await tx.store.openCursor(); at; at = await at.continue()) {
      if (at.value.until < now - KEPT_MS) await at.delete();
    }
    await tx.done;
  });
}
