// Deletes unneeded data in small steps: tombstones that every device has seen, old history, ended sessions, and verdicts
// for devices that will not come back. Works beside a running server.
import { DAY_MS } from '#core/time.ts';
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { GroupTables } from '../data/history-groups/groups.ts';
import type { Tables } from '../data/tables.ts';
import { touchedBeside, cellsToHistory } from '../data/history-columns.ts';
import type { Pace } from './pace.ts';

/** How long a device may be away and still receive only the changes. */
export const OFFLINE_MS = 180 * DAY_MS;
/** The longest that anything is kept for an absent device, and the limit of the history. */
const LONGEST_MS = 400 * DAY_MS;
const SESSIONS_KEPT_MS = 30 * DAY_MS;
const STEP = 200;

export interface PruningPorts {
  readonly db: Kysely<Tables>;
  readonly pace: Pace;
  readonly now: number;
}

/** Gives undated rows the present time, so that each is kept its full time from now. */
export async function dateUndated({ db, pace, now }: PruningPorts): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined;) {
    await pace.rest();
    const devices = await db
      .selectFrom('device')
      .select('number')
      .where('last_seen', '=', 0)
      .where('number', '>', after)
      .orderBy('number')
      .limit(STEP)
      .execute();
    const numbers = devices.map(({ number }) => number);
    if (numbers.length > 0)
      await db.updateTable('device').set({ last_seen: now }).where('number', 'in', numbers).execute();
    after = numbers.at(-1);
  }
  for (;;) {
    await pace.rest();
    const [first] = await db.selectFrom('tombstone').select('scope').where('at', '=', 0).limit(1).execute();
    if (!first) return;
    const ids = await db
      .selectFrom('tombstone')
      .select('id')
      .where('scope', '=', first.scope)
      .where('at', '=', 0)
      .limit(STEP)
      .execute();
    await db
      .updateTable('tombstone')
      .set({ at: now })
      .where('scope', '=', first.scope)
      .where(
        'id',
        'in',
        ids.map(({ id }) => id),
      )
      .execute();
  }
}

/**
 * When the longest silent device of the scope's members was last heard, among those heard within `within` (400 days): every
 * device has seen what was written before that. Null: there is none.
 */
export async function seenByAllUntil(
  { db, now }: PruningPorts,
  scope: Id,
  within = LONGEST_MS,
): Promise<number | null> {
  const found = await db
    .selectFrom('device')
    .innerJoin('member', 'member.account', 'device.account')
    .select((select) => select.fn.min<number | null>('device.last_seen').as('seen'))
    .where('member.scope', '=', scope)
    .where('device.last_seen', '>=', now - within)
    .executeTakeFirst();
  return found?.seen ?? null;
}

/** What tells where a row went is kept as long as history: purging the row erases its history there too (Store). */
const isForgettable = (now: number) => (where: ExpressionBuilder<Tables, 'tombstone'>) =>
  where.or([where('moved_to', 'is', null), where('at', '<', now - LONGEST_MS)]);

async function forgetTombstonesOf(ports: PruningPorts, scope: Id): Promise<number> {
  const { db, pace, now } = ports;
  const seen = await seenByAllUntil(ports, scope);
  const before = Math.max(now - LONGEST_MS, Math.min(now - OFFLINE_MS, seen ?? now));
  // Versions grow with time, but a clock may have been set back: only versions below all kept ones may go.
  const oldestKept = await db
    .selectFrom('tombstone')
    .select((select) => select.fn.min<number | null>('version').as('version'))
    .where('scope', '=', scope)
    .where('at', '>=', before)
    .executeTakeFirst();
  let forgotten = 0;
  for (;;) {
    await pace.rest();
    const step = await db
      .selectFrom('tombstone')
      .select('version')
      .where('scope', '=', scope)
      .where('version', '<', oldestKept?.version ?? Number.MAX_SAFE_INTEGER)
      .where('at', '<', before)
      .where(isForgettable(now))
      .orderBy('version')
      .limit(STEP)
      .execute();
    const horizon = step.at(-1)?.version;
    if (horizon === undefined) return forgotten;
    forgotten += await db.transaction().execute(async (tx) => {
      // The scope first: writers lock it, and so never write back a horizon read before this.
      await tx
        .updateTable('scope')
        .set({ horizon })
        .where('id', '=', scope)
        .where('horizon', '<', horizon)
        .execute();
      const gone = await tx
        .deleteFrom('tombstone')
        .where('scope', '=', scope)
        .where('version', '<=', horizon)
        .where(isForgettable(now))
        .executeTakeFirst();
      return Number(gone.numDeletedRows);
    });
  }
}

