// A date as a short text for people who may be anybody: with its year, and without words like "tomorrow" that depend on when it is
// read. Written by hand: what browsers have for it takes a phone a fifth of a second to begin with.
import { type InstantWhen, isDayWhen, isInstantWhen, type When } from './when.ts';

/** What the clocks on the wall show at a moment, as the milliseconds at which those of UTC show it. */
export type WallClock = (moment: InstantWhen) => number;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dayText(wall: Date): string {
  return `${MONTHS[wall.getUTCMonth()] ?? ''} ${wall.getUTCDate()}, ${wall.getUTCFullYear()}`;
}

function timeText(wall: Date): string {
  const hour = wall.getUTCHours();
  const minute = String(wall.getUTCMinutes()).padStart(2, '0');
  return `${hour % 12 === 0 ? 12 : hour % 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** `wallClock`: that of the reader, or of the zone in which the moment was said. */
export function whenText(when: When, wallClock: WallClock): string {
  if (isDayWhen(when)) return dayText(new Date(when.on));
  const wall = new Date(isInstantWhen(when) ? wallClock(when) : `${when.local}Z`);
  return `${dayText(wall)}, ${timeText(wall)}`;
}

/** The clocks of the zone in which a moment was said. */
export const clockWhereSaid: WallClock = ({ at, zone }) => {
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  return at + offsetNanoseconds / 1e6;
};
