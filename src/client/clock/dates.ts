// Formats due dates in rows: short, in the person's language. Date arithmetic is in core.
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';

/** A due date as rows show it. */
export interface DueView {
  readonly text: string;
  readonly overdue: boolean;
  /** 2026-11-27 */
  readonly day: string;
  /** "17:00"; empty: the whole day. */
  readonly time: string;
  /** Whole days from today; negative: they have passed. */
  readonly ahead: number;
}

/** When, where and for whom dates are formatted. */
export interface DateContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly zone: string;
  readonly locale: string;
  /** Hour at which a new day begins; until then it is still yesterday. */
  readonly dayStart: number;
}

/** The current day for the person. */
export function todayOf({ now, zone, dayStart }: Omit<DateContext, 'locale'>): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(zone)
    .subtract({ hours: dayStart })
    .toPlainDate();
}

/** Formats dates for one moment; recreated when the minute or the zone changes. Caches its results. */
export class DueDates {
  readonly context: DateContext;
  readonly #shown = new Map<string, DueView>();
  readonly #today: Temporal.PlainDate;
  /** By the calendar alone, for dates with a time. */
  readonly #calendarDay: Temporal.PlainDate;
  /** Created on demand: creating one costs more than drawing a screen. */
  readonly #formats = new Map<string, Intl.DateTimeFormat>();

  constructor(context: DateContext) {
    this.context = context;
    this.#today = todayOf(context);
    this.#calendarDay = todayOf({ ...context, dayStart: 0 });
  }

  show(when: When): DueView {
    const key = isDayWhen(when) ? when.on : isInstantWhen(when) ? `${when.at}` : when.local;
    const known = this.#shown.get(key);
    if (known) return known;
    const view = this.#view(when);
    this.#shown.set(key, view);
    return view;
  }

  /** "starts Mon 30 Nov" for a start in the future; null from then on. */
  starts(when: When): string | null {
    const isAhead = isDayWhen(when)
      ? Temporal.PlainDate.compare(Temporal.PlainDate.from(when.on), this.#today) > 0
      : !this.show(when).overdue;
    return isAhead ? `starts ${this.show(when).text}` : null;
  }

  /** The current day in full: "Thursday, November 26". */
  get today(): string {
    const format = this.#format('whole', { weekday: 'long', day: 'numeric', month: 'long' });
    return format.format(this.#today.toZonedDateTime('UTC').epochMilliseconds);
  }

  #view(when: When): DueView {
    if (isDayWhen(when)) {
      const day = Temporal.PlainDate.from(when.on);
      const ahead = this.#today.until(day).days;
      return { text: this.#day(day, this.#today), overdue: ahead < 0, day: when.on, time: '', ahead };
    }
    const { zone, now } = this.context;
    const wall = isInstantWhen(when)
      ? Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(zone).toPlainDateTime()
      : Temporal.PlainDateTime.from(when.local);
    const at = isInstantWhen(when) ? when.at : wall.toZonedDateTime(zone).epochMilliseconds;
    const clock = this.#format('time', { timeStyle: 'short' }).format(
      wall.toZonedDateTime('UTC').epochMilliseconds,
    );
    const day = wall.toPlainDate();
    const text = `${this.#day(day, this.#calendarDay)}, ${clock}`;
    const ahead = this.#calendarDay.until(day).days;
    return { text, overdue: at <= now, day: day.toString(), time: clock, ahead };
  }

  #day(day: Temporal.PlainDate, today: Temporal.PlainDate): string {
    const away = today.until(day).days;
    if (away === 0) return 'today';
    if (away === 1) return 'tomorrow';
    if (away === -1) return 'yesterday';
    const format =
      day.year === today.year
        ? this.#format('near', { weekday: 'short', day: 'numeric', month: 'short' })
        : this.#format('far', { day: 'numeric', month: 'short', year: 'numeric' });
    return format.format(day.toZonedDateTime('UTC').epochMilliseconds);
  }

  #format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const known = this.#formats.get(name);
    if (known) return known;
    const made = new Intl.DateTimeFormat(this.context.locale, { ...options, timeZone: 'UTC' });
    this.#formats.set(name, made);
    return made;
  }
}
