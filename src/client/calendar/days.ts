// Events by day, as a person sees them in their zone: first what takes the whole day, then by time. Pure.
import type { CalendarEvent, EventTime } from '#core/calendar/events.ts';
import type { Id } from '#core/ids.ts';
import type { CalendarWindowBody } from '#wire/calendars.ts';

const MINUTES = 1_440;
const MINUTE_MS = 60_000;

/** An event on one of its days. */
export interface DayEvent {
  readonly calendar: Id;
  readonly event: CalendarEvent;
  /** Minutes from the start of the day; null: it is there all day. */
  readonly from: number | null;
  /** Null: all day, or it goes on over midnight. */
  readonly to: number | null;
}

/** A day with its events. `day`: `2026-11-30`. */
export interface AgendaDay {
  readonly day: string;
  readonly events: readonly DayEvent[];
}

/** A clock on the wall: a day, and minutes since it began. */
interface Wall {
  readonly day: string;
  readonly minute: number;
}

function wallOf(time: EventTime, zone: string): Wall {
  if (time.type === 'day') return { day: time.day, minute: 0 };
  const local =
    time.type === 'floating'
      ? Temporal.PlainDateTime.from(time.local)
      : Temporal.Instant.fromEpochMilliseconds(time.at).toZonedDateTimeISO(zone).toPlainDateTime();
  return { day: local.toPlainDate().toString(), minute: local.hour * 60 + local.minute };
}

/** `days` later; earlier for a negative number. */
export const dayAfter = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString();

/** The day at a moment, wall milliseconds. */
export const dayAt = (now: number, zone: string): string => wallOf({ type: 'moment', at: now }, zone).day;

/** How an event stands on a day; null: it doesn't. */
function onDay(event: CalendarEvent, day: string, zone: string): Pick<DayEvent, 'from' | 'to'> | null {
  const start = wallOf(event.start, zone);
  const end = wallOf(event.end, zone);
  const isAllDay = event.start.type === 'day';
  // The end is the first moment that is free again; an event without length is on its own day.
  const isOver = end.day < day || (end.day === day && end.minute === 0);
  if (start.day > day || (start.day !== day && isOver)) return null;
  const begins = start.day === day;
  const ends = end.day === day || (end.minute === 0 && end.day === dayAfter(day, 1));
  if (isAllDay || (!begins && !ends)) return { from: null, to: null };
  const to = end.day === day ? end.minute : ends ? MINUTES : null;
  return { from: begins ? start.minute : 0, to };
}

/** The days from `first` on, each with its events. */
export function daysOf(
  calendars: CalendarWindowBody['calendars'],
  { first, count, zone }: { readonly first: string; readonly count: number; readonly zone: string },
): readonly AgendaDay[] {
  const from =
    Temporal.PlainDate.from(first).toZonedDateTime(zone).epochMilliseconds - 2 * MINUTES * MINUTE_MS;
  const to = from + (count + 4) * MINUTES * MINUTE_MS;
  const near = calendars.flatMap(({ id, events }) =>
    events
      .filter(({ start, end }) => isNear(start, to, -1) && isNear(end, from, 1))
      .map((event) => ({ calendar: id, event })),
  );
  return Array.from({ length: count }, (_, at) => {
    const day = dayAfter(first, at);
    const events = near.flatMap((of) => {
      const times = onDay(of.event, day, zone);
      return times === null ? [] : [{ ...of, ...times }];
    });
    const order = ({ from: minute }: DayEvent) => minute ?? -1;
    return { day, events: events.toSorted((a, b) => order(a) - order(b)) };
  });
}

/** Whether a time is surely not beyond a moment; only moments are looked at, as others are few. */
const isNear = (time: EventTime, limit: number, side: 1 | -1): boolean =>
  time.type !== 'moment' || (time.at - limit) * side >= 0;
