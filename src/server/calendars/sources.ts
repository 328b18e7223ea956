// The calendars of accounts as the database has them: where they are read, when next, and their events. An event is kept by a digest of what it
// says, so that a file that says the same writes nothing. Not here: asking for files (polling.ts).
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { CalendarEvent, ReadCalendar } from '#core/calendar/events.ts';
import { beginningOf, endingOf } from '#core/calendar/read-calendar.ts';
import type { Id } from '#core/ids.ts';
import { personColors } from '#core/people.ts';
import { DAY_MS } from '#core/time.ts';
import {
  calendarSourceLimits,
  type CalendarChange,
  type CalendarsBody,
  type CalendarSource,
  type CalendarWindowBody,
} from '#wire/calendars.ts';
import type { CalendarSourceTable } from '../data/tables/calendar-tables.ts';
import type { Tables } from '../data/tables.ts';
import { problemWords } from './problems.ts';

/** Rows of one statement, far below what an engine takes. */
const STEP = 100;

/** So many removed calendars of an account wait to be brought back. */
const MOST_TRASHED = 5;

/** A calendar to be asked. */
export type StoredSource = CalendarSourceTable;

/** What a calendar has, in the resources of a CalDAV server. */
export interface ReadPart {
  /** Names the resource within its calendar. */
  readonly part: string;
  readonly events: readonly CalendarEvent[];
}

/** What asking found: everything that there is, or the parts that are others than before; one without events is gone. */
export type Found =
  | ReadCalendar
  | { readonly all: readonly ReadPart[] }
  | { readonly some: readonly ReadPart[] };

/** What of a file is not shown, as it is stored. */
export const shortfallOf = ({ unread, isCut }: Pick<ReadCalendar, 'unread' | 'isCut'>) => ({
  unread,
  is_cut: isCut ? 1 : 0,
});

/** What is said of a calendar that is added. `colors`: those that others of its account have. */
export interface AddedSource extends Pick<
  StoredSource,
  'id' | 'account' | 'kind' | 'address' | 'host' | 'name'
> {
  readonly colors: readonly string[];
}

/** A calendar that was read just now. */
export function newSource({ colors, name, ...said }: AddedSource, now: number): StoredSource {
  return {
    ...said,
    name: name.slice(0, calendarSourceLimits.nameCharacters),
    color: personColors.find((color) => !colors.includes(color)) ?? personColors[0],
    hidden: 0,
    etag: null,
    last_modified: null,
    problem: null,
    failures: 0,
    last_ok: now,
    expanded_at: now,
    next_poll: now + calendarSourceLimits.pollMs,
    revision: 1,
    created_at: now,
    trashed_at: null,
    unread: 0,
    is_cut: 0,
    sync_token: null,
  };
}

interface StoredEvent {
  readonly part: string;
  readonly digest: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function storedEvents(parts: readonly ReadPart[]): readonly StoredEvent[] {
  return parts.flatMap(({ part, events }) =>
    events.map((event) => {
      const text = JSON.stringify(event);
      const digest = createHash('sha256').update(part).update(text).digest('base64url');
      return { part, digest, start: beginningOf(event, 'UTC'), end: endingOf(event, 'UTC'), text };
    }),
  );
}

const partsOf = (found: Found): readonly ReadPart[] => {
  if ('events' in found) return [{ part: '', events: found.events }];
  return 'all' in found ? found.all : found.some;
};

function* steps<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += STEP) yield items.slice(at, at + STEP);
}

const viewOf = (row: StoredSource): CalendarSource => ({
  id: row.id,
  name: row.name,
  host: row.host,
  color: row.color,
  isHidden: row.hidden === 1,
  problem: row.problem === null ? null : problemWords(row.problem),
  readAt: row.last_ok,
  nextAt: row.next_poll,
  ...(row.kind === 'caldav' ? { hasPassword: true } : {}),
  ...(row.unread > 0 ? { unread: row.unread } : {}),
  ...(row.is_cut === 1 ? { isCut: true } : {}),
});

/** What of a source is written after it was asked. */
export type Outcome = Partial<
  Pick<
    StoredSource,
    | 'etag'
    | 'last_modified'
    | 'problem'
    | 'failures'
    | 'last_ok'
    | 'expanded_at'
    | 'next_poll'
    | 'sync_token'
    | 'unread'
    | 'is_cut'
  >
>;

/** Calendars and their events in the database. */
export class CalendarSources {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async count(account: number): Promise<number> {
    return (await this.#rows(account)).length;
  }

  /** As they are stored, in the order in which they were added. */
  async stored(account: number): Promise<readonly StoredSource[]> {
    return await this.#rows(account);
  }

