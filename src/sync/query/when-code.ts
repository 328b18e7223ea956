// A due, start or snooze date as one number, so that a hundred thousand of them compare quickly. Moments are
// milliseconds; a day is its midnight in UTC plus a half; a floating time is its wall clock as UTC plus a quarter.
import { DAY_MS } from '#core/time.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';

const DAY = 0.5;
const WALL = 0.25;

/** The code of a date; NaN for none. */
export function codeOf(when: When | null | undefined): number {
  if (when === null || when === undefined) return Number.NaN;
  if (isDayWhen(when)) return codeOfDay(when.on);
  if (isInstantWhen(when)) return Math.trunc(when.at);
  return Date.parse(`${when.local}Z`) + WALL;
}

/** The code of an ISO day. */
export function codeOfDay(day: string): number {
  return Date.parse(`${day}T00:00Z`) + DAY;
}

/** Whether the code is a whole day and not a moment. */
export function isDayCode(code: number): boolean {
  return code - Math.floor(code) === DAY;
}

/** The wall clock of a zone, cached by day: asking Temporal each time costs a hundred times as much. */
export class ZoneClock {
  readonly zone: string;
  /** Milliseconds to add to UTC, by day of UTC; NaN on days with a change. */
  readonly #offsets = new Map<number, number>();

  constructor(zone: string) {
    this.zone = zone;
  }

  /** The wall clock at a moment, as if it were UTC. */
  wallAt(at: number): number {
    return at + this.#offsetAt(at);
  }

  /** The moment when the wall clock shows this, given as if it were UTC. */
  momentOf(wall: number): number {
    const offset = this.#offsetAt(wall - this.#offsetAt(wall));
    const day = Math.floor(wall / DAY_MS);
    if (
      this.#offsetOn(day - 1) === offset &&
      this.#offsetOn(day) === offset &&
      this.#offsetOn(day + 1) === offset
    )
      return wall - offset;
    const local = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime();
    return local.toZonedDateTime(this.zone).epochMilliseconds;
  }

  /** The moment of a code that is not a day; NaN for none. */
  momentOfCode(code: number): number {
    const whole = Math.floor(code);
    return whole === code || Number.isNaN(code) ? code : this.momentOf(whole);
  }

  #offsetAt(at: number): number {
    const offset = this.#offsetOn(Math.floor(at / DAY_MS));
    return Number.isNaN(offset) ? this.#ask(at) : offset;
  }

  #offsetOn(day: number): number {
    let offset = this.#offsets.get(day);
    if (offset === undefined) {
      const start = Temporal.Instant.fromEpochMilliseconds(day * DAY_MS).toZonedDateTimeISO(this.zone);
      const change = start.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
      offset = change < (day + 1) * DAY_MS ? Number.NaN : start.offsetNanoseconds / 1e6;
      this.#offsets.set(day, offset);
    }
    return offset;
  }

  #ask(at: number): number {
    return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(this.zone).offsetNanoseconds / 1e6;
  }
}
