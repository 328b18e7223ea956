// Google Calendar for accounts: connecting, the calendars to choose from, showing one, and disconnecting. Nothing of it is there where the operator has
// given this server no id at Google.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { calendarSourceLimits } from '#wire/calendars.ts';
import type { GoogleCalendars } from '#wire/calendar-links.ts';
import type { Sealing } from '../../accounts/sealing.ts';
import type { Tables } from '../../data/tables.ts';
import { sealedFor } from '../secrets.ts';
import { type CalendarSources, newSource, shortfallOf, type StoredSource } from '../sources.ts';
import {
  type GoogleAnswer,
  type GoogleCalendarsPage,
  GoogleClient,
  type GoogleConfig,
  type GoogleFailure,
} from './client.ts';
import { GoogleGrants } from './grants.ts';
import { GoogleSync } from './sync.ts';

/** What Google Calendar needs of a server. */
export interface GooglePorts {
  readonly config: GoogleConfig;
  readonly db: Kysely<Tables>;
  readonly sealing: Sealing;
  readonly sources: CalendarSources;
  readonly newId: () => Id;
  /** Devices of the account hear of what changes. */
  readonly changed: (account: number) => void;
  /** Wall milliseconds. */
  readonly now: () => number;
}

/** Why a calendar isn't shown: the account has as many as it may, or Google's reason. */
export type GoogleAddProblem = GoogleFailure['problem'] | 'full';

const PAGES = 20;

const WORDS: Readonly<Record<GoogleFailure['problem'], string>> = {
  again: 'Google asks you to connect again.',
  token: 'Google asks you to connect again.',
  expired: 'Google is busy. Try again in a moment.',
  busy: 'Google is busy. Try again in a moment.',
  gone: 'Google doesn’t have that calendar anymore.',
  refused: 'Google refused to answer. Try again later.',
  unreachable: 'Google can’t be reached from this server. Try again later.',
};

/** In words for people. */
export const googleWords = (problem: GoogleFailure['problem']): string => WORDS[problem];

/** Google Calendar. */
export class GoogleDesk {
  readonly grants: GoogleGrants;
  readonly #ports: GooglePorts;
  readonly #client: GoogleClient;
  readonly #sync: GoogleSync;

  constructor(ports: GooglePorts) {
    this.#ports = ports;
    this.#client = new GoogleClient(ports.config);
    this.grants = new GoogleGrants({ ...ports, client: this.#client });
    const calendarOf = (source: StoredSource) => this.#nameOf(source);
    this.#sync = new GoogleSync({ ...ports, client: this.#client, grants: this.grants, calendarOf });
  }

  /** Asks for what is new in a calendar that is shown. Resolves with whether its events, or how it stands, changed. */
  async poll(source: StoredSource): Promise<boolean> {
    return await this.#sync.poll(source);
  }

  /** How things stand, with the calendars to choose from. */
  async show(account: number): Promise<GoogleCalendars> {
    const grant = await this.grants.of(account);
    const none = { isSetUp: true, isConnected: grant !== null, problem: null, calendars: [] };
    if (grant === null) return none;
    const shown = new Map((await this.#shown(account)).map((source) => [this.#nameOf(source), source.id]));
    const found = await this.#calendars(account);
    if (!found.ok) return { ...none, problem: googleWords(found.problem.problem) };
    const calendars = found.value.map(({ id, name }) => ({ calendar: id, name, id: shown.get(id) ?? null }));
    return { ...none, calendars };
  }

  /** Shows one of Google's calendars. Resolves with its id here; one that is shown already keeps its own. */
  async add(account: number, calendar: string): Promise<Result<Id, GoogleAddProblem>> {
    const { sources, sealing, newId, now } = this.#ports;
    const found = await this.#calendars(account);
    if (!found.ok) return failed(found.problem.problem);
    const chosen = found.value.find(({ id }) => id === calendar);
    if (chosen === undefined) return failed('gone');
    const shown = (await this.#shown(account)).find((source) => this.#nameOf(source) === calendar);
    if (shown !== undefined) return ok(shown.id);
    if ((await sources.count(account)) >= calendarSourceLimits.sources) return failed('full');
    const read = await this.#sync.whole(account, calendar);
    if (!read.ok) return failed(read.problem.problem);
    const id = newId();
    const place = { address: sealing.seal(Buffer.from(calendar), sealedFor(id)), host: 'Google' };
    const colors = await sources.colors(account);
    const made = newSource({ id, account, kind: 'google', ...place, name: chosen.name, colors }, now());
    const source = { ...made, ...shortfallOf(read.value.calendar) };
    if (!(await sources.insert(source, read.value.calendar))) return failed('full');
    await this.#sync.keepToken(id, account, read.value.token);
    this.#ports.changed(account);
    return ok(id);
  }

  /** After a connection was made anew: what waited for it is asked at once. */
  async connected(account: number): Promise<void> {
    const { db, now } = this.#ports;
    await db
      .updateTable('calendar_source')
      .set({ next_poll: now(), failures: 0 })
      .where('account', '=', account)
      .where('kind', '=', 'google')
      .execute();
  }

  /** Removes the calendars with their events, and ends the connection, here and at Google. */
  async disconnect(account: number): Promise<void> {
    const { db } = this.#ports;
    const shown = await this.#sources(account);
    for (const { id } of shown) {
      await db.deleteFrom('calendar_event').where('source', '=', id).execute();
      await db.deleteFrom('calendar_source').where('id', '=', id).execute();
    }
    await db.deleteFrom('google_sync').where('account', '=', account).execute();
    await this.grants.forget(account);
    this.#ports.changed(account);
  }

  /** Without those that were removed and can be brought back. */
  async #shown(account: number): Promise<readonly StoredSource[]> {
    return (await this.#sources(account)).filter(({ trashed_at: at }) => at === null);
  }

  async #sources(account: number): Promise<readonly StoredSource[]> {
    return await this.#ports.db
      .selectFrom('calendar_source')
      .selectAll()
      .where('account', '=', account)
      .where('kind', '=', 'google')
      .execute();
  }

  #nameOf({ id, address }: StoredSource): string | null {
    const name = this.#ports.sealing.open(address, sealedFor(id));
    return name === null ? null : Buffer.from(name).toString();
  }

  async #page(account: number, page: string | null): Promise<GoogleAnswer<GoogleCalendarsPage>> {
    return await this.grants.with(account, (access) => this.#client.calendars(access, page));
  }

  async #calendars(account: number) {
    const found: { readonly id: string; readonly name: string }[] = [];
    let next: string | null = null;
    for (let page = 0; page < PAGES; page += 1) {
      const answer: GoogleAnswer<GoogleCalendarsPage> = await this.#page(account, next);
      if (!answer.ok) return answer;
      for (const { id, summary, summaryOverride, deleted } of answer.value.items)
        if (deleted !== true) found.push({ id, name: summaryOverride ?? summary ?? id });
      next = answer.value.nextPageToken ?? null;
      if (next === null) break;
    }
    return ok(found);
  }
}

/** Null: this server has no id at Google. */
export function createGoogle(
  config: { readonly google: GoogleConfig | null },
  ports: Omit<GooglePorts, 'config' | 'db'> & { readonly database: { readonly db: Kysely<Tables> } },
): GoogleDesk | null {
  const { google } = config;
  return google === null ? null : new GoogleDesk({ ...ports, config: google, db: ports.database.db });
}
