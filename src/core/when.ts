// The dates of a task (due, start, snooze): a calendar day, an instant with its zone, or a floating local time. "No
// date" is a separate null. Values are plain JSON; arithmetic on them lives elsewhere.
import { DAY_MS } from './time.ts';

/** A calendar day, `2026-11-27`. */
export interface DayWhen {
  readonly on: string;
}

/** An exact moment and the IANA zone it was said in, which repeats and display need. */
export interface InstantWhen {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly zone: string;
}

/** A wall-clock time in the zone that the person is in at the time: `2026-11-27T17:00`. */
export interface FloatingWhen {
  readonly local: string;
}

/** A date with or without a time, in one of three forms. `isWhen` checks one from outside. */
export type When = DayWhen | InstantWhen | FloatingWhen;

/** Whether it is a calendar day, without a time. */
export function isDayWhen(when: When): when is DayWhen {
  return 'on' in when;
}

/** Whether it is an exact moment, with a zone. */
export function isInstantWhen(when: When): when is InstantWhen {
  return 'at' in when;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/;
const FIRST_MS = Date.UTC(1900, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 31);

/** Whether the parts name a real day between 1900 and 9999 (2026-02-30 does not). */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  if (year < 1900 || month < 1 || month > 12 || day < 1) return false;
  return day <= (Date.UTC(year, month, 1) - Date.UTC(year, month - 1, 1)) / DAY_MS;
}

function isLocalTime(text: string): boolean {
  if (!LOCAL.test(text) || !isDay(text.slice(0, 10))) return false;
  const [hour = 99, minute = 99, second = 0] = text.slice(11).split(':').map(Number);
  return hour < 24 && minute < 60 && second < 60;
}

/** Whether the text is the name of a known time zone. */
export function isZone(text: string): boolean {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId.length > 0;
  } catch {
    // Unknown zone name: the answer is the boolean.
    return false;
  }
}

/** Whether an instant is in range: from 1900 to the beginning of the last day of 9999, in UTC. */
export function isInstant(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms >= FIRST_MS && ms <= LAST_MS;
}

/** Whether a value from outside is a well-formed When in range. */
export function isWhen(value: unknown): value is When {
  if (typeof value !== 'object' || value === null) return false;
  const keys = Object.keys(value);
  const { on, at, zone, local } = value as Record<string, unknown>;
  if (keys.length === 1 && typeof on === 'string') return isDay(on);
  if (keys.length === 1 && typeof local === 'string') return isLocalTime(local);
  if (keys.length !== 2 || typeof at !== 'number' || typeof zone !== 'string') return false;
  return isInstant(at) && zone.length <= 64 && isZone(zone);
}

/**
 * The start of a date in milliseconds since the epoch: a day at its midnight in `zone`, a floating time by that zone's
 * clock.
 */
export function momentOf(when: When, zone: string): number {
  if (isInstantWhen(when)) return when.at;
  const wall = isDayWhen(when) ? Temporal.PlainDate.from(when.on) : Temporal.PlainDateTime.from(when.local);
  return wall.toZonedDateTime(zone).epochMilliseconds;
}
