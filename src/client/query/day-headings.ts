// Headings of lists that are sorted by date: overdue, today, this evening, the next days one by one, then weeks, then
// months. Dates are codes (sync/query/when-code.ts).
import { DAY_MS } from '#core/time.ts';
import { type ZoneClock, isDayCode } from '#sync/query/when-code.ts';
import type { RowHeading } from '../app/view.ts';

export interface DayContext {
  /** The person's current day. */
  readonly today: Temporal.PlainDate;
  readonly clock: ZoneClock;
  readonly locale: string;
  /** ISO number of the first day of a week. */
  readonly weekStart: number;
  /** The hour at which the evening begins. */
  readonly evening: number;
}

/** Dates under one heading. */
export interface DayGroup {
  readonly key: string;
  readonly heading: Omit<RowHeading, 'count'>;
  /** 2026-11-27 where it is one day: rows under it do not say it again. */
  readonly day: string | null;
}

const HOUR_MS = DAY_MS / 24;
/** Days ahead that have a heading each, and weeks. */
const DAYS = 7;
const WEEKS = 5;

const at = (day: number) => day * DAY_MS;
const isoOf = (day: number) => Temporal.Instant.fromEpochMilliseconds(at(day)).toString().slice(0, 10);

/** The groups of one day: make it anew when the day, the zone or the language changes. */
export class DayHeadings {
  readonly #context: DayContext;
  /** Days since 1970. */
  readonly #today: number;
  readonly #known = new Map<string, DayGroup>();

  constructor(context: DayContext) {
    this.#context = context;
    this.#today = Date.parse(`${context.today.toString()}T00:00Z`) / DAY_MS;
  }

  isFor(context: DayContext): boolean {
    const { today, clock, ...rest } = this.#context;
    return (
      today.equals(context.today) &&
      clock === context.clock &&
      rest.locale === context.locale &&
      rest.weekStart === context.weekStart &&
      rest.evening === context.evening
    );
  }

  /** `code`: of a due date; NaN: none. */
  groupOf(code: number): DayGroup {
    if (Number.isNaN(code)) return this.#group('none', () => [{ text: 'No date', detail: '' }, null]);
    const { clock, evening } = this.#context;
    const whole = Math.floor(code);
    const wall = whole === code ? clock.wallAt(code) : whole;
    const day = Math.floor(wall / DAY_MS);
    const ahead = day - this.#today;
    if (ahead < 0) return this.#group('late', () => [{ text: 'Overdue', detail: '', isLate: true }, null]);
    if (ahead > 0) return ahead < DAYS ? this.#day(day) : this.#later(day);
    if (!isDayCode(code) && wall - at(day) >= evening * HOUR_MS)
      return this.#group('evening', () => [{ text: 'This evening', detail: '' }, isoOf(day)]);
    return this.#day(day);
  }

  #day(day: number): DayGroup {
    return this.#group(`day ${day}`, () => {
      const ahead = day - this.#today;
      const date = this.#format({ day: 'numeric', month: 'long' }).format(at(day));
      const weekday = this.#format({ weekday: 'long' }).format(at(day));
      const text = ahead === 0 ? 'Today' : ahead === 1 ? 'Tomorrow' : weekday;
      const full = this.#format({ weekday: 'long', day: 'numeric', month: 'long' }).format(at(day));
      return [{ text, detail: ahead < 2 ? full : date }, isoOf(day)];
    });
  }

  #later(day: number): DayGroup {
    const week = this.#weekOf(day);
    if (week - this.#weekOf(this.#today) > WEEKS) return this.#month(day);
    return this.#group(`week ${week}`, () => {
      const { weekStart } = this.#context;
      const first = week * 7 + ((weekStart + 3) % 7);
      const from = Math.max(first, this.#today + DAYS);
      const format = this.#format({ day: 'numeric', month: 'long' });
      const text = from === first + 6 ? format.format(at(from)) : format.formatRange(at(from), at(first + 6));
      return [{ text, detail: '' }, null];
    });
  }

  #month(day: number): DayGroup {
    const month = isoOf(day).slice(0, 7);
    return this.#group(month, () => {
      const isThisYear = month.startsWith(String(this.#context.today.year));
      const text = this.#format({ month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) }).format(
        at(day),
      );
      return [{ text, detail: '' }, null];
    });
  }

  /** The week that holds the day, in weeks since the one that began first in 1970. */
  #weekOf(day: number): number {
    return Math.floor((day - ((this.#context.weekStart + 3) % 7)) / 7);
  }

  #group(
    key: string,
    make: () => readonly [Partial<RowHeading> & Pick<RowHeading, 'text' | 'detail'>, string | null],
  ): DayGroup {
    let group = this.#known.get(key);
    if (group === undefined) {
      const [heading, day] = make();
      group = { key, heading: { isLate: false, ...heading }, day };
      this.#known.set(key, group);
    }
    return group;
  }

  #format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    return new Intl.DateTimeFormat(this.#context.locale, { ...options, timeZone: 'UTC' });
  }
}
