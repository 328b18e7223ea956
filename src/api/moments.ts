// Dates between the program's form (core/when.ts) and the API's: a time in one field, a day in its timeless twin.
import { DAY_MS } from '#core/time.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import { parseMoment } from '#wire/api/values.ts';

const KEPT_DAYS = 4_096;
const days = new Map<number, string>();
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

function dayOf(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
  if (days.size >= KEPT_DAYS) days.clear();
  days.set(day, text);
  return text;
}

/** Same as Date's toISOString, which costs more than all the rest of showing a task. */
export function isoOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const rest = ms - day * DAY_MS;
  const two = (value: number) => twoDigits[Math.trunc(value)] ?? '';
  const thousandths = String(Math.trunc(rest % 1_000)).padStart(3, '0');
  const clock = `${two(rest / 3_600_000)}:${two((rest / 60_000) % 60)}:${two((rest / 1_000) % 60)}`;
  return `${dayOf(day)}${clock}.${thousandths}Z`;
}

/** As `isoOf`; null where there is no moment. */
export const isoOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : isoOf(ms);

/** A date as the API shows it. A floating time is shown as if its clock were in UTC. */
export function shown(when: When | null | undefined): {
  readonly at: string | null;
  readonly day: string | null;
} {
  if (when === null || when === undefined) return { at: null, day: null };
  if (isDayWhen(when)) return { at: null, day: when.on };
  if (isInstantWhen(when)) return { at: isoOf(when.at), day: null };
  return { at: isoOf(Date.parse(`${when.local}Z`)), day: null };
}

/**
 * The date requested by a pair of fields: undefined keeps the present one, null removes it. Both given is the caller's
 * error.
 */
export function asked(
  at: string | null | undefined,
  day: string | null | undefined,
  present: When | null,
  zone?: string | null,
): When | null | undefined {
  if (day !== null && day !== undefined) return { on: day };
  if (at !== null && at !== undefined) {
    const ms = parseMoment(at) ?? 0;
    // The zone of the earlier time is kept: a repeating task needs it.
    return { at: ms, zone: zone ?? (present !== null && isInstantWhen(present) ? present.zone : 'UTC') };
  }
  return at === null || day === null ? null : undefined;
}

/** Whether both look the same to a client of the API. */
export function isSame(a: When | null, b: When | null): boolean {
  const [one, other] = [shown(a), shown(b)];
  return one.at === other.at && one.day === other.day;
}
