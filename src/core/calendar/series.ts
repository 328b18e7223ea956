// When the events of a series are: its rules (RRULE) and added times (RDATE), without those that were taken out (EXDATE). Reckoned on the clock on
// the wall, so that nine o'clock stays nine o'clock over a change to summer time.
import type ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import type { EventZone } from './zones.ts';

/** Steps of a rule at most: what needs more stands for no calendar of a person. */
const MOST_STEPS = 20_000;
const SUB_DAILY = /FREQ=(?:HOURLY|MINUTELY|SECONDLY)/i;

/** How the times of an entry are meant. */
export interface TimeReading {
  readonly isDay: boolean;
  /** Null: a time of day wherever one is. */
  readonly zone: EventZone | null;
}

export interface Series {
  /** `DTSTART` on the wall. */
  readonly start: Temporal.PlainDateTime;
  readonly reading: TimeReading;
  readonly rules: readonly ICAL.Recur[];
  /** Added times on the wall, in the zone of the start. */
  readonly added: readonly Temporal.PlainDateTime[];
  /** Times that were taken out: moments, and days of which all are. */
  readonly without: { readonly moments: ReadonlySet<number>; readonly days: ReadonlySet<string> };
}

/** A moment to compare with: of times that name no zone, as if they were of UTC. */
export const momentOf = (local: Temporal.PlainDateTime, zone: EventZone | null): number =>
  zone === null ? local.toZonedDateTime('UTC').epochMilliseconds : zone.at(local);

/** The end of a rule is a moment, or a time on the wall, whatever the start is: both come to the wall of the series. */
function untilOf(until: ICAL.Time, { isDay, zone }: TimeReading): Temporal.PlainDateTime {
  const { year, month, day } = until;
  const last = new Temporal.PlainDateTime(year, month, day, 23, 59, 59);
  if (until.isDate || isDay) return last;
  const local = new Temporal.PlainDateTime(year, month, day, until.hour, until.minute, until.second);
  const isUtc = until.zone?.tzid === 'UTC';
  if (!isUtc || zone === null) return local;
  const at = local.toZonedDateTime('UTC');
  if (zone.name !== null) return at.withTimeZone(zone.name).toPlainDateTime();
  // Only the file knows the zone: its offset then is that of the same time on the wall, near enough for an end.
  return local.add({ milliseconds: at.epochMilliseconds - zone.at(local) });
}

const twoDigits = (value: number) => String(value).padStart(2, '0');
const icsTime = (time: Temporal.PlainDateTime) =>
  `${String(time.year).padStart(4, '0')}${twoDigits(time.month)}${twoDigits(time.day)}T${twoDigits(time.hour)}${twoDigits(time.minute)}${twoDigits(time.second)}`;

function ruleText(rule: ICAL.Recur): string {
  return rule
    .toString()
    .split(';')
    .filter((part) => !/^UNTIL=/i.test(part))
    .join(';');
}

/** Times of one rule between two times on the wall, both included. Throws on a rule that means nothing or needs too many steps. */
function timesOfRule(
  { start, reading }: Series,
  rule: ICAL.Recur,
  from: Temporal.PlainDateTime,
  to: Temporal.PlainDateTime,
): Temporal.PlainDateTime[] {
  const text = ruleText(rule);
  // Hours go by on the clock of the zone, whose days have 23 to 25 of them. Everything longer is reckoned as if all days had 24.
  const tzid = SUB_DAILY.test(text) && reading.zone?.name ? reading.zone.name : 'UTC';
  const until = rule.until ? { until: untilOf(rule.until, reading).toZonedDateTime(tzid) } : {};
  const found = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${tzid}:${icsTime(start)}\nRRULE:${text}`,
    maxIterations: MOST_STEPS,
    ...until,
  });
  return found
    .between(from.toZonedDateTime(tzid), to.toZonedDateTime(tzid), true)
    .map((time) => time.toPlainDateTime());
}

/** Starts of a series between two times on the wall, in order, each once. `most`: of each rule. Throws as `timesOfRule`. */
export function startsOf(
  series: Series,
  from: Temporal.PlainDateTime,
  to: Temporal.PlainDateTime,
): readonly Temporal.PlainDateTime[] {
  const { start, reading, without } = series;
  const isWithin = (time: Temporal.PlainDateTime) =>
    Temporal.PlainDateTime.compare(time, from) >= 0 && Temporal.PlainDateTime.compare(time, to) <= 0;
  const all = [
    // The first is one of them, whether its rule says so or not.
    ...[start, ...series.added].filter(isWithin),
    ...series.rules.flatMap((rule) => timesOfRule(series, rule, from, to)),
  ];
  const seen = new Set<string>();
  return all
    .filter((time) => {
      const key = time.toString();
      const isNew = !seen.has(key);
      seen.add(key);
      return (
        isNew &&
        !without.days.has(time.toPlainDate().toString()) &&
        !without.moments.has(momentOf(time, reading.zone))
      );
    })
    .toSorted((one, other) => Temporal.PlainDateTime.compare(one, other));
}
