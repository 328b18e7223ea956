// Times of the history in words.
import { type DateContext, todayOf } from '../clock/dates.ts';

const DIVISIONS: readonly (readonly [limit: number, size: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [60, 1, 'second'],
  [3_600, 60, 'minute'],
  [86_400, 3_600, 'hour'],
  [30 * 86_400, 86_400, 'day'],
  [365 * 86_400, 30 * 86_400, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 86_400, 'year'],
];

/** "5 minutes ago", "yesterday". */
export function relative(ms: number, format: Intl.RelativeTimeFormat): string {
  const seconds = Math.round(ms / 1_000);
  const [, size, unit] = DIVISIONS.find(([limit]) => Math.abs(seconds) < limit) ?? [0, 1, 'second' as const];
  return format.format(Math.round(seconds / size), unit);
}

/** Says the day and the time of moments, by the person's own days. Creating one is expensive. */
export class Days {
  readonly #context: DateContext;
  readonly #today: Temporal.PlainDate;
  readonly #time: Intl.DateTimeFormat;
  readonly #said = new Map<number, string>();

  constructor(context: DateContext) {
    this.#context = context;
    this.#today = todayOf(context);
    this.#time = new Intl.DateTimeFormat(context.locale, { timeStyle: 'short', timeZone: context.zone });
  }

  /** "10:42 AM" */
  time(at: number): string {
    return this.#time.format(at);
  }

  /** "Friday, November 20, 4:30 PM", by the calendar, with the year where it is another one. */
  whole(at: number): string {
    const day = todayOf({ ...this.#context, now: at, dayStart: 0 });
    const year = day.year === this.#today.year ? {} : ({ year: 'numeric' } as const);
    const date = { weekday: 'long', month: 'long', day: 'numeric', ...year } as const;
    return `${day.toLocaleString(this.#context.locale, date)}, ${this.time(at)}`;
  }

  /** "Nov 20, 4:30 PM" */
  brief(at: number): string {
    return `${this.short(todayOf({ ...this.#context, now: at, dayStart: 0 }))}, ${this.time(at)}`;
  }

  /** "today", "yesterday", "on Nov 20". */
  on(at: number): string {
    const known = this.#said.get(at);
    if (known !== undefined) return known;
    const { day, ago } = this.#dayOf(at);
    const said = ago <= 0 ? 'today' : ago === 1 ? 'yesterday' : `on ${this.short(day)}`;
    this.#said.set(at, said);
    return said;
  }

  /** "Nov 20", with the year where it is another one. */
  short(day: Temporal.PlainDate): string {
    const year = day.year === this.#today.year ? {} : ({ year: 'numeric' } as const);
    return day.toLocaleString(this.#context.locale, { month: 'short', day: 'numeric', ...year });
  }

  #dayOf(at: number): { readonly day: Temporal.PlainDate; readonly ago: number } {
    const day = todayOf({ ...this.#context, now: at });
    return { day, ago: day.until(this.#today).days };
  }

  /** "Today" with "Thursday, November 26", "Friday" with "November 20", and older days by their date alone. */
  day(at: number): { readonly name: string; readonly date: string } {
    const { locale } = this.#context;
    const { day, ago } = this.#dayOf(at);
    const year = day.year === this.#today.year ? {} : ({ year: 'numeric' } as const);
    const date = { month: 'long', day: 'numeric', ...year } as const;
    if (ago <= 1) {
      const name = ago === 1 ? 'Yesterday' : 'Today';
      return { name, date: day.toLocaleString(locale, { weekday: 'long', ...date }) };
    }
    if (ago >= 7) return { name: day.toLocaleString(locale, date), date: '' };
    return {
      name: day.toLocaleString(locale, { weekday: 'long' }),
      date: day.toLocaleString(locale, date),
    };
  }
}
