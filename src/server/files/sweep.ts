// Deletes unneeded files: content that no attachment has named for a week, and content that no scope holds.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Tables } from '../data/tables.ts';
import type { Pace } from '../care/pace.ts';
import type { Blobs } from './blobs.ts';
import { UNHELD_KEPT_MS } from './forgetting.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** An attachment may arrive long after its content: the device with it was offline in between. */
const UNNAMED_KEPT_MS = 7 * DAY;
/** A device may be away for long before it sends what it attached. */
const WANTED_KEPT_MS = 400 * DAY;

export interface SweepPorts {
  readonly db: Kysely<Tables>;
  readonly pace: Pace;
  readonly blobs: Blobs;
  readonly now: number;
}

async function named(db: Kysely<Tables>, scope: Id): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('entity')
    .select('fields')
    .where('scope', '=', scope)
    .where('type', '=', 'attachment')
    .execute();
  return new Set(rows.map(({ fields }) => String((JSON.parse(fields) as { hash?: string }).hash)));
}

/** Resolves with the number of contents removed. */
export async function sweepFiles({ db, pace, blobs, now }: SweepPorts): Promise<number> {
  const scopes = await db
    .selectFrom('blob')
    .select('scope')
    .where('created_at', '<', now - UNNAMED_KEPT_MS)
    .distinct()
    .execute();
  for (const { scope } of scopes) {
    await pace.rest();
    const needed = await named(db, scope);
    const held = await db
      .selectFrom('blob')
      .select('hash')
      .where('scope', '=', scope)
      .where('created_at', '<', now - UNNAMED_KEPT_MS)
      .execute();
    // The age is asked for again: what was named, or sent anew, since then is as young as that.
    for (const { hash } of held.filter((row) => !needed.has(row.hash)))
      await db
        .deleteFrom('blob')
        .where('scope', '=', scope)
        .where('hash', '=', hash)
        .where('created_at', '<', now - UNNAMED_KEPT_MS)
        .execute();
  }
  await db
    .deleteFrom('file_sender')
    .where('sent_at', '<', now - UNNAMED_KEPT_MS)
    .execute();
  await db
    .deleteFrom('file_wanted')
    .where('noted_at', '<', now - WANTED_KEPT_MS)
    .execute();
  let removed = 0;
  for await (const hash of blobs.older(now - UNHELD_KEPT_MS)) {
    await pace.rest();
    const holder = await db.selectFrom('blob').select('scope').where('hash', '=', hash).executeTakeFirst();
    if (holder) continue;
    await blobs.remove(hash);
    removed += 1;
  }
  return removed;
}