/**
 * Deletes tombstones after 180 days if every device has been heard since, after 400 in any case, and raises the horizon of
 * the scope: a device that returns from before it reads the scope afresh and keeps its queue. Those of rows that moved to
 * another scope are deleted after 400 days.
 */
export async function forgetTombstones(ports: PruningPorts): Promise<number> {
  const { db, pace, now } = ports;
  let forgotten = 0;
  let after = '' as Id;
  for (;;) {
    await pace.rest();
    const scopes = await db
      .selectFrom('tombstone')
      .select('scope')
      .distinct()
      .where('at', '<', now - OFFLINE_MS)
      .where('scope', '>', after)
      .orderBy('scope')
      .limit(STEP)
      .execute();
    for (const { scope } of scopes) forgotten += await forgetTombstonesOf(ports, scope);
    const last = scopes.at(-1);
    if (last === undefined) return forgotten;
    after = last.scope;
  }
}

/** Of one database; older history may lie in others. */
export async function forgetHistory({
  db,
  pace,
  now,
}: Pick<PruningPorts, 'pace' | 'now'> & {
  readonly db: Kysely<GroupTables>;
}): Promise<number> {
  let forgotten = 0;
  for (;;) {
    await pace.rest();
    const old = await db
      .selectFrom('history')
      .selectAll()
      .where('at', '<', now - LONGEST_MS)
      .orderBy('at')
      .limit(STEP)
      .execute();
    if (old.length === 0) return forgotten;
    await db.transaction().execute(async (tx) => {
      for (const { scope, version, seq, ...rest } of old) {
        const { entity, account, device, at, operation, replaced } = rest;
        const entry = cellsToHistory([scope, version, seq, entity, account, device, at, operation, replaced]);
        const beside = touchedBeside(entry);
        if (beside.length > 0)
          await tx
            .deleteFrom('history_entity')
            .where('scope', '=', scope)
            .where('entity', 'in', beside)
            .where('version', '=', version)
            .where('seq', '=', seq)
            .execute();
        await tx
          .deleteFrom('history')
          .where('scope', '=', scope)
          .where('version', '=', version)
          .where('seq', '=', seq)
          .execute();
      }
    });
    forgotten += old.length;
  }
}

/** Sessions that ended a month ago, and those unused for longer than any session lives. */
export async function forgetSessions({ db, pace, now }: PruningPorts): Promise<number> {
  let forgotten = 0;
  for (;;) {
    await pace.rest();
    const over = await db
      .selectFrom('session')
      .select('id')
      .where((where) =>
        where.or([
          where('revoked_at', '<', now - SESSIONS_KEPT_MS),
          where('expires_at', '<', now - SESSIONS_KEPT_MS),
          where('last_used_at', '<', now - LONGEST_MS),
        ]),
      )
      .limit(STEP)
      .execute();
    if (over.length === 0) return forgotten;
    const ids = over.map(({ id }) => id);
    await db.deleteFrom('session').where('id', 'in', ids).execute();
    forgotten += ids.length;
  }
}

/** A device that returns later still keeps its queue: it takes a new identity and sends again. */
export async function forgetResults({ db, pace, now }: PruningPorts): Promise<number> {
  let forgotten = 0;
  for (;;) {
    await pace.rest();
    const results = await db
      .selectFrom('op_result')
      .innerJoin('device', 'device.id', 'op_result.device')
      .select(['op_result.device', 'op_result.seq'])
      .where('device.last_seen', '<', now - LONGEST_MS)
      .limit(STEP)
      .execute();
    if (results.length === 0) return forgotten;
    await db.transaction().execute(async (tx) => {
      for (const { device, seq } of results)
        await tx.deleteFrom('op_result').where('device', '=', device).where('seq', '=', seq).execute();
    });
    forgotten += results.length;
  }
}

/** Operations whose target no device has brought back in a month; their authors still have them among the refused ones. */
export async function forgetParked({ db, pace, now }: PruningPorts): Promise<number> {
  await pace.rest();
  const gone = await db.deleteFrom('parked').where('until', '<', now).executeTakeFirst();
  return Number(gone.numDeletedRows);
}

/** Deleted links are kept as long as the history that speaks of them. Their logos went when they were deleted. */
export async function forgetPublicLinks({ db, pace, now }: PruningPorts): Promise<number> {
  await pace.rest();
  const gone = await db
    .deleteFrom('public_link')
    .where('deleted_at', '<', now - LONGEST_MS)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}
