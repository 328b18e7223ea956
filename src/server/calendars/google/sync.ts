// Reads a calendar of Google's: everything in the window at first and when Google can't tell what is new, else what is new. What is new is put into
// what is known; what is canceled goes.
import type { Kysely } from 'kysely';
import {
  type CalendarEvent,
  calendarLimits,
  coversWindow,
  type ReadCalendar,
  windowAround,
} from '#core/calendar/events.ts';
import { beginningOf, endingOf } from '#core/calendar/read-calendar.ts';
import { failed, ok } from '#core/result.ts';
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import { calendarSourceLimits } from '#wire/calendars.ts';
import type { Tables } from '../../data/tables.ts';
import type { SourceProblem } from '../problems.ts';
import { type CalendarSources, shortfallOf, type StoredSource } from '../sources.ts';
import { type GoogleAnswer, type GoogleClient, type GoogleEvent, type GoogleFailure } from './client.ts';
import { eventOf, isOf } from './events.ts';
import type { GoogleGrants } from './grants.ts';

/** What reading needs. */
export interface GoogleSyncPorts {
  readonly db: Kysely<Tables>;
  readonly sources: CalendarSources;
  readonly grants: GoogleGrants;
  readonly client: GoogleClient;
  /** Google's name of a calendar; null: no key opens it. */
  readonly calendarOf: (source: StoredSource) => string | null;
  /** Wall milliseconds. */
  readonly now: () => number;
}

/** What was read: a whole calendar, and from where to go on. */
export interface GoogleRead {
  readonly calendar: ReadCalendar;
  readonly token: string;
}

const PAGES = 50;
const PER_PAGE = '2500';
const LONGEST_WAIT_MS = DAY_MS / 2;

const PROBLEMS: Readonly<Record<GoogleFailure['problem'], SourceProblem>> = {
  again: 'connect_again',
  token: 'connect_again',
  expired: 'busy',
  busy: 'busy',
  gone: 'gone',
  refused: 'refused',
  unreachable: 'unreachable',
};

interface Pages {
  readonly events: readonly GoogleEvent[];
  readonly unread: number;
  readonly token: string;
}

const byStart = (a: CalendarEvent, b: CalendarEvent) => beginningOf(a, 'UTC') - beginningOf(b, 'UTC');

/** Reads calendars of Google's. */
export class GoogleSync {
  readonly #ports: GoogleSyncPorts;

  constructor(ports: GoogleSyncPorts) {
    this.#ports = ports;
  }

