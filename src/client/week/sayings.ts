// The calendar beside the outline in words: days, times and what stands at a slot. Formats are made once for a language.
import { DAY_MINUTES, midnightOf, MINUTE_MS, minuteOf } from '../calendar/clock.ts';
import type { PlacedView, ThingView, WeekDayView } from './week-view.ts';
import type { Thing } from '../calendar/things.ts';

/** Words in one language. */
export class Sayings {
  readonly locale: string;
  readonly #clock: Intl.DateTimeFormat;
  readonly #hour: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #name: Intl.DateTimeFormat;
  readonly #month: Intl.DateTimeFormat;
  readonly #shortMonth: Intl.DateTimeFormat;

  constructor(locale: string) {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    this.locale = locale;
    this.#clock = format({ timeStyle: 'short' });
    this.#hour = format({ hour: 'numeric' });
    this.#day = format({ weekday: 'long', month: 'long', day: 'numeric' });
    this.#name = format({ weekday: 'short' });
    this.#month = format({ month: 'long', year: 'numeric' });
    this.#shortMonth = format({ month: 'short', year: 'numeric' });
  }

  /** "9:15 AM"; minutes of a day. */
  clock(minute: number): string {
    return this.#clock.format(minute * MINUTE_MS);
  }

  /** "9 AM", for each hour of a day. */
  hours(): readonly string[] {
    return Array.from({ length: 24 }, (_, hour) => this.#hour.format(hour * 60 * MINUTE_MS));
  }

  /** "Monday, November 30"; of any moment of the day. */
  day(wall: number): string {
    return this.#day.format(wall);
  }

  /** "Mon". */
  name(wall: number): string {
    return this.#name.format(wall);
  }

  /** "November 2026"; "Nov – Dec 2026" of days of two months. */
  months(first: number, last: number): string {
    const [from, to] = [this.#month.format(first), this.#month.format(last)];
    return from === to ? from : this.#shortMonth.formatRange(first, last);
  }

  /** "9:00–11:00"; with the day where it ends on another one. */
  time({ start, end, isAllDay }: Thing): string {
    if (isAllDay) return 'All day';
    const begin = this.clock(minuteOf(start));
    if (end === start) return begin;
    const isSameDay = end > start && midnightOf(end - 1) === midnightOf(start);
    const other = isSameDay || end < start ? '' : `${this.name(end)} `;
    return `${begin}–${other}${this.clock(minuteOf(end))}`;
  }

  /** "Tuesday, November 24, 9:15 AM: Review plan until 10:00 AM". */
  slot(day: WeekDayView, minute: number, here: readonly PlacedView[]): string {
    const isIn = (part: WeekDayView['twice']) => part !== null && part.from <= minute && minute < part.to;
    const note = isIn(day.skipped)
      ? ' (the clocks skip this time)'
      : isIn(day.twice)
        ? ' (this time is there twice)'
        : '';
    const said = here.map((thing) => {
      const end = thing.ends ? this.clock(thing.to % DAY_MINUTES) : 'after midnight';
      return `${sayThing(thing)} until ${end}`;
    });
    const all = day.allDay.map((thing) => `all day ${sayThing(thing)}`);
    const what = [...(said.length === 0 ? ['free'] : said), ...all].join('; ');
    return `${day.label}, ${this.clock(minute)}${note}: ${what}`;
  }
}

const sayThing = ({ title, isDone }: ThingView): string => (isDone ? `${title}, completed` : title);
