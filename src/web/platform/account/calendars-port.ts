// Calendars over the web routes of our server, and what this device keeps of them: in a database of its own, encrypted where the disk is.
import type * as z from 'zod/mini';
import { windowAround } from '#core/calendar/events.ts';
import { isRecord } from '#core/json.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { CalendarsAnswer, CalendarsPort, KeptCalendars } from '#client/calendar/port.ts';
import type { ImportSource } from '#client/importing/port.ts';
import type { Id } from '#core/ids.ts';
import {
  type CalendarChange,
  type CalendarLogin,
  calendarsSchema,
  calendarWindowSchema,
  type FoundCalendars,
  foundCalendarsSchema,
} from '#wire/calendars.ts';
import { keptNews } from '../calendars/calendar-news.ts';
import { keptWith, listWith } from '../calendars/beside-server.ts';
import { changeFile, fileCalendars, freshen, takeFile } from '../calendars/file-calendars.ts';
import type { FileCalendar } from '../calendars/file-store.ts';
import type { ClosedAside } from '../disk-seal/aside.ts';
import { encryptedDisk } from '../disk-seal/open-disks.ts';
import { calendarsDatabase } from '../disk-seal/kept-calendars.ts';
import { withDatabase } from '../storage/side-database.ts';
import { askServer } from './asking.ts';
import type { Call } from './http.ts';

/** The server asks the address meanwhile. */
const TIMEOUT_MS = 60_000;
const PATH = '/app/api/calendars';

const ask = <T>(schema: z.ZodMiniType<T>, method: Call['method'], path: string, body?: unknown) =>
  askServer(schema, { method, path, timeoutMs: TIMEOUT_MS, body });

async function calendars(method: Call['method'], path: string, body?: unknown): Promise<CalendarsAnswer> {
  const answer = await ask(calendarsSchema, method, path, body);
  return answer.ok ? ok({ sources: answer.value.calendars, removed: answer.value.removed ?? [] }) : answer;
}

const loadAside = () => import('../disk-seal/aside.ts');
const placeOf = (account: number) => `calendars/${account}`;

async function keep(account: number, value: KeptCalendars): Promise<void> {
  const disk = encryptedDisk();
  const kept =
    disk === null
      ? { account, value }
      : { account, closed: await (await loadAside()).closeAside(disk.name, placeOf(account), value) };
  await withDatabase(calendarsDatabase, (db) => db.put('calendars', kept));
}

async function kept(account: number): Promise<KeptCalendars | null> {
  const found = await withDatabase(calendarsDatabase, (db) => db.get('calendars', account));
  if (found === undefined) return null;
  if (!('closed' in found)) return found.value as KeptCalendars;
  const opened = await (await loadAside()).openAside(found.closed as ClosedAside, placeOf(account));
  return isRecord(opened) ? (opened as unknown as KeptCalendars) : null;
}

const NO_ROOM = 'This browser couldn’t keep the file. Free some space, then try again.';

class DeviceCalendars implements CalendarsPort {
  readonly #account: number;

  /** `account`: its number; 0: there is none. */
  constructor(account: number) {
    this.#account = account;
  }

  // A browser without storage keeps nothing.
  async kept(): Promise<KeptCalendars | null> {
    const [ofServer, files] = await Promise.all([kept(this.#account).catch(() => null), this.#files()]);
    freshen(this.#account, files).then(
      (isNew) => isNew && keptNews.tell(),
      () => undefined,
    );
    return keptWith(ofServer, files);
  }

  async read(): Promise<Result<KeptCalendars, string>> {
    const now = Date.now();
    const { from, to } = windowAround(now);
    const window = `${PATH}/window?from=${from}&to=${to}`;
    const [sources, events] = await Promise.all([
      calendars('GET', PATH),
      ask(calendarWindowSchema, 'GET', window),
    ]);
    if (!sources.ok) return sources;
    if (!events.ok) return events;
    const read = { readAt: now, ...sources.value, events: events.value.calendars };
    await keep(this.#account, read).catch(() => undefined);
    keptNews.tell();
    return ok(keptWith(read, await this.#files()) ?? read);
  }

  add = (address: string, login?: CalendarLogin) =>
    this.#asked(calendars('POST', PATH, { address, ...(login === undefined ? {} : { login }) }));
  again = (id: Id) => this.#asked(calendars('POST', `${PATH}/${id}/read`));
  listen = (changed: () => void) => keptNews.listen(changed, this);

  change = (id: Id, change: CalendarChange) =>
    this.#here(id, change, () => calendars('POST', `${PATH}/${id}`, change));
  remove = (id: Id) => this.#here(id, 'remove', () => calendars('DELETE', `${PATH}/${id}`));
  restore = (id: Id) => this.#here(id, 'restore', () => calendars('POST', `${PATH}/${id}/restore`));

  async discover(address: string, login: CalendarLogin): Promise<Result<FoundCalendars, string>> {
    const answer = await ask(foundCalendarsSchema, 'POST', `${PATH}/discover`, { address, login });
    return answer.ok ? ok(answer.value.found) : answer;
  }

  async addFile(file: ImportSource, place: Id | null): Promise<CalendarsAnswer> {
    const taken = await takeFile(this.#account, file, place).catch(() => failed(NO_ROOM));
    return taken.ok ? await this.#changed() : taken;
  }

  #files(): Promise<readonly FileCalendar[]> {
    return fileCalendars(this.#account).catch(() => []);
  }

  /** Of the server, with the files of this device. */
  async #asked(asked: Promise<CalendarsAnswer>): Promise<CalendarsAnswer> {
    const answer = await asked;
    return answer.ok ? ok(listWith(answer.value, await this.#files())) : answer;
  }

  /** A calendar of a file is changed here, any other by the server. */
  async #here(
    id: Id,
    change: Parameters<typeof changeFile>[2],
    elsewhere: () => Promise<CalendarsAnswer>,
  ): Promise<CalendarsAnswer> {
    const isFile = await changeFile(this.#account, id, change).catch(() => null);
    if (isFile === null) return failed(NO_ROOM);
    return isFile ? await this.#changed() : await this.#asked(elsewhere());
  }

  async #changed(): Promise<CalendarsAnswer> {
    keptNews.tell();
    const ofServer = await kept(this.#account).catch(() => null);
    return ok(listWith(ofServer ?? { sources: [] }, await this.#files()));
  }
}

/** `account`: its number; 0: there is none. */
export const createCalendarsPort = (account: number): CalendarsPort => new DeviceCalendars(account);
