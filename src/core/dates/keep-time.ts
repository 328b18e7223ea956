// A date that moves to another day and keeps its time of day.
import { isDayWhen, isInstantWhen, type When } from '../when.ts';

/** The same time of day on another day, `2026-11-27`; what has no time is that day. */
export function atTimeOf(when: When, on: string): When {
  if (!isInstantWhen(when)) return isDayWhen(when) ? { on } : { local: `${on}${when.local.slice(10)}` };
  const { zone } = when;
  const plainTime = Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(zone).toPlainTime();
  const at = Temporal.PlainDate.from(on).toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
  return { at, zone };
}

/** When it is, and in which zone the person is. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly zone: string;
}

/**
 * The date that replaces `was` where a person named a day and no time: at the time that `was` has, unless that has passed
 * on the day.
 */
export function keepTime(next: When, was: When | null, { now, zone }: Moment): When {
  if (!isDayWhen(next) || was === null || isDayWhen(was)) return next;
  const kept = atTimeOf(was, next.on);
  return momentOf(kept, zone) > now ? kept : next;
}

/** The date that replaces `was` where a person said a time and no day: on the day that `was` has, unless that is past. */
export function keepDay(next: When, was: When, { now, zone }: Moment): When {
  const kept = atTimeOf(next, dayOf(was));
  return momentOf(kept, zone) > now ? kept : next;
}

/** The day of a date, `2026-11-27`, in the zone it was said in. */
export function dayOf(when: When): string {
  if (isDayWhen(when)) return when.on;
  if (!isInstantWhen(when)) return when.local.slice(0, 10);
  return Temporal.Instant.fromEpochMilliseconds(when.at)
    .toZonedDateTimeISO(when.zone)
    .toPlainDate()
    .toString();
}

function momentOf(when: When, zone: string): number {
  if (isInstantWhen(when)) return when.at;
  const local = isDayWhen(when) ? when.on : when.local;
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
}
