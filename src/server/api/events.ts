// The handler of the call that lists events of calendars: those that the server read for the account, of calendars that are shown. They are
// never written.
import type { CalendarEvent, EventTime } from '#core/calendar/events.ts';
import { beginningOf, endingOf } from '#core/calendar/read-calendar.ts';
import { deriveId } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import { answer } from '#api/handler-context.ts';
import { isoOf, isoOrNull } from '#api/moments.ts';
import { parseQuery } from '#api/parsing.ts';
import type { ApiAnswer } from '#api/ports.ts';
import { invalid, isProblem } from '#api/problem.ts';
import { parseCursor, printCursor } from '#api/reading.ts';
import type { ApiCalendar, ApiEvent } from '#wire/api/calendar.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import { apiLimits } from '#wire/api/requests.ts';
import { type CalendarSource, calendarSourceLimits } from '#wire/calendars.ts';
import type { RouteCall } from '../http/route.ts';
import type { ServerContext } from './server-context.ts';

interface Window {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

/** An event with its place in the order: by start, then by id. */
interface Placed {
  readonly at: number;
  readonly event: ApiEvent;
}

/** Events of the account's own calendars. */
export class EventHandlers {
  readonly #context: Pick<ServerContext, 'calendars'>;

  constructor(context: Pick<ServerContext, 'calendars'>) {
    this.#context = context;
  }

  async list(call: RouteCall): Promise<ApiAnswer> {
    const parsed = parseQuery(endpoints.listEvents.query, call.url);
    if (isProblem(parsed)) return answer(parsed);
    const { from, to = from, time_zone: zone = 'UTC', cursor, limit: most } = parsed.value;
    const window = { from: startOf(from, zone), to: startOf(to, zone, 1), zone };
    if (to < from) return answer(invalid('to', '"to" is before "from".'));
    if (window.to - window.from > (calendarSourceLimits.windowDays + 1) * DAY_MS)
      return answer(invalid('to', `Ask for at most ${calendarSourceLimits.windowDays} days at a time.`));
    const after = cursor === undefined ? null : parseCursor(cursor);
    if (cursor !== undefined && after === null)
      return answer(invalid('cursor', 'This cursor is invalid. Use "next_cursor" from the last page.'));
    const { account } = call.account();
    const { sources } = this.#context.calendars;
    const [calendars, all] = [await sources.list(account), await this.#placed(account, window)];
    const rest =
      after === null
        ? all
        : all.filter(
            ({ at, event: { id } }) => at > after.updatedAt || (at === after.updatedAt && id > after.id),
          );
    const page = rest.slice(0, most === undefined ? apiLimits.page : Number(most));
    const last = rest.length > page.length ? page.at(-1) : undefined;
    return answer(
      {
        events: page.map(({ event }) => event),
        calendars: calendars.map(calendarJson),
        next_cursor: last ? printCursor({ updatedAt: last.at, id: last.event.id }) : null,
      },
      parsed.warnings,
    );
  }

  async #placed(account: number, { from, to, zone }: Window): Promise<readonly Placed[]> {
    const held = await this.#context.calendars.sources.window(account, from, to);
    const found = held.flatMap(({ id, events }) =>
      events.flatMap((event): readonly Placed[] => {
        const at = beginningOf(event, zone);
        const isThere = at < to && Math.max(endingOf(event, zone), at + 1) > from;
        return isThere ? [{ at, event: eventJson(id, event, zone) }] : [];
      }),
    );
    return found.toSorted((a, b) => a.at - b.at || (a.event.id < b.event.id ? -1 : 1));
  }
}

/** When a day begins in a zone, or the day so many days later. */
function startOf(day: string, zone: string, later = 0): number {
  return Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime(zone).epochMilliseconds;
}

function calendarJson({ id, name, color, isHidden, problem, readAt }: CalendarSource): ApiCalendar {
  return { id, name, color_hex_string: color, is_hidden: isHidden, problem, read_at: isoOrNull(readAt) };
}

function eventJson(calendar: string, event: CalendarEvent, zone: string): ApiEvent {
  const { uid, occurrence, start, end, title, place, description, link, isBusy, isTentative } = event;
  const isAllDay = start.type === 'day';
  return {
    id: deriveId('event', calendar, uid, occurrence ?? '', timeText(start)),
    calendar_id: calendar,
    title,
    starts_at: isAllDay ? null : isoOf(beginningOf(event, zone)),
    ends_at: isAllDay ? null : isoOf(endingOf(event, zone)),
    is_all_day: isAllDay,
    timeless_starts_at: start.type === 'day' ? start.day : null,
    timeless_ends_at: start.type === 'day' ? lastDay(start.day, end) : null,
    location: place,
    description,
    url: link,
    is_busy: isBusy,
    is_tentative: isTentative,
  };
}

function timeText(time: EventTime): string {
  if (time.type === 'day') return time.day;
  return time.type === 'floating' ? time.local : String(time.at);
}

/** Events say the first day that is free again. */
function lastDay(first: string, end: EventTime): string {
  if (end.type !== 'day' || end.day <= first) return first;
  return Temporal.PlainDate.from(end.day).subtract({ days: 1 }).toString();
}
