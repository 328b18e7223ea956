// Dates, repeats, labels and reminders as text that says them exactly, for the formats of which we read our own files
// again: the writers and the readers (formats/sources/own-*.ts) share it. What a person typed into them instead is left
// to the readers of words.
import { readJson, isRecord } from '../../json.ts';
import { repeatUnits, type RepeatMetadata, type RepeatRule, type Weekday } from '../../model.ts';
import type { Reminder } from '../../reminders.ts';
import { isDayWhen, isInstantWhen, isWhen, type When } from '../../when.ts';

const BRACKETED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d.{0,40})\[([^[\]]{1,64})\]$/;
const MOST_VALUE = 10_000;
const WEEKDAYS: readonly unknown[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] satisfies Weekday[];

/** `2026-11-27`, `2026-11-27T17:00`, or with its zone `2026-11-27T17:00:00+01:00[Europe/Paris]` (RFC 9557). */
export function exactWhen(when: When): string {
  if (isDayWhen(when)) return when.on;
  if (!isInstantWhen(when)) return when.local;
  const instant = Temporal.Instant.fromEpochMilliseconds(when.at);
  const text = instant.toZonedDateTimeISO(when.zone).toString({ timeZoneName: 'never' });
  // Offsets of the nineteenth century have seconds, which the text rounds.
  const isExact = Temporal.Instant.from(text).epochMilliseconds === when.at;
  return `${isExact ? text : instant.toString()}[${when.zone}]`;
}

/** Reads what `exactWhen` wrote; null for anything else. */
export function readExactWhen(text: string): When | null {
  const [, moment, zone] = BRACKETED.exec(text.trim()) ?? [];
  const when = moment === undefined ? plain(text.trim()) : { at: instantIn(moment), zone };
  return isWhen(when) ? when : null;
}

const plain = (text: string) => (text.length === 10 ? { on: text } : { local: text });

function instantIn(text: string): number | null {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    // No moment: what holds it is no date.
    return null;
  }
}

/** A moment in UTC. */
export const exactMoment = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toString();

/** A rule as JSON on one line. */
export const exactRule = (rule: RepeatRule) => JSON.stringify(rule);

const isIn = (value: unknown, from: number, to: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to && value !== 0;

function isMetadata(value: unknown): value is RepeatMetadata {
  if (!isRecord(value) || Object.keys(value).length !== 1) return false;
  const { weekdays, monthDays } = value;
  if (Array.isArray(weekdays))
    return weekdays.length > 0 && weekdays.length <= 7 && weekdays.every((day) => WEEKDAYS.includes(day));
  return (
    Array.isArray(monthDays) &&
    monthDays.length > 0 &&
    monthDays.length <= 32 &&
    monthDays.every((day) => day === 'last day' || isIn(day, 1, 31))
  );
}

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/;

function isAnchorTime(value: unknown): value is RepeatRule['anchorTime'] {
  if (value === undefined) return true;
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([name, time]) =>
        (name === 'due' || name === 'start') &&
        (time === undefined || (typeof time === 'string' && CLOCK.test(time))),
    )
  );
}

/** A rule out of JSON from outside; null when it is none. */
export function readExactRule(text: string): RepeatRule | null {
  const value = readJson(text);
  if (!isRecord(value)) return null;
  const { value: every, also, metadata = null, from = null, missed, anchorDay = null, anchorTime } = value;
  const unit = repeatUnits.find((known) => known === value['unit']);
  const isAlso =
    also === undefined ||
    (Array.isArray(also) && also.length > 0 && also.length <= 5 && also.every((one) => isIn(one, -1, 31)));
  if (!isIn(every, -1, MOST_VALUE) || unit === undefined || !isAlso || !isAnchorTime(anchorTime)) return null;
  if (metadata !== null && !isMetadata(metadata)) return null;
  if (from !== null && from !== 'due date' && from !== 'completion') return null;
  if ((missed !== 'skip' && missed !== 'every') || (anchorDay !== null && !isIn(anchorDay, 1, 31)))
    return null;
  const parts = {
    ...(Array.isArray(also) ? { also: also.filter((one) => typeof one === 'number') } : {}),
    ...(anchorTime === undefined ? {} : { anchorTime }),
  };
  return { value: every, unit, metadata, from, missed, anchorDay, ...parts };
}

/** Reminders as JSON on one line; empty: none. */
export const exactReminders = (reminders: readonly Reminder[]) =>
  reminders.length === 0 ? '' : JSON.stringify(reminders);

/** The reminders in JSON from outside; what is none in it is left out. */
export function readExactReminders(text: string): readonly Reminder[] {
  const value = text.trim() === '' ? null : readJson(text);
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown): Reminder[] => {
    if (!isRecord(one)) return [];
    const { before, when } = one;
    if (typeof before === 'number' && Number.isInteger(before) && before >= 0) return [{ before }];
    return isWhen(when) ? [{ when }] : [];
  });
}

/** Metadata as JSON on one line; empty: none. */
export const exactMetadata = (metadata: Readonly<Record<string, string>>) =>
  Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata);

/** The texts in JSON from outside. */
export function readExactMetadata(text: string): Record<string, string> {
  const value = text.trim() === '' ? null : readJson(text);
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (typeof one === 'string' ? [[name, one]] : [])),
  );
}

/** Names joined by a sign, which a backslash keeps in a name. */
export function joinNames(names: readonly string[], sign: string): string {
  return names
    .map((name) => name.replaceAll('\\', '\\\\').replaceAll(sign.trim(), `\\${sign.trim()}`))
    .join(sign);
}

/** Names that `joinNames` joined. */
export function splitNames(text: string, sign: string): readonly string[] {
  const names: string[] = [''];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    const isEscape = letter === '\\' && at + 1 < text.length;
    if (isEscape) at += 1;
    if (!isEscape && letter === sign.trim()) names.push('');
    else names[names.length - 1] += isEscape ? text.charAt(at) : letter;
  }
  return names.map((name) => name.trim()).filter((name) => name !== '');
}
