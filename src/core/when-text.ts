// A date as a short text for people who may be anybody: with its year, and without words like "tomorrow" that depend on when it is
// read. Written by hand: what browsers have for it takes a phone a fifth of a second to begin with.
import { type InstantWhen, isDayWhen, isInstantWhen, type When } from './when.ts';

/** What the clocks on the wall show at a moment: `YYYY-MM-DDTHH:MM`, with or without what is shorter than a minute. */
export type WallClock = (moment: InstantWhen) => string;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const NOON = 12;

function dayText(date: string): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return `${MONTHS[month - 1] ?? ''} ${day}, ${year}`;
}

function timeText(time: string): string {
  const [hours = '', minute = ''] = time.split(':');
  const hour = Number(hours);
  return `${hour % NOON === 0 ? NOON : hour % NOON}:${minute} ${hour < NOON ? 'AM' : 'PM'}`;
}

/** `wallClock`: that of the reader, or of the zone in which the moment was said. */
export function whenText(when: When, wallClock: WallClock): string {
  if (isDayWhen(when)) return dayText(when.on);
  const [date = '', time = ''] = (isInstantWhen(when) ? wallClock(when) : when.local).split('T');
  return `${dayText(date)}, ${timeText(time)}`;
}

/** The clocks of the zone in which a moment was said. */
export const clockWhereSaid: WallClock = ({ at, zone }) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime().toString();
