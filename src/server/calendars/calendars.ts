// Assembles calendars of other programs: adding one asks its address at once, and what can't be read isn't added. Nothing is asked again before
// `polling.start()`.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Clock } from '#sync/replica/ports.ts';
import {
  type CalendarChange,
  type CalendarLogin,
  calendarSourceLimits,
  type FoundCalendars,
} from '#wire/calendars.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { Config } from '../config.ts';
import type { Tables } from '../data/tables.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Bus } from '../live/bus.ts';
import { createEndpointGuard } from '../push/guard.ts';
import { FeedStore, type FeedStorePorts } from './feed-store.ts';
import { addressFrom, createFetching, type Fetching, withLogin } from './fetching.ts';
import { Polling, stateOf } from './polling.ts';
import type { SourceProblem } from './problems.ts';
import { createGoogle, type GoogleDesk } from './google/desk.ts';
import { createCalendarReader } from './reader.ts';
import { sealedFor } from './secrets.ts';
import { CalendarSources, type Found, newSource, shortfallOf, type StoredSource } from './sources.ts';

/** How long things may take, and how large a file may be. */
export interface CalendarPatience {
  readonly fetchMs: number;
  readonly readMs: number;
  readonly fileBytes: number;
}

const PATIENCE: CalendarPatience = {
  fetchMs: 20_000,
  readMs: 30_000,
  fileBytes: calendarSourceLimits.fileBytes,
};

export interface CalendarsPorts extends Pick<FeedStorePorts, 'ledger' | 'room'> {
  readonly database: { readonly db: Kysely<Tables> };
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly config: Pick<Config, 'calendarNetworks' | 'google'>;
  readonly newId: () => Id;
  readonly bus: Pick<Bus, 'publish'>;
  readonly log: Logger;
  /** Absent: those for real calendars. */
  readonly calendarPatience?: Partial<CalendarPatience>;
  /** Additionally trusted certificates. */
  readonly pushCa?: string;
}

/** `full`: the account has as many as it may. */
export type AddProblem = SourceProblem | 'full';

/** Why a calendar was not brought back. */
export type RestoreProblem = 'full' | 'gone';

/** Besides an address. With a login it is that of a calendar of a CalDAV server. */
export interface AddedMore {
  readonly name?: string | undefined;
  readonly login?: CalendarLogin | undefined;
}

/** Calendars of other programs, as one value for the server. Devices of the account hear of what changes. */
export interface Calendars {
  readonly sources: CalendarSources;
  readonly polling: Polling;
  /** Addresses at which others read an account's plan. */
  readonly feeds: FeedStore;
  /** Null: this server has no id at Google. */
  readonly google: GoogleDesk | null;
  /** Asks an address, and keeps it with its events if it is that of a calendar. Resolves with its id. */
  add(account: number, address: string, more: AddedMore): Promise<Result<Id, AddProblem>>;
  /** The calendars that an address of a CalDAV server leads to. Nothing is kept. */
  discover(
    account: number,
    address: string,
    login: CalendarLogin,
  ): Promise<Result<FoundCalendars, SourceProblem>>;
  change(account: number, id: Id, change: CalendarChange): Promise<void>;
  /** It can be brought back for some days. */
  remove(account: number, id: Id): Promise<void>;
  /** Brings a removed one back, and asks it. Null: it is there. */
  restore(account: number, id: Id): Promise<RestoreProblem | null>;
  /** Asks it now. */
  again(id: Id): Promise<void>;
}

const NOBODY = { username: '', password: '' };

function withPassword(address: URL, { user, password }: CalendarLogin): URL {
  const url = withLogin(address, NOBODY);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  return url;
}

/** A name that no other calendar has: "example.org", "example.org 2". */
function numbered(name: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const each = n === 1 ? name : `${name} ${n}`;
    if (!taken.has(each)) return each;
  }
}

class CalendarDesk implements Calendars {
  readonly sources: CalendarSources;
  readonly polling: Polling;
  readonly feeds: FeedStore;
  readonly google: GoogleDesk | null;
  readonly #ports: CalendarsPorts;
  readonly #fetching: Fetching;

