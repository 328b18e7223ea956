// The days of the known moments as bars: how much was done on each, and which moment each leads to. Where there are more days
// than bars have room, a bar stands for several.
import { type DateContext, todayOf } from '../clock/dates.ts';
import type { Days } from './moment-words.ts';
import type { TimeBarsView } from './view.ts';

const MOST_BARS = 44;
const LEAST_BARS = 14;
/** Dates below the bars, as a share of their width, stand this far apart. */
const APART = 0.16;

/** Days before today. Converting a time costs: times of one day, one after another, are converted once. */
class DaysAgo {
  readonly #context: DateContext;
  readonly today: Temporal.PlainDate;
  #known = { from: 0, to: 0, ago: 0 };

  constructor(context: DateContext) {
    this.#context = context;
    this.today = todayOf(context);
  }

  of(at: number): number {
    if (at < this.#known.from || at >= this.#known.to) {
      const { zone, dayStart } = this.#context;
      const day = todayOf({ ...this.#context, now: at });
      const begins = (on: Temporal.PlainDate) =>
        on.toZonedDateTime(zone).add({ hours: dayStart }).epochMilliseconds;
      const ago = Math.max(0, day.until(this.today).days);
      this.#known = { from: begins(day), to: begins(day.add({ days: 1 })), ago };
    }
    return this.#known.ago;
  }
}

/** Made once for the known moments; what is drawn of it depends on the position. */
export class Bars {
  readonly #ago: DaysAgo;
  readonly #days: Days;
  /** Days that one bar stands for. */
  readonly #per: number;
  /** Number of moments of each, oldest first. */
  readonly #counts: number[];

  /** `times`: of the moments, newest first. */
  constructor(times: readonly number[], context: DateContext, days: Days) {
    this.#days = days;
    this.#ago = new DaysAgo(context);
    const all = times.map((at) => this.#ago.of(at));
    const span = Math.max(LEAST_BARS, all.reduce((most, ago) => Math.max(most, ago), 0) + 1);
    this.#per = Math.ceil(span / MOST_BARS);
    this.#counts = Array.from({ length: Math.ceil(span / this.#per) }, () => 0);
    for (const ago of all) this.#counts[this.#barOf(ago)] = (this.#counts[this.#barOf(ago)] ?? 0) + 1;
  }

  #barOf(ago: number): number {
    return this.#counts.length - 1 - Math.floor(ago / this.#per);
  }

  /** `at`: the moment that is looked at; null: now. */
  view(at: number | null): TimeBarsView {
    const { length } = this.#counts;
    const most = Math.max(1, ...this.#counts);
    const on = at === null ? length : this.#barOf(this.#ago.of(at));
    let newer = 0;
    const bars = this.#counts.toReversed().map((count, back) => {
      const index = length - 1 - back;
      const position = newer + Math.min(1, count);
      newer += count;
      return {
        height: count / most,
        position,
        tone: index === on ? ('on' as const) : index < on ? ('before' as const) : ('after' as const),
      };
    });
    const share = at === null ? 1 : (on + 0.5) / length;
    return { bars: bars.toReversed(), knob: share, marks: this.#marks() };
  }

  /** The first day, and the first days of months as far as there is room. */
  #marks(): TimeBarsView['marks'] {
    const { length } = this.#counts;
    const marks: { readonly share: number; readonly text: string }[] = [];
    const first = this.#ago.today.subtract({ days: length * this.#per - 1 });
    let last = -1;
    for (let day = first; Temporal.PlainDate.compare(day, this.#ago.today) <= 0;) {
      const share = first.until(day).days / (length * this.#per);
      if ((last < 0 || share - last >= APART) && share <= 1 - APART) {
        marks.push({ share, text: this.#days.short(day) });
        last = share;
      }
      day = day.with({ day: 1 }).add({ months: 1 });
    }
    return marks;
  }
}
