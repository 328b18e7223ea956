// What is said of a calendar that was read in part.
import { calendarLimits } from '#core/calendar/events.ts';
import { counted } from '#core/counted.ts';
import type { CalendarSource } from '#wire/calendars.ts';

/** What of a calendar is not shown; empty: all of it is. */
export function shortfallWords({
  unread = 0,
  isCut = false,
}: Pick<CalendarSource, 'unread' | 'isCut'>): string {
  const most = calendarLimits.events.toLocaleString('en-US');
  return [
    unread === 0 ? '' : `${counted(unread, 'entry', 'entries')} can’t be read.`,
    isCut ? `It has more than the ${most} events that can be shown; the others are left out.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
