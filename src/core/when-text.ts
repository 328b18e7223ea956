// A date as a short text for people who may be anybody: with its year, and without words like "tomorrow" that depend on when it is
// read.
import { isDayWhen, isInstantWhen, type When } from './when.ts';

const DAY = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;

/** `zone`: that of the reader; absent: moments are told in the zone in which they were said. */
export function whenText(when: When, zone?: string): string {
  if (isDayWhen(when)) return new Intl.DateTimeFormat('en-US', DAY).format(Date.parse(when.on));
  if (isInstantWhen(when))
    return new Intl.DateTimeFormat('en-US', { ...DAY, ...TIME, timeZone: zone ?? when.zone }).format(when.at);
  return new Intl.DateTimeFormat('en-US', { ...DAY, ...TIME }).format(Date.parse(`${when.local}Z`));
}
