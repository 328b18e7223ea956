// Calendars over the web routes of our server, and what this device keeps of them: in a database of its own, encrypted where the disk is.
import { isRecord } from '#core/json.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { DAY_MS } from '#core/time.ts';
import type { CalendarsAnswer, CalendarsPort, KeptCalendars } from '#client/calendar/port.ts';
import { calendarsSchema, calendarWindowSchema } from '#wire/calendars.ts';
import type { ClosedAside } from '../disk-seal/aside.ts';
import { encryptedDisk } from '../disk-seal/open-disks.ts';
import { calendarsDatabase } from '../disk-seal/kept-calendars.ts';
import { withDatabase } from '../storage/side-database.ts';
import { keptNews } from './calendar-news.ts';
import { callServer, messageOf, type Call, type Reply } from './http.ts';

/** The server asks the address meanwhile. */
const TIMEOUT_MS = 60_000;
const PATH = '/app/api/calendars';
const BEFORE_MS = 31 * DAY_MS;
const AFTER_MS = 366 * DAY_MS;

const OFFLINE = 'Can’t reach the server. Try again when you’re online.';
const NOT_UNDERSTOOD = 'Couldn’t read the server’s answer. Reload the app, then try again.';

const ask = (method: Call['method'], path: string, body?: unknown) =>
  callServer({ method, path, timeoutMs: TIMEOUT_MS, ...(body === undefined ? {} : { body }) });

function bodyOf(reply: Reply): Result<unknown, string> {
  if (reply.type === 'none') return failed(OFFLINE);
  if (reply.status >= 200 && reply.status < 300) return ok(reply.body);
  return failed(messageOf(reply.body) ?? 'The server didn’t accept this. Try again later.');
}

async function calendars(reply: Promise<Reply>): Promise<CalendarsAnswer> {
  const body = bodyOf(await reply);
  if (!body.ok) return body;
  const read = calendarsSchema.safeParse(body.value);
  if (!read.success) return failed(NOT_UNDERSTOOD);
  return ok({ sources: read.data.calendars, removed: read.data.removed ?? [] });
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

/** `account`: its number. */
export function createCalendarsPort(account: number): CalendarsPort {
  const port: CalendarsPort = {
    // A browser without storage keeps nothing.
    kept: () => kept(account).catch(() => null),
    async read() {
      const now = Date.now();
      // Whole days, so that the same window is asked for all day.
      const today = now - (now % DAY_MS);
      const window = `${PATH}/window?from=${today - BEFORE_MS}&to=${today + AFTER_MS}`;
      const [sources, reply] = await Promise.all([calendars(ask('GET', PATH)), ask('GET', window)]);
      if (!sources.ok) return sources;
      const body = bodyOf(reply);
      if (!body.ok) return body;
      const events = calendarWindowSchema.safeParse(body.value);
      if (!events.success) return failed(NOT_UNDERSTOOD);
      const read = { readAt: now, ...sources.value, events: events.data.calendars };
      await keep(account, read).catch(() => undefined);
      keptNews.tell();
      return ok(read);
    },
    add: (address) => calendars(ask('POST', PATH, { address })),
    change: (id, change) => calendars(ask('POST', `${PATH}/${id}`, change)),
    remove: (id) => calendars(ask('DELETE', `${PATH}/${id}`)),
    restore: (id) => calendars(ask('POST', `${PATH}/${id}/restore`)),
    again: (id) => calendars(ask('POST', `${PATH}/${id}/read`)),
    listen: (changed) => keptNews.listen(changed, port),
  };
  return port;
}
