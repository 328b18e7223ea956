// Keeps the limiter's memory across a restart: written at shutdown, read and removed at start.
import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { Clock } from '#sync/ports.ts';
import type { Tables } from '../data/tables.ts';
import type { Limiter, SavedThrottle } from './rates.ts';

const SEPARATOR = ' ';
const AT_ONCE = 200;
const timesSchema = z.array(z.int());

export async function saveThrottles(db: Kysely<Tables>, limiter: Limiter, clock: Clock): Promise<void> {
  const rows = limiter.save().map(({ door, key, times }) => ({
    key: door + SEPARATOR + key,
    state: JSON.stringify(times),
    updated_at: clock.now(),
  }));
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    await db
      .insertInto('throttle')
      .values(rows.slice(at, at + AT_ONCE))
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((set) => ({
          state: set.ref('excluded.state'),
          updated_at: set.ref('excluded.updated_at'),
        })),
      )
      .execute();
  }
}

/** What cannot be read is left out: limits then begin anew for that key. */
export async function restoreThrottles(db: Kysely<Tables>, limiter: Limiter): Promise<void> {
  const rows = await db.selectFrom('throttle').selectAll().execute();
  const saved = rows.flatMap(({ key, state }): SavedThrottle[] => {
    const at = key.indexOf(SEPARATOR);
    const times = timesSchema.safeParse(parse(state));
    return at > 0 && times.success
      ? [{ door: key.slice(0, at), key: key.slice(at + 1), times: times.data }]
      : [];
  });
  limiter.restore(saved);
  await db.deleteFrom('throttle').execute();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Damaged: as good as absent.
    return null;
  }
}
