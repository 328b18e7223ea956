// Disks that aren't as a device begins with: encrypted ones, ones that were, those of a newer app, those that lack stores, and those that don't answer. Loaded where
// one is met.
import { makeKey } from './disk-keys.ts';
import { openSeal } from './disk-seal.ts';
import {
  DATABASE_VERSION,
  type DeviceDb,
  type Opened,
  STORES,
  StorageTaken,
} from '../storage/device-database.ts';
import { complete } from '../storage/repair.ts';

/** From this version on the stores are others. */
const NEXT_LAYOUT = 1_000;

/** An open database with what its records need, and with all stores. `open` opens it again. */
export async function opened(db: DeviceDb, open: (version: number) => Promise<DeviceDb>): Promise<Opened> {
  const { version, name } = db;
  if (version >= NEXT_LAYOUT) {
    db.close();
    throw new StorageTaken('A newer version of Posthaste is using this device’s data. Reload.', true);
  }
  const isWhole = STORES.every((store) => db.objectStoreNames.contains(store));
  const whole = isWhole ? db : await complete(db, () => open(version));
  return [whole, version === DATABASE_VERSION ? null : await openSeal(name, version % 2 === 1)];
}

/** Why a disk that doesn't answer in time can't be had. */
export function lateError(isBlocked: boolean): Error {
  return new Error(
    isBlocked
      ? 'Another tab with an older version of Posthaste is using this device’s storage. Close it.'
      : 'Your browser can’t open this device’s storage.',
  );
}

/** To be called before a disk is encrypted: its key has to be there first. */
export async function prepare(name: string): Promise<void> {
  await makeKey(name);
}
