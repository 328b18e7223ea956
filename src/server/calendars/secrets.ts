// The addresses of calendars as they are sealed with the key of the server.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { SealedSecret } from '../accounts/sealed.ts';
import type { Tables } from '../data/tables.ts';

/** What the address of a calendar is sealed for. */
export const sealedFor = (id: Id): string => `calendar ${id}`;

/** Sealed addresses of calendars, the last added first. */
export async function sealedCalendars(
  db: Kysely<Tables>,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<readonly SealedSecret[]> {
  const rows = await db
    .selectFrom('calendar_source')
    .select(['id', 'address'])
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, address }) => ({ sealed: address, about: sealedFor(id) }));
}