  /** Everything that is in the window. */
  async whole(account: number, calendar: string): Promise<GoogleAnswer<GoogleRead>> {
    const { from, to } = windowAround(this.#ports.now());
    const pages = await this.#pages(account, calendar, {
      timeMin: new Date(from).toISOString(),
      timeMax: new Date(to).toISOString(),
    });
    if (!pages.ok) return pages;
    const { events, unread, token } = pages.value;
    return ok({ calendar: this.#calendar(new Map(), events, unread), token });
  }

  /** Asks for what is new, and writes down what became of it. Resolves with whether its events, or how it stands, changed. */
  async poll(source: StoredSource): Promise<boolean> {
    const { sources, now } = this.#ports;
    const read = await this.#read(source);
    const at = Math.round(now());
    if (!read.ok) {
      const { problem, afterMs } = read.problem;
      const failures = source.failures + 1;
      const backOff = Math.min(calendarSourceLimits.pollMs * 2 ** (failures - 1), LONGEST_WAIT_MS);
      // What only the person can mend is not asked about before they did.
      const wait =
        problem === 'again' ? LONGEST_WAIT_MS : Math.max(backOff, Math.min(afterMs, LONGEST_WAIT_MS));
      await sources.finish(source, { problem: PROBLEMS[problem], failures, next_poll: at + wait }, null);
      return source.problem !== PROBLEMS[problem];
    }
    const { calendar, token, isWhole } = read.value;
    const good = { last_ok: at, next_poll: at + calendarSourceLimits.pollMs, problem: null, failures: 0 };
    const hasChanged = await sources.finish(
      source,
      { ...good, ...(isWhole ? { expanded_at: at } : {}), ...shortfallOf(calendar) },
      calendar,
    );
    // After the events: what was read is read again rather than missed.
    await this.keepToken(source.id, source.account, token);
    return hasChanged || source.problem !== null;
  }

  /** Where the next question goes on. */
  async keepToken(source: Id, account: number, token: string): Promise<void> {
    await this.#ports.db
      .insertInto('google_sync')
      .values({ source, account, token })
      .onConflict((conflict) => conflict.column('source').doUpdateSet({ token }))
      .execute();
  }

  async #read(source: StoredSource): Promise<GoogleAnswer<GoogleRead & { readonly isWhole: boolean }>> {
    const { db, now, calendarOf } = this.#ports;
    const name = calendarOf(source);
    if (name === null) return failed({ problem: 'again', afterMs: 0 });
    const known = await db
      .selectFrom('google_sync')
      .select('token')
      .where('source', '=', source.id)
      .executeTakeFirst();
    const isFresh = source.last_ok !== null && coversWindow(source.expanded_at, now());
    if (known !== undefined && isFresh) {
      const pages = await this.#pages(source.account, name, { syncToken: known.token });
      if (pages.ok) {
        const { events, unread, token } = pages.value;
        return ok({
          calendar: this.#calendar(await this.#present(source.id), events, unread),
          token,
          isWhole: false,
        });
      }
      if (pages.problem.problem !== 'expired') return pages;
    }
    const whole = await this.whole(source.account, name);
    return whole.ok ? ok({ ...whole.value, isWhole: true }) : whole;
  }

  /** All pages of a question. The parameters stay the same for each; where to go on is on the last. */
  async #pages(
    account: number,
    calendar: string,
    first: Readonly<Record<string, string>>,
  ): Promise<GoogleAnswer<Pages>> {
    const { grants, client } = this.#ports;
    const asked = { singleEvents: 'true', maxResults: PER_PAGE, ...first };
    const events: GoogleEvent[] = [];
    let unread = 0;
    let next: string | null = null;
    for (let page = 0; page < PAGES; page += 1) {
      const query: Readonly<Record<string, string>> = next === null ? asked : { ...asked, pageToken: next };
      const answer = await grants.with(account, (access) => client.events(access, calendar, query));
      if (!answer.ok) return answer;
      events.push(...answer.value.events);
      unread += answer.value.unread;
      ({ next } = answer.value);
      const { syncToken } = answer.value;
      if (next === null)
        return syncToken === null
          ? failed({ problem: 'refused', afterMs: 0 })
          : ok({ events, unread, token: syncToken });
    }
    return failed({ problem: 'refused', afterMs: 0 });
  }

  async #present(source: Id): Promise<Map<string, CalendarEvent>> {
    const rows = await this.#ports.db
      .selectFrom('calendar_event')
      .select('event')
      .where('source', '=', source)
      .execute();
    return new Map(
      rows.map(({ event }) => {
        const read = JSON.parse(event) as CalendarEvent;
        return [read.uid, read];
      }),
    );
  }

  /** `known` with what is new put in. */
  #calendar(known: Map<string, CalendarEvent>, news: readonly GoogleEvent[], unread: number): ReadCalendar {
    const { from, to } = windowAround(this.#ports.now());
    for (const each of news) {
      const event = eventOf(each);
      if (event === null) for (const [uid, one] of known) if (isOf(one, each.id)) known.delete(uid);
      if (event !== null) known.set(event.uid, event);
    }
    const inside = [...known.values()]
      .filter((event) => endingOf(event, 'UTC') >= from && beginningOf(event, 'UTC') < to)
      .toSorted(byStart);
    const events = inside.slice(0, calendarLimits.events);
    return { name: '', events, unread, isCut: events.length < inside.length };
  }
}
