// What an event of Google's is for us: its time, its title, whether the time is taken. Who else is invited is left out.
import { plainDescription } from '#core/calendar/event-words.ts';
import { type CalendarEvent, calendarLimits, type EventTime } from '#core/calendar/events.ts';
import { isDay } from '#core/when.ts';
import type { GoogleEvent } from './client.ts';

function timeOf(time: GoogleEvent['start']): EventTime | null {
  if (time?.date !== undefined) return isDay(time.date) ? { type: 'day', day: time.date } : null;
  const at = Date.parse(time?.dateTime ?? '');
  return Number.isNaN(at) ? null : { type: 'moment', at };
}

const isDeclined = ({ attendees = [] }: GoogleEvent): boolean =>
  attendees.some(({ self, responseStatus }) => self === true && responseStatus === 'declined');

/** Null: it isn't shown. Deleted, declined, where one works, or without a time. */
export function eventOf(event: GoogleEvent): CalendarEvent | null {
  const start = timeOf(event.start);
  const end = timeOf(event.end);
  if (start === null || end === null || start.type !== end.type) return null;
  if (event.status === 'cancelled' || event.eventType === 'workingLocation' || isDeclined(event)) return null;
  const isPrivate = event.visibility === 'private' || event.visibility === 'confidential';
  // A calendar that shows when one is busy alone gives no titles.
  const { summary = 'Busy', location = '', description = '', htmlLink = '' } = event;
  const { titleCharacters, placeCharacters, descriptionCharacters } = calendarLimits;
  const original = event.originalStartTime;
  return {
    uid: event.id,
    occurrence: original?.dateTime ?? original?.date ?? null,
    start,
    end,
    title: (isPrivate ? 'Busy' : summary).slice(0, titleCharacters),
    place: isPrivate ? '' : location.slice(0, placeCharacters),
    description: isPrivate ? '' : plainDescription(description).slice(0, descriptionCharacters),
    link: !isPrivate && /^https:\/\//i.test(htmlLink) ? htmlLink : null,
    isBusy: event.transparency !== 'transparent',
    isTentative: event.status === 'tentative',
  };
}

/** Whether a shown event is what a canceled one stands for: itself, or one of its series. */
export function isOf({ uid }: Pick<CalendarEvent, 'uid'>, gone: string): boolean {
  return (
    uid === gone || (uid.startsWith(`${gone}_`) && /^\d{8}(?:T\d{6}Z)?$/.test(uid.slice(gone.length + 1)))
  );
}