  /** In the order in which they were added. */
  async list(account: number): Promise<readonly CalendarSource[]> {
    return (await this.#rows(account)).map(viewOf);
  }

  /** The email address of an account; null: it is gone. */
  async emailOf(account: number): Promise<string | null> {
    const found = await this.#db
      .selectFrom('account')
      .select('email')
      .where('id', '=', account)
      .executeTakeFirst();
    return found?.email ?? null;
  }

  async colors(account: number): Promise<readonly string[]> {
    return (await this.#rows(account)).map(({ color }) => color);
  }

  async find(id: Id): Promise<StoredSource | undefined> {
    return await this.#db.selectFrom('calendar_source').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** Writes a new calendar with its events. False: the account has as many as it may, and nothing was written. */
  async insert(source: StoredSource, found: Found): Promise<boolean> {
    const { account } = source;
    return await this.#db.transaction().execute(async (tx) => {
      await holdCalendars(tx, account);
      const present = await tx
        .selectFrom('calendar_source')
        .select('id')
        .where('account', '=', account)
        .where('trashed_at', 'is', null)
        .execute();
      if (present.length >= calendarSourceLimits.sources) return false;
      await tx.insertInto('calendar_source').values(source).execute();
      await insertEvents(tx, source, storedEvents(partsOf(found)));
      return true;
    });
  }

  /** With `address`, it is read there from now on. False: the account has no such calendar. */
  async change(
    account: number,
    id: Id,
    { name, color, isHidden }: Omit<CalendarChange, 'password'>,
    address?: Uint8Array,
  ): Promise<boolean> {
    const set = {
      ...(address === undefined ? {} : { address }),
      ...(name === undefined ? {} : { name }),
      ...(color === undefined ? {} : { color }),
      ...(isHidden === undefined ? {} : { hidden: isHidden ? 1 : 0 }),
    };
    if (Object.keys(set).length === 0) return (await this.find(id))?.account === account;
    const changed = await this.#db
      .updateTable('calendar_source')
      .set(set)
      .where('id', '=', id)
      .where('account', '=', account)
      .where('trashed_at', 'is', null)
      .executeTakeFirst();
    return changed.numUpdatedRows > 0n;
  }

  /** It is asked and shown no more, and waits to be brought back. Those that were removed before the last few are deleted. */
  async remove(account: number, id: Id, now: number): Promise<void> {
    await this.#db
      .updateTable('calendar_source')
      .set({ trashed_at: now })
      .where('id', '=', id)
      .where('account', '=', account)
      .where('trashed_at', 'is', null)
      .execute();
    await this.#delete((await this.#trashed(account)).slice(MOST_TRASHED).map((row) => row.id));
  }

  /** Those that can be brought back, the last removed first. */
  async removed(account: number): Promise<NonNullable<CalendarsBody['removed']>> {
    return (await this.#trashed(account)).map(({ id, name, trashed_at: at }) => ({ id, name, at: at ?? 0 }));
  }

  /** Brings a removed calendar back, to be asked at once. `full`: the account has as many as it may. `gone`: it is deleted. */
  async restore(account: number, id: Id, now: number): Promise<'restored' | 'full' | 'gone'> {
    return await this.#db.transaction().execute(async (tx) => {
      await holdCalendars(tx, account);
      const rows = await tx
        .selectFrom('calendar_source')
        .select(['id', 'trashed_at'])
        .where('account', '=', account)
        .execute();
      const found = rows.find((row) => row.id === id);
      if (found === undefined) return 'gone';
      if (found.trashed_at === null) return 'restored';
      const present = rows.filter(({ trashed_at: at }) => at === null);
      if (present.length >= calendarSourceLimits.sources) return 'full';
      await tx
        .updateTable('calendar_source')
        .set({ trashed_at: null, next_poll: now })
        .where('id', '=', id)
        .execute();
      return 'restored';
    });
  }

  /** Deletes for good what was removed long enough ago. */
  async purge(now: number): Promise<void> {
    const rows = await this.#db
      .selectFrom('calendar_source')
      .select('id')
      .where('trashed_at', '<=', now - calendarSourceLimits.trashDays * DAY_MS)
      .limit(STEP)
      .execute();
    await this.#delete(rows.map(({ id }) => id));
  }

  /** Those that are to be asked now, the longest waiting first. */
  async due(now: number, most: number): Promise<readonly StoredSource[]> {
    return await this.#db
      .selectFrom('calendar_source')
      .selectAll()
      .where('next_poll', '<=', now)
      .where('trashed_at', 'is', null)
      .orderBy('next_poll')
      .limit(most)
      .execute();
  }

  /** Only one of several processes gets it; it has until `until`, and then it is anybody's again. */
  async claim({ id, next_poll: known }: StoredSource, until: number): Promise<boolean> {
    const claimed = await this.#db
      .updateTable('calendar_source')
      .set({ next_poll: until })
      .where('id', '=', id)
      .where('next_poll', '=', known)
      .executeTakeFirst();
    return claimed.numUpdatedRows > 0n;
  }

