// Counts of visits and downloads: sums by day and by referrer. No address, no time of day, nothing that links two visits to
// one person.
import { DAY_MS } from '#core/time.ts';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import type { Tables, VisitCountTable } from '../data/tables.ts';

export interface Visits {
  count(what: VisitCountTable['what'], ref: string | null): Promise<void>;
  /** Sums of the last days, the newest first. */
  since(days: number): Promise<readonly VisitCountTable[]>;
}

const NAME = /^[\w.-]{1,64}$/;
/** So many names per day: further ones, possibly invented, count as none. */
const MOST_NAMES = 500;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export function createVisits(db: Kysely<Tables>, clock: Clock): Visits {
  async function isRoomFor(day: string, ref: string): Promise<boolean> {
    if (ref === '') return true;
    const rows = await db.selectFrom('visit_count').select('ref').distinct().where('day', '=', day).execute();
    return rows.length < MOST_NAMES || rows.some((row) => row.ref === ref);
  }

  return {
    async count(what, name) {
      const day = dayOf(clock.now());
      const known = name !== null && NAME.test(name) ? name : '';
      const ref = (await isRoomFor(day, known)) ? known : '';
      await db
        .insertInto('visit_count')
        .values({ day, what, ref, count: 1 })
        .onConflict((conflict) =>
          conflict.columns(['day', 'what', 'ref']).doUpdateSet({ count: sql<number>`visit_count.count + 1` }),
        )
        .execute();
    },
    since: (days) =>
      db
        .selectFrom('visit_count')
        .selectAll()
        .where('day', '>', dayOf(clock.now() - days * DAY_MS))
        .orderBy('day', 'desc')
        .orderBy('what')
        .orderBy('ref')
        .execute(),
  };
}
