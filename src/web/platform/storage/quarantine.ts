// Stored records that could not be read as what they should be: put aside, apart from the copy they came from, so that a
// person can download them. They go after a week.
import { counted } from '#core/counted.ts';
import { isRecord } from '#core/json.ts';
import type { Notice } from '#client/app/device.ts';
import type { Operation } from '#sync/rows/operation.ts';
import type { ClosedAside } from '../disk-seal/aside.ts';
import { keyOf } from '../disk-seal/open-disks.ts';
import { type SideDatabase, withDatabase } from './side-database.ts';

const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

export interface Damaged {
  /** Database and store it came from. */
  readonly from: string;
  readonly key: unknown;
  readonly content: unknown;
}

interface Kept extends Damaged {
  readonly at: number;
}

const database: SideDatabase<{ kept: { key: number; value: Kept } }> = {
  name: 'posthaste-quarantine',
  create: (db) => void db.createObjectStore('kept', { autoIncrement: true }),
};

/** Only records of encrypted disks need it. */
const loadAside = () => import('../disk-seal/aside.ts');

/** Of disks that are encrypted, or were: with a key of its own, as that of a disk goes with it. */
async function closed(record: Damaged): Promise<Damaged> {
  const { from, content } = record;
  if (keyOf(from.split('/')[0] ?? '') === undefined) return record;
  const { closeAside } = await loadAside();
  return { ...record, content: await closeAside(database.name, from, content) };
}

async function opened(kept: Kept): Promise<Kept> {
  const { from, content } = kept;
  if (!isRecord(content) || content['disk'] !== database.name) return kept;
  const { openAside } = await loadAside();
  const open = await openAside(content as unknown as ClosedAside, from);
  return open === undefined ? kept : { ...kept, content: open };
}

/** Puts records aside. Resolves when they are on the disk. */
export async function putAside(damaged: readonly Damaged[], now: number): Promise<void> {
  const records = await Promise.all(damaged.map(closed));
  await withDatabase(database, async (db) => {
    const tx = db.transaction('kept', 'readwrite', { durability: 'strict' });
    await Promise.all([...records.map((record) => tx.store.add({ ...record, at: now })), tx.done]);
  });
}

/** Changes that no disk took before another tab signed out. What the person is to be told of them. */
export async function putChangesAside(
  database: string,
  operations: readonly Operation[],
): Promise<Omit<Notice, 'id'>> {
  await putAside(
    operations.map((content) => ({ from: `${database}/outbox`, key: content.q, content })),
    Date.now(),
  );
  const count = counted(operations.length, 'change');
  return {
    tone: 'danger',
    isDamage: true,
    text: `${count} in this tab couldn’t be saved before another tab signed out. We keep them for a week.`,
  };
}

/** Lets go what is older than a week. */
export async function expireQuarantine(now: number): Promise<void> {
  await withDatabase(database, async (db) => {
    const tx = db.transaction('kept', 'readwrite');
    for (let at = await tx.store.openCursor(); at; at = await at.continue()) {
      if (at.value.at < now - KEPT_MS) await at.delete();
    }
    await tx.done;
  });
}

/** Everything put aside, as readable JSON; null when there is nothing. */
export async function quarantineText(): Promise<string | null> {
  const kept = await withDatabase(database, (db) => db.getAll('kept'));
  if (kept.length === 0) return null;
  const plain = (_key: string, value: unknown) =>
    ArrayBuffer.isView(value) && !(value instanceof DataView) ? [...(value as Float64Array)] : value;
  const records = await Promise.all(kept.map(opened));
  return JSON.stringify({ format: 'posthaste-damaged', version: 1, records }, plain, 1);
}