  /** What became of asking. With `found`, its events become those; true: some changed. A calendar that was removed meanwhile stays removed. */
  async finish({ id }: StoredSource, outcome: Outcome, found: Found | null): Promise<boolean> {
    return await this.#db.transaction().execute(async (tx) => {
      const updated = await tx
        .updateTable('calendar_source')
        .set(outcome)
        .where('id', '=', id)
        .executeTakeFirst();
      if (found === null || updated.numUpdatedRows === 0n) return false;
      const hasChanged = await replaceEvents(tx, id, found);
      if (hasChanged)
        await tx
          .updateTable('calendar_source')
          .set((row) => ({ revision: row('revision', '+', 1) }))
          .where('id', '=', id)
          .execute();
      return hasChanged;
    });
  }

  /** Changes whenever the answer of `window` may. */
  async windowMark(account: number): Promise<string> {
    const shown = (await this.#rows(account)).filter(({ hidden }) => hidden === 0);
    return shown.map(({ id, revision }) => `${id}.${revision}`).join(' ');
  }

  /** Events of the shown calendars that touch the window, wall milliseconds; a day further, for zones. */
  async window(account: number, from: number, to: number): Promise<CalendarWindowBody['calendars']> {
    const shown = (await this.#rows(account)).filter(({ hidden }) => hidden === 0);
    const rows = await this.#db
      .selectFrom('calendar_event')
      .select(['source', 'event'])
      .where('account', '=', account)
      .where('start_at', '<', to + DAY_MS)
      .where('end_at', '>=', from - DAY_MS)
      .orderBy('start_at')
      .orderBy('digest')
      .execute();
    const bySource = Map.groupBy(rows, ({ source }) => source);
    return shown.map(({ id }) => ({
      id,
      events: (bySource.get(id) ?? []).map(({ event }) => JSON.parse(event) as CalendarEvent),
    }));
  }

  async #trashed(account: number): Promise<readonly StoredSource[]> {
    return await this.#db
      .selectFrom('calendar_source')
      .selectAll()
      .where('account', '=', account)
      .where('trashed_at', 'is not', null)
      .orderBy('trashed_at', 'desc')
      .orderBy('id')
      .execute();
  }

  async #delete(ids: readonly Id[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#db.transaction().execute(async (tx) => {
      // One that was brought back meanwhile stays.
      const gone = await tx
        .deleteFrom('calendar_source')
        .where('id', 'in', ids)
        .where('trashed_at', 'is not', null)
        .returning('id')
        .execute();
      for (const { id } of gone) await tx.deleteFrom('calendar_event').where('source', '=', id).execute();
    });
  }

  async #rows(account: number): Promise<readonly StoredSource[]> {
    return await this.#db
      .selectFrom('calendar_source')
      .selectAll()
      .where('account', '=', account)
      .where('trashed_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  }
}

/** Holds the account's calendars, so that another that is added meanwhile waits and then counts this one. */
async function holdCalendars(tx: Kysely<Tables>, account: number): Promise<void> {
  await tx
    .updateTable('calendar_source')
    .set((row) => ({ revision: row.ref('revision') }))
    .where('account', '=', account)
    .execute();
}

async function insertEvents(
  db: Kysely<Tables>,
  { id, account }: Pick<StoredSource, 'id' | 'account'>,
  events: readonly StoredEvent[],
): Promise<void> {
  const once = [...new Map(events.map((event) => [event.digest, event])).values()];
  for (const some of steps(once))
    await db
      .insertInto('calendar_event')
      .values(
        some.map(({ part, digest, start, end, text }) => ({
          source: id,
          digest,
          account,
          start_at: start,
          end_at: end,
          event: text,
          part,
        })),
      )
      .execute();
}

/** Deletes what is gone and writes what is new. True: there was either. */
async function replaceEvents(db: Kysely<Tables>, id: Id, found: Found): Promise<boolean> {
  const source = await db
    .selectFrom('calendar_source')
    .select(['id', 'account'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const parts = partsOf(found);
  const changed = 'some' in found ? new Set(parts.map(({ part }) => part)) : null;
  const rows = await db
    .selectFrom('calendar_event')
    .select(['digest', 'part'])
    .where('source', '=', id)
    .execute();
  const known = new Set(
    rows.flatMap(({ digest, part }) => (changed === null || changed.has(part) ? [digest] : [])),
  );
  const events = storedEvents(parts);
  const present = new Set(events.map(({ digest }) => digest));
  const gone = [...known].filter((digest) => !present.has(digest));
  const added = events.filter(({ digest }) => !known.has(digest));
  for (const some of steps(gone))
    await db.deleteFrom('calendar_event').where('source', '=', id).where('digest', 'in', some).execute();
  await insertEvents(db, source, added);
  return gone.length + added.length > 0;
}
