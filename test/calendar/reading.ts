// Reads calendar files for tests, and says what was read in lines that people can compare: `2026-11-30 09:00-10:00 Title`.
import { readCalendar } from '#core/calendar/read-calendar.ts';
import type { CalendarEvent, EventTime } from '#core/calendar/events.ts';

/** November 2026 in Berlin: no change of clocks in it. */
export const ZONE = 'Europe/Berlin';

export const momentIn = (local: string, zone = ZONE): number =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;

function clock(time: EventTime, zone: string): { readonly day: string; readonly time: string } {
  if (time.type === 'day') return { day: time.day, time: '' };
  const local =
    time.type === 'floating'
      ? Temporal.PlainDateTime.from(time.local)
      : Temporal.Instant.fromEpochMilliseconds(time.at).toZonedDateTimeISO(zone).toPlainDateTime();
  const seconds = local.second === 0 ? 'minute' : 'second';
  return {
    day: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: seconds }) + (time.type === 'floating' ? '~' : ''),
  };
}

/** One line: days stand alone (`2026-11-30`, `2026-11-30..2026-12-02` with the last day included), `~` is a time without a zone. */
export function lineOf({ start, end, title, isBusy, isTentative }: CalendarEvent, zone = ZONE): string {
  const from = clock(start, zone);
  const to = clock(end, zone);
  const marks = `${isBusy ? '' : ' (free)'}${isTentative ? ' (tentative)' : ''}`;
  if (start.type === 'day') {
    const last = Temporal.PlainDate.from(to.day).subtract({ days: 1 }).toString();
    return `${from.day}${last === from.day ? '' : `..${last}`} ${title}${marks}`;
  }
  const until = to.day === from.day ? to.time : `${to.day} ${to.time}`;
  return `${from.day} ${from.time}-${until} ${title}${marks}`;
}

export interface Window {
  readonly from?: string;
  readonly to?: string;
  readonly zone?: string;
}

/** The lines of a calendar with these entries; what could not be read and what was cut stand at the end. */
export function linesOf(
  entries: string,
  { from = '2026-11-01', to = '2026-12-01', zone = ZONE }: Window = {},
): string[] {
  const whole = entries.includes('BEGIN:VCALENDAR')
    ? entries
    : `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:test\n${entries}\nEND:VCALENDAR`;
  const read = readCalendar(whole.trim().replaceAll('\n', '\r\n'), {
    from: momentIn(`${from}T00:00`, zone),
    to: momentIn(`${to}T00:00`, zone),
    zone,
  });
  if (!read.ok) return [read.problem];
  const { events, unread, isCut } = read.value;
  return [
    ...events.map((event) => lineOf(event, zone)),
    ...(unread > 0 ? [`${unread} unread`] : []),
    ...(isCut ? ['cut'] : []),
  ];
}

/** An entry of these lines. */
export const event = (...lines: readonly string[]): string =>
  ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\n');
