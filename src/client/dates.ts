// How a due date is shown in a row: short, in words of the person's language. Arithmetic on dates is core's.
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';

export interface DueView {
  readonly text: string;
  readonly overdue: boolean;
}

export interface DateContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly zone: string;
  readonly locale: string;
}

/** Shows dates for one moment; made anew when the minute or the zone changes. Keeps what it has shown before. */
export class DueDates {
  readonly context: DateContext;
  readonly #shown = new Map<string, DueView>();
  readonly #today: Temporal.PlainDate;
  readonly #near: Intl.DateTimeFormat;
  readonly #far: Intl.DateTimeFormat;
  readonly #time: Intl.DateTimeFormat;

  constructor(context: DateContext) {
    this.context = context;
    this.#today = Temporal.Instant.fromEpochMilliseconds(context.now)
      .toZonedDateTimeISO(context.zone)
      .toPlainDate();
    const { locale } = context;
    this.#near = new Intl.DateTimeFormat(locale, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    });
    this.#far = new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    });
    this.#time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  }

  show(when: When): DueView {
    const key = isDayWhen(when) ? when.on : isInstantWhen(when) ? `${when.at}` : when.local;
    const known = this.#shown.get(key);
    if (known) return known;
    const view = this.#format(when);
    this.#shown.set(key, view);
    return view;
  }

  #format(when: When): DueView {
    if (isDayWhen(when)) {
      const day = Temporal.PlainDate.from(when.on);
      return { text: this.#day(day), overdue: Temporal.PlainDate.compare(day, this.#today) < 0 };
    }
    const { zone, now } = this.context;
    const wall = isInstantWhen(when)
      ? Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(zone).toPlainDateTime()
      : Temporal.PlainDateTime.from(when.local);
    const at = isInstantWhen(when) ? when.at : wall.toZonedDateTime(zone).epochMilliseconds;
    const clock = this.#time.format(wall.toZonedDateTime('UTC').epochMilliseconds);
    return { text: `${this.#day(wall.toPlainDate())}, ${clock}`, overdue: at < now };
  }

  #day(day: Temporal.PlainDate): string {
    const away = this.#today.until(day).days;
    if (away === 0) return 'today';
    if (away === 1) return 'tomorrow';
    if (away === -1) return 'yesterday';
    const format = day.year === this.#today.year ? this.#near : this.#far;
    return format.format(day.toZonedDateTime('UTC').epochMilliseconds);
  }
}
