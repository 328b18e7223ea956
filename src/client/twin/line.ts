// One task on one line: box, title, words for dates, repeats, lengths and labels, and the mark of its id. Words count at the
// end of the line only, and only those that are understood; everything before them is the title.
import { readDate, readDuration } from '#core/dates/phrase.ts';
import { plainContext } from '#core/dates/plain-context.ts';
import { readRepeat } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { sayRepeat } from '#core/dates/words.ts';
import { isDay, isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import { plainTitle, type Content } from './model.ts';

/** How words are understood. */
export interface Reading {
  readonly now: number;
  readonly zone: string;
  readonly labels: ReadonlySet<string>;
}

/** A line that has a box. */
export const BOX = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)\[(.)\](?:([ \t]+)(.*))?$/u;
const MARK = /(?:^|[ \t]+)\^([0-9a-f]{32}|[0-9a-f]{12})[ \t]*$/;
const TAIL =
  /(^|[ \t]+)(\\*)((?:(due|start|snooze|repeat|for):("(?:[^"\\]|\\.)*"|[^\s"]+))|(?:#("(?:[^"\\]|\\.)*"|[^\s"#]+)))$/u;

/** The mark that lines of a task end with. */
export const markOf = (id: string) => id.slice(-12);
/** For a task whose short mark another one has. */
export const longMarkOf = (id: string) => id.replaceAll('-', '');

function timeOf(when: When, zone: string): string {
  if (isDayWhen(when)) return when.on;
  const at = isInstantWhen(when)
    ? when.at
    : Temporal.PlainDateTime.from(when.local).toZonedDateTime(zone).epochMilliseconds;
  return Temporal.Instant.fromEpochMilliseconds(at).toString({ smallestUnit: 'millisecond' });
}

/** Undefined: not understood. */
function dateIn(text: string, { now, zone }: Reading): string | undefined {
  if (isDay(text)) return text;
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) {
    try {
      if (/(?:Z|[+-]\d{2}:\d{2})$/.test(text))
        return Temporal.Instant.from(text).toString({ smallestUnit: 'millisecond' });
      const local = Temporal.PlainDateTime.from(text);
      return local.toZonedDateTime(zone).toInstant().toString({ smallestUnit: 'millisecond' });
    } catch {
      // Such as a day that no month has.
      return undefined;
    }
  }
  const [reading] = readDate(text, plainContext(now, zone), { vocabulary: english });
  if (reading === undefined || reading.isGuess || reading.when === null) return undefined;
  return timeOf(reading.when, zone);
}

function repeatIn(text: string, { now, zone }: Reading): string | undefined {
  const [reading] = readRepeat(text, plainContext(now, zone), { vocabulary: english });
  return reading === undefined ? undefined : sayRepeat(reading.rule);
}

function unquoted(text: string): string | undefined {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

type Words = { -readonly [Name in 'due' | 'start' | 'snooze' | 'repeat' | 'minutes']: Content[Name] } & {
  labels: string[];
};

/** Takes one word into `words`; false: it is not one, or the second of its kind. */
function take(words: Words, found: RegExpExecArray, reading: Reading): boolean {
  const [, , , , name, given = '', label] = found;
  const text = unquoted(label ?? given);
  if (text === undefined) return false;
  if (label !== undefined) {
    if (!reading.labels.has(text) || words.labels.includes(text)) return false;
    words.labels.push(text);
    return true;
  }
  if (name === 'for') {
    const minutes = readDuration(text, { vocabulary: english });
    if (words.minutes !== null || minutes === null) return false;
    words.minutes = minutes;
    return true;
  }
  if (name !== 'due' && name !== 'start' && name !== 'snooze' && name !== 'repeat') return false;
  const value = name === 'repeat' ? repeatIn(text, reading) : dateIn(text, reading);
  if (words[name] !== null || value === undefined) return false;
  words[name] = value;
  return true;
}

/** What follows the box, without its mark; notes are not part of the line. */
export function readLine(text: string, reading: Reading): Omit<Content, 'isDone' | 'notes'> {
  const words: Words = { due: null, start: null, snooze: null, repeat: null, minutes: null, labels: [] };
  let rest = text.trim();
  for (;;) {
    const found = TAIL.exec(rest);
    if (!found) break;
    const [whole, space = '', escapes = ''] = found;
    const before = rest.slice(0, rest.length - whole.length);
    if (escapes !== '') {
      rest = before + space + whole.slice(space.length + 1);
      break;
    }
    if (!take(words, found, reading)) break;
    rest = before;
  }
  return { ...words, title: plainTitle(rest), labels: words.labels.toSorted() };
}

/** The text before the mark, and the mark. */
export function splitMark(text: string): { readonly text: string; readonly mark: string | null } {
  const found = MARK.exec(text);
  return found ? { text: text.slice(0, found.index), mark: found[1] ?? null } : { text, mark: null };
}

function printDate(value: string, zone: string): string {
  if (isDay(value)) return value;
  const local = Temporal.Instant.from(value).toZonedDateTimeISO(zone).toPlainDateTime();
  const isClear = local.toZonedDateTime(zone).epochMilliseconds === Date.parse(value);
  if (!isClear) return value;
  const isMinute = local.second === 0 && local.millisecond === 0;
  return isMinute ? local.toString({ smallestUnit: 'minute' }) : local.toString();
}

const printLength = (minutes: number) => {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest}m`;
  return rest === 0 ? `${hours}h` : `${hours}h${String(rest).padStart(2, '0')}`;
};

const quoted = (text: string) => (/^[^\s"#\\]+$/u.test(text) ? text : JSON.stringify(text));

/** What follows the box; `readLine` reads it back. */
export function printLine(content: Omit<Content, 'isDone' | 'notes'>, mark: string, zone: string): string {
  const { due, start, snooze, repeat, minutes, labels } = content;
  const title = content.title.replace(TAIL, String.raw`$1\$2$3`);
  // A title must not end like the mark of an id.
  const safe = splitMark(title).mark === null ? title : `${title}.`;
  return [
    safe,
    ...(due === null ? [] : [`due:${printDate(due, zone)}`]),
    ...(start === null ? [] : [`start:${printDate(start, zone)}`]),
    ...(snooze === null ? [] : [`snooze:${printDate(snooze, zone)}`]),
    ...(repeat === null ? [] : [`repeat:${JSON.stringify(repeat)}`]),
    ...(minutes === null ? [] : [`for:${printLength(minutes)}`]),
    ...labels.map((label) => `#${quoted(label)}`),
    `^${mark}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
