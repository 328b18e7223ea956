// What a calendar holds for us: when something is, what it is called, and whether the time is taken. Events are read and shown, never written;
// who else is invited is left out.
import { DAY_MS } from '../time.ts';

/** A moment, or a day without a time: `2026-11-30`. `floating`: a time of day wherever one is, `2026-11-30T09:00`. */
export type EventTime =
  | { readonly type: 'moment'; readonly at: number }
  | { readonly type: 'day'; readonly day: string }
  | { readonly type: 'floating'; readonly local: string };

/** One event, or one of a series. */
export interface CalendarEvent {
  /** As the calendar names it; the same for all of a series. */
  readonly uid: string;
  /** Which of a series, by the time at which it stood first; null: it stands alone. */
  readonly occurrence: string | null;
  readonly start: EventTime;
  /** The end, of the same type as the start. A day is the first one that is free again. */
  readonly end: EventTime;
  readonly title: string;
  readonly place: string;
  readonly description: string;
  /** An address that may be opened, `https:` or `http:`; null: none. */
  readonly link: string | null;
  /** False: the time is free all the same. */
  readonly isBusy: boolean;
  /** Not settled yet. */
  readonly isTentative: boolean;
}

/** Limits of one calendar. What goes over them is counted, not shown. */
export const calendarLimits = {
  /** Characters of the file: 20 MB of plain letters. */
  characters: 20_000_000,
  /** Entries in the file, each of which may stand for a series. */
  entries: 20_000,
  /** Events in the window that is read. */
  events: 5_000,
  titleCharacters: 500,
  placeCharacters: 500,
  descriptionCharacters: 4_000,
} as const;

/** From when to when events are read, in wall milliseconds, and where days begin that name no zone. */
export interface CalendarWindow {
  readonly from: number;
  readonly to: number;
  /** IANA zone. */
  readonly zone: string;
  /** Email addresses of the person, in small letters: what they declined isn't shown. */
  readonly addresses?: readonly string[];
}

/** Days of events that are read before and after today, and after how many of them a calendar that never changes is read again. */
const DAYS = { before: 31, after: 366, again: 7 } as const;

/** What is read of a calendar now, wall milliseconds: whole days, so that what says the same gives the same events all day. */
export function windowAround(now: number, zone = 'UTC', addresses: readonly string[] = []): CalendarWindow {
  const today = now - (now % DAY_MS);
  return { from: today - DAYS.before * DAY_MS, to: today + DAYS.after * DAY_MS, zone, addresses };
}

/** Whether what was read at a moment still covers the window of `now`, which moves with the days. */
export const coversWindow = (readAt: number, now: number): boolean => now - readAt < DAYS.again * DAY_MS;

/** What was read. */
export interface ReadCalendar {
  /** Its own name; empty: it has none. */
  readonly name: string;
  /** By start. */
  readonly events: readonly CalendarEvent[];
  /** Entries that could not be read. */
  readonly unread: number;
  /** True: there were more than the limits allow, and the later ones are missing. */
  readonly isCut: boolean;
}
