// Assembles calendars of other programs: adding one asks its address at once, and what can't be read isn't added. Nothing is asked again before
// `polling.start()`.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { personColors } from '#core/people.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { calendarSourceLimits } from '#wire/calendars.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { Config } from '../config.ts';
import type { Tables } from '../data/tables.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import { createEndpointGuard } from '../push/guard.ts';
import { addressFrom, createFetching } from './fetching.ts';
import { Polling } from './polling.ts';
import type { SourceProblem } from './problems.ts';
import { createCalendarReader } from './reader.ts';
import { CalendarSources, type StoredSource } from './sources.ts';

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

export interface CalendarsPorts {
  readonly database: { readonly db: Kysely<Tables> };
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly config: Pick<Config, 'calendarNetworks'>;
  readonly newId: () => Id;
  readonly log: Logger;
  /** Absent: those for real calendars. */
  readonly calendarPatience?: Partial<CalendarPatience>;
  /** Additionally trusted certificates. */
  readonly pushCa?: string;
}

/** `full`: the account has as many as it may. */
export type AddProblem = SourceProblem | 'full';

/** Calendars of other programs, as one value for the server. */
export interface Calendars {
  readonly sources: CalendarSources;
  readonly polling: Polling;
  /** Asks an address, and keeps it with its events if it is that of a calendar. Resolves with its id. */
  add(account: number, address: string, name: string): Promise<Result<Id, AddProblem>>;
}

const sealedFor = (id: Id) => `calendar ${id}`;

/** Wires database, fetching and reading together. */
export function createCalendars(ports: CalendarsPorts): Calendars {
  const { clock, sealing, config, newId, log, pushCa: ca } = ports;
  const { fetchMs, readMs, fileBytes } = { ...PATIENCE, ...ports.calendarPatience };
  const sources = new CalendarSources(ports.database.db);
  const fetching = createFetching({
    guard: createEndpointGuard({ allowed: config.calendarNetworks }),
    deadlineMs: fetchMs,
    fileBytes,
    ...(ca === undefined ? {} : { ca }),
  });
  const now = () => Math.round(clock.now());
  const polling = new Polling({
    sources,
    fetching,
    reader: createCalendarReader(readMs),
    addressOf({ id, address }) {
      const opened = sealing.open(address, sealedFor(id));
      return opened === null ? null : new URL(Buffer.from(opened).toString('utf8'));
    },
    now,
    after(delayMs, work) {
      const timer = setTimeout(work, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
    onError: (error) => log.error('calendars_failed', errorDetail(error)),
  });
  return {
    sources,
    polling,
    async add(account, given, name) {
      const address = addressFrom(given);
      if (address === null) return failed('address');
      const problem = fetching.problem(address);
      if (problem !== null) return failed(problem);
      if ((await sources.count(account)) >= calendarSourceLimits.sources) return failed('full');
      const answer = await polling.ask(address);
      if (!answer.ok) return failed(answer.problem.problem);
      // Nothing was known that could be the same.
      if (answer.value.type === 'same') return failed('refused');
      const { calendar, etag, lastModified } = answer.value;
      const id = newId();
      const taken = new Set(await sources.colors(account));
      const source: StoredSource = {
        id,
        account,
        kind: 'ics',
        address: sealing.seal(Buffer.from(address.href), sealedFor(id)),
        host: address.host,
        name: (name || calendar.name || address.hostname).slice(0, calendarSourceLimits.nameCharacters),
        color: personColors.find((color) => !taken.has(color)) ?? personColors[0],
        hidden: 0,
        etag,
        last_modified: lastModified,
        problem: null,
        failures: 0,
        last_ok: now(),
        expanded_at: now(),
        next_poll: now() + calendarSourceLimits.pollMs,
        revision: 1,
        created_at: now(),
      };
      return (await sources.insert(source, calendar)) ? ok(id) : failed('full');
    },
  };
}
