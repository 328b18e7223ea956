// Writes time zones for calendars (RFC 5545, VTIMEZONE): the offsets of a zone over a span of time, one by one.

const AFTER_MS = 10 * 366 * 86_400_000;
const MOST = 600;
const two = (value: number) => String(value).padStart(2, '0');

function offsetText(ns: number): string {
  const seconds = Math.abs(Math.round(ns / 1e9));
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${ns < 0 ? '-' : '+'}${two(hours)}${two(minutes)}${rest === 0 ? '' : two(rest)}`;
}

/** `20261127T170000`. */
export const basicTime = (wall: Temporal.PlainDateTime) =>
  wall.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');

/** The lines of a zone from one moment to ten years after another, milliseconds. */
export function zoneLines(zone: string, from: number, to: number): readonly string[] {
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const end = to + AFTER_MS;
  const lines: string[] = [];
  const add = (start: Temporal.ZonedDateTime, before: number) => {
    // The wall clock before the change names its beginning.
    const wall = start.toInstant().add({ nanoseconds: before }).toZonedDateTimeISO('UTC').toPlainDateTime();
    const kind = start.offsetNanoseconds > before ? 'DAYLIGHT' : 'STANDARD';
    lines.push(
      `BEGIN:${kind}`,
      `DTSTART:${basicTime(wall)}`,
      `TZOFFSETFROM:${offsetText(before)}`,
      `TZOFFSETTO:${offsetText(start.offsetNanoseconds)}`,
      `END:${kind}`,
    );
  };
  const previous = at(from).getTimeZoneTransition('previous');
  const first = previous ?? at(Date.UTC(1900, 0, 1));
  add(
    first,
    previous === null ? first.offsetNanoseconds : first.subtract({ nanoseconds: 1 }).offsetNanoseconds,
  );
  let last = first.offsetNanoseconds;
  let next = first.getTimeZoneTransition('next');
  for (let count = 0; next !== null && next.epochMilliseconds <= end && count < MOST; count += 1) {
    add(next, last);
    last = next.offsetNanoseconds;
    next = next.getTimeZoneTransition('next');
  }
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...lines, 'END:VTIMEZONE'];
}