  constructor(ports: CalendarsPorts) {
    const { clock, config, log, pushCa: ca } = ports;
    const { fetchMs, readMs, fileBytes } = { ...PATIENCE, ...ports.calendarPatience };
    this.#ports = ports;
    this.sources = new CalendarSources(ports.database.db);
    this.feeds = new FeedStore({ ...ports, db: ports.database.db });
    this.google = createGoogle(config, {
      ...ports,
      sources: this.sources,
      now: () => this.#now,
      changed: (account) => this.#tell(account),
    });
    this.#fetching = createFetching({
      guard: createEndpointGuard({ allowed: config.calendarNetworks }),
      deadlineMs: fetchMs,
      fileBytes,
      ...(ca === undefined ? {} : { ca }),
    });
    this.polling = new Polling({
      sources: this.sources,
      google: this.google,
      fetching: this.#fetching,
      reader: createCalendarReader(readMs),
      addressOf: (source) => this.#addressOf(source),
      emailOf: (account) => this.sources.emailOf(account),
      changed: (account) => this.#tell(account),
      now: () => Math.round(clock.now()),
      after(delayMs, work) {
        const timer = setTimeout(work, delayMs);
        timer.unref();
        return () => clearTimeout(timer);
      },
      onError: (error) => log.error('calendars_failed', errorDetail(error)),
    });
  }

  get #now(): number {
    return Math.round(this.#ports.clock.now());
  }

  async add(
    account: number,
    given: string,
    { name = '', login }: AddedMore,
  ): Promise<Result<Id, AddProblem>> {
    const checked = this.#addressFrom(given);
    if (!checked.ok) return checked;
    const address = checked.value;
    if ((await this.sources.count(account)) >= calendarSourceLimits.sources) return failed('full');
    const own = login === undefined ? address : withPassword(address, login);
    if ((await this.#shown(account)).has(own.href)) return failed('twice');
    if (login !== undefined) return await this.#addCollection(account, own, name);
    const answer = await this.polling.ask(account, address);
    if (!answer.ok) return failed(answer.problem.problem);
    // Nothing was known that could be the same.
    if (answer.value.type === 'same') return failed('refused');
    const { calendar, etag, lastModified } = answer.value;
    const source = await this.#newSource(account, 'ics', address, name || calendar.name);
    const file = { etag, last_modified: lastModified, ...shortfallOf(calendar) };
    return await this.#insert({ ...source, ...file }, calendar);
  }

  async discover(
    account: number,
    given: string,
    login: CalendarLogin,
  ): Promise<Result<FoundCalendars, SourceProblem>> {
    const address = this.#addressFrom(given);
    if (!address.ok) return address;
    const found = await this.polling.discover(withPassword(address.value, login));
    if (!found.ok) return failed(found.problem.problem);
    const known = await this.#shown(account);
    return ok(
      found.value.map(({ address: at, name }) => ({
        address: withLogin(at, NOBODY).href,
        name: name || decodeURI(at.pathname.split('/').findLast((part) => part !== '') ?? at.hostname),
        isAdded: known.has(at.href),
      })),
    );
  }

  async change(account: number, id: Id, { password, ...change }: CalendarChange): Promise<void> {
    const source = password === undefined ? undefined : await this.sources.find(id);
    const address = source?.kind === 'caldav' ? this.#addressOf(source) : null;
    if (password !== undefined && address !== null) {
      address.password = encodeURIComponent(password);
      await this.sources.change(account, id, change, this.#sealed(id, address));
      await this.again(id);
    } else if (!(await this.sources.change(account, id, change))) return;
    this.#tell(account);
  }

  async remove(account: number, id: Id): Promise<void> {
    await this.sources.remove(account, id, this.#now);
    this.#tell(account);
  }

  async restore(account: number, id: Id): Promise<RestoreProblem | null> {
    const became = await this.sources.restore(account, id, this.#now);
    if (became !== 'restored') return became;
    this.#tell(account);
    await this.again(id);
    return null;
  }

  async again(id: Id): Promise<void> {
    const source = await this.sources.find(id);
    if (source?.trashed_at === null) await this.polling.again(source);
  }

  /** A calendar of a CalDAV server. */
  async #addCollection(account: number, address: URL, name: string): Promise<Result<Id, AddProblem>> {
    const answer = await this.polling.askCollection(account, address);
    if (!answer.ok) return failed(answer.problem.problem);
    const asked = answer.value;
    // Nothing was known that could be the same.
    if (asked.type !== 'all') return failed('refused');
    const source = await this.#newSource(account, 'caldav', address, name || asked.name);
    return await this.#insert({ ...source, ...stateOf(asked.state), ...shortfallOf(asked) }, asked.found);
  }

  /** The addresses of an account's calendars, with their passwords. */
  async #shown(account: number): Promise<ReadonlySet<string | undefined>> {
    return new Set((await this.sources.stored(account)).map((source) => this.#addressOf(source)?.href));
  }

  #addressFrom(given: string): Result<URL, SourceProblem> {
    const address = addressFrom(given);
    if (address === null) return failed('address');
    const problem = this.#fetching.problem(address);
    return problem === null ? ok(address) : failed(problem);
  }

  /** Null: no key opens it. */
  #addressOf({ id, address }: StoredSource): URL | null {
    const opened = this.#ports.sealing.open(address, sealedFor(id));
    return opened === null ? null : new URL(Buffer.from(opened).toString('utf8'));
  }

  #sealed(id: Id, address: URL): Uint8Array {
    return this.#ports.sealing.seal(Buffer.from(address.href), sealedFor(id));
  }

  /** One that was read just now. */
  async #newSource(
    account: number,
    kind: StoredSource['kind'],
    address: URL,
    name: string,
  ): Promise<StoredSource> {
    const id = this.#ports.newId();
    const place = { address: this.#sealed(id, address), host: address.host };
    const others = await this.sources.stored(account);
    const colors = others.map(({ color }) => color);
    const named = name || numbered(address.hostname, new Set(others.map((other) => other.name)));
    return newSource({ id, account, kind, ...place, name: named, colors }, this.#now);
  }

  async #insert(source: StoredSource, found: Found): Promise<Result<Id, AddProblem>> {
    if (!(await this.sources.insert(source, found))) return failed('full');
    this.#tell(source.account);
    return ok(source.id);
  }

  #tell(account: number): void {
    this.#ports.bus.publish({ type: 'calendars', account });
  }
}

/** Wires database, fetching and reading together. */
export const createCalendars = (ports: CalendarsPorts): Calendars => new CalendarDesk(ports);
