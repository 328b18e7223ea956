// What was made while cloud sync was off and removed when it was turned on again: kept on this device, apart from the copy
// it came from, for 30 days. Not here: what is in it, and making it again (client/sync-status/detaching.ts).
import type { Id } from '#core/ids.ts';
import { SAFETY_DAYS, type SafetyCopies, type SafetyCopy } from '#client/app/device.ts';
import type { ClosedAside } from '../disk-seal/aside.ts';
import { encryptedDisk } from '../disk-seal/open-disks.ts';
import { type SideDatabase, withDatabase } from './side-database.ts';

const KEPT_MS = SAFETY_DAYS * 24 * 60 * 60 * 1_000;

interface Kept extends Pick<SafetyCopy, 'id' | 'until'> {
  readonly profile: Id;
  /** All of it, encrypted; absent: it is here in the open. */
  readonly closed?: ClosedAside;
}

/** Only copies of encrypted accounts need it. */
const loadAside = () => import('../disk-seal/aside.ts');

const placeOf = (profile: Id, id: string) => `safety/${profile}/${id}`;

/** Null where its key is gone. It stays until its time is over. */
async function opened(kept: Kept): Promise<SafetyCopy | null> {
  const { closed, profile, id } = kept;
  if (closed === undefined) {
    const { profile: _profile, ...copy } = kept;
    return copy as SafetyCopy;
  }
  const { openAside } = await loadAside();
  return ((await openAside(closed, placeOf(profile, id))) ?? null) as SafetyCopy | null;
}

const database: SideDatabase<{ copies: { key: [Id, string]; value: Kept } }> = {
  name: 'posthaste-safety',
  create: (db) => void db.createObjectStore('copies', { keyPath: ['profile', 'id'] }),
};

/** All of one profile's. */
const of = (profile: Id) => IDBKeyRange.bound([profile], [profile, []]);

export function safetyCopiesOf(profile: Id): SafetyCopies {
  return {
    async keep(copy) {
      const { id, until } = copy;
      const disk = encryptedDisk();
      const closed =
        disk === null ? null : await (await loadAside()).closeAside(disk.name, placeOf(profile, id), copy);
      await withDatabase(database, async (db) => {
        const tx = db.transaction('copies', 'readwrite', { durability: 'strict' });
        const kept: Kept = closed === null ? { ...copy, profile } : { id, until, profile, closed };
        await Promise.all([tx.store.put(kept), tx.done]);
      });
    },
    async list() {
      const kept = await withDatabase(database, (db) => db.getAll('copies', of(profile)));
      const copies = (await Promise.all(kept.map(opened))).filter((copy) => copy !== null);
      return copies.toSorted((a, b) => b.until - a.until);
    },
    drop: (id) => withDatabase(database, (db) => db.delete('copies', [profile, id])),
  };
}

/** Brings those that are there into the form of new ones, one after the other. */
export async function settleSafetyCopies(profile: Id): Promise<void> {
  const copies = safetyCopiesOf(profile);
  for (const copy of await copies.list()) await copies.keep(copy);
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
