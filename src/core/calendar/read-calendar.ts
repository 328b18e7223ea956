// Reads a calendar file (RFC 5545) into the events of a window. One entry that can't be read costs none of the others; who is invited is left out.
import ICAL from 'ical.js';
import { failed, ok, type Result } from '../result.ts';
import {
  type CalendarEvent,
  calendarLimits,
  type CalendarWindow,
  type EventTime,
  type ReadCalendar,
} from './events.ts';
import { plainDescription } from './event-words.ts';
import { momentOf, type Series, startsOf, type TimeReading } from './series.ts';
import { type EventZone, FileZones, namedZone } from './zones.ts';

/** `not_calendar`: something else, as the page of a sign-in. `too_large`: over the limits of characters. */
export type CalendarProblem = 'not_calendar' | 'too_large';

const DAY_MS = 86_400_000;
/** Zones are at most so far from each other. */
const MARGIN_MS = 2 * DAY_MS;
/** Years before and after which programs write what they can't say otherwise. */
const FIRST_YEAR = 1_800;
const LAST_YEAR = 2_400;

/** One VEVENT, with its times read. */
interface Entry {
  readonly component: ICAL.Component;
  readonly uid: string;
  readonly reading: TimeReading;
  readonly start: Temporal.PlainDateTime;
  /** Between start and end on the wall, or in milliseconds where they are of different zones. */
  readonly length: { readonly days: number } | { readonly ms: number } | { readonly wallMs: number };
  /** Which of a series it stands for. */
  readonly replaces: { readonly moment: number; readonly isFollowing: boolean } | null;
  readonly sequence: number;
}

interface File {
  readonly zones: FileZones;
  /** What times without a zone mean where the file says so (`X-WR-TIMEZONE`); null: times of wherever one is. */
  readonly ownZone: EventZone | null;
}

const textOf = (component: ICAL.Component, name: string, most: number): string => {
  const value = component.getFirstPropertyValue(name);
  if (typeof value !== 'string') return '';
  // Control characters are none of a title. Lines stay.
  // oxlint-disable-next-line no-control-regex -- It is control characters that are removed.
  const plain = value.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g, '').trim();
  return [...plain].slice(0, most).join('');
};

const wallOf = (time: ICAL.Time): Temporal.PlainDateTime =>
  time.isDate
    ? new Temporal.PlainDateTime(time.year, time.month, time.day)
    : new Temporal.PlainDateTime(
        time.year,
        time.month,
        time.day,
        time.hour,
        time.minute,
        Math.min(59, time.second),
      );

function firstTime(property: ICAL.Property | null): ICAL.Time | null {
  const value: unknown = property?.getFirstValue();
  return value instanceof ICAL.Time ? value : null;
}

/** How a property's times are meant. Throws where it names a zone that nobody knows. */
function readingOf(property: ICAL.Property, time: ICAL.Time, { zones, ownZone }: File): TimeReading {
  if (time.isDate) return { isDay: true, zone: null };
  if (time.zone?.tzid === 'UTC') return { isDay: false, zone: namedZone('UTC') };
  const tzid: unknown = property.getParameter('tzid');
  if (typeof tzid !== 'string' || tzid === '') return { isDay: false, zone: ownZone };
  // A zone that nobody knows: the clock on the wall is the best that there is.
  return { isDay: false, zone: zones.zone(tzid) ?? ownZone };
}

function isInTime(time: Temporal.PlainDateTime): boolean {
  return time.year >= FIRST_YEAR && time.year <= LAST_YEAR;
}

function lengthOf(
  component: ICAL.Component,
  start: ICAL.Time,
  reading: TimeReading,
  file: File,
): Entry['length'] {
  const property = component.getFirstProperty('dtend');
  const end = firstTime(property);
  const from = wallOf(start);
  if (end && property) {
    if (reading.isDay || end.isDate) {
      const days = from.toPlainDate().until(wallOf(end).toPlainDate()).days;
      // An end that is not after its start: the day itself.
      return { days: Math.max(1, days) };
    }
    const endReading = readingOf(property, end, file);
    const isSame = endReading.zone?.name === reading.zone?.name && endReading.zone?.name !== null;
    if (isSame || (endReading.zone === null && reading.zone === null))
      return { wallMs: Math.max(0, momentOf(wallOf(end), null) - momentOf(from, null)) };
    return { ms: Math.max(0, momentOf(wallOf(end), endReading.zone) - momentOf(from, reading.zone)) };
  }
  const duration: unknown = component.getFirstPropertyValue('duration');
  if (duration instanceof ICAL.Duration) {
    const seconds = Math.max(0, duration.toSeconds());
    return reading.isDay ? { days: Math.max(1, Math.ceil(seconds / 86_400)) } : { wallMs: seconds * 1_000 };
  }
  return reading.isDay ? { days: 1 } : { wallMs: 0 };
}

/** Throws where it has no time that can be read. */
function readEntry(component: ICAL.Component, file: File): Entry {
  const property = component.getFirstProperty('dtstart');
  const time = firstTime(property);
  if (!property || !time) throw new Error('An event needs a start.');
  const reading = readingOf(property, time, file);
  const start = wallOf(time);
  if (!isInTime(start)) throw new Error('No time of a calendar.');
  const id = component.getFirstProperty('recurrence-id');
  const replaced = firstTime(id);
  const uid = component.getFirstPropertyValue('uid');
  const sequence = Number(component.getFirstPropertyValue('sequence') ?? 0);
  return {
    component,
    // Without one it is told from others by what it says.
    uid:
      typeof uid === 'string' && uid.trim() !== ''
        ? uid.trim()
        : `${start.toString()} ${textOf(component, 'summary', 80)}`,
    reading,
    start,
    length: lengthOf(component, time, reading, file),
    replaces:
      id && replaced
        ? {
            moment: momentOf(wallOf(replaced), readingOf(id, replaced, file).zone),
            isFollowing: String(id.getParameter('range') ?? '').toUpperCase() === 'THISANDFUTURE',
          }
        : null,
    sequence: Number.isFinite(sequence) ? sequence : 0,
  };
}

const timeOf = (local: Temporal.PlainDateTime, { isDay, zone }: TimeReading): EventTime => {
  if (isDay) return { type: 'day', day: local.toPlainDate().toString() };
  return zone === null
    ? { type: 'floating', local: local.toString({ smallestUnit: 'minute' }) }
    : { type: 'moment', at: zone.at(local) };
};

function endOf(start: Temporal.PlainDateTime, { length, reading }: Entry): EventTime {
  if ('days' in length) return timeOf(start.add({ days: length.days }), { ...reading, isDay: true });
  if ('wallMs' in length) {
    const end = timeOf(start.add({ milliseconds: length.wallMs }), reading);
    const begin = timeOf(start, reading);
    // In the hour that a clock repeats an end can come before its start.
    return end.type === 'moment' && begin.type === 'moment' && end.at < begin.at
      ? { type: 'moment', at: begin.at + length.wallMs }
      : end;
  }
  return { type: 'moment', at: momentOf(start, reading.zone) + length.ms };
}

/** HTML is longer than what it says. */
const HTML_CHARACTERS = 4 * calendarLimits.descriptionCharacters;
const LINK = /^https?:\/\/[^\s<>"]+$/i;

function eventOf(entry: Entry, start: Temporal.PlainDateTime, occurrence: string | null): CalendarEvent {
  const { component, uid } = entry;
  const say = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
  const link = String(component.getFirstPropertyValue('url') ?? '');
  const isBusy = say('transp') !== 'TRANSPARENT' && say('x-microsoft-cdo-busystatus') !== 'FREE';
  return {
    uid,
    occurrence,
    start: timeOf(start, entry.reading),
    end: endOf(start, entry),
    // Calendars that tell only when somebody is busy have no titles.
    title: textOf(component, 'summary', calendarLimits.titleCharacters) || (isBusy ? 'Busy' : 'Free'),
    place: textOf(component, 'location', calendarLimits.placeCharacters),
    description: plainDescription(textOf(component, 'description', HTML_CHARACTERS)).slice(
      0,
      calendarLimits.descriptionCharacters,
    ),
    link: LINK.test(link) ? link : null,
    isBusy,
    isTentative: say('status') === 'TENTATIVE' || say('x-microsoft-cdo-busystatus') === 'TENTATIVE',
  };
}

/** Whether it isn't to be shown: it was canceled, or declined by whose calendar it is. */
function isOff({ component }: Entry, own: readonly string[] = []): boolean {
  if (String(component.getFirstPropertyValue('status') ?? '').toUpperCase() === 'CANCELLED') return true;
  return (
    own.length > 0 &&
    component.getAllProperties('attendee').some((attendee) => {
      const isDeclined = String(attendee.getFirstParameter('partstat') ?? '').toUpperCase() === 'DECLINED';
      const address = String(attendee.getFirstValue() ?? '').toLowerCase();
      return isDeclined && own.includes(address.replace(/^mailto:/, ''));
    })
  );
}

/** The values of a property; none where they mean nothing. */
function valuesOf(property: ICAL.Property): readonly unknown[] {
  try {
    return property.getValues() as readonly unknown[];
  } catch {
    return [];
  }
}

/** Every value of the properties of a name: they may stand in one line or in several. */
function timesOf(component: ICAL.Component, name: string, file: File) {
  return component.getAllProperties(name).flatMap((property) =>
    valuesOf(property).flatMap((value) => {
      const time = value instanceof ICAL.Period ? value.start : value;
      return time instanceof ICAL.Time ? [{ time, reading: readingOf(property, time, file) }] : [];
    }),
  );
}

function seriesOf(entry: Entry, file: File): Series {
  const { component, reading, start } = entry;
  const moments = new Set<number>();
  const days = new Set<string>();
  for (const { time, reading: of } of timesOf(component, 'exdate', file)) {
    if (of.isDay) days.add(wallOf(time).toPlainDate().toString());
    // Where the series has no zone or is of days, the time is taken as it stands.
    else if (reading.isDay) days.add(wallOf(time).toPlainDate().toString());
    else moments.add(momentOf(wallOf(time), reading.zone === null ? null : (of.zone ?? reading.zone)));
  }
  const added = timesOf(component, 'rdate', file).map(({ time, reading: of }) => {
    const local = wallOf(time);
    if (of.isDay && !reading.isDay) return local.withPlainTime(start.toPlainTime());
    if (of.zone === null || reading.zone === null || of.zone.name === reading.zone.name) return local;
    const at = of.zone.at(local);
    return reading.zone.name === null
      ? local
      : Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(reading.zone.name).toPlainDateTime();
  });
  const rules = component
    .getAllProperties('rrule')
    .flatMap((property) => valuesOf(property).filter((value) => value instanceof ICAL.Recur));
  return { start, reading, rules, added, without: { moments, days } };
}

const instantText = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toString();

const momentOfTime = (time: EventTime, zone: string): number =>
  time.type === 'moment'
    ? time.at
    : Temporal.PlainDateTime.from(time.type === 'day' ? time.day : time.local).toZonedDateTime(zone)
        .epochMilliseconds;

/** When it begins, in wall milliseconds, for somebody in this zone. */
export const beginningOf = ({ start }: CalendarEvent, zone: string): number => momentOfTime(start, zone);
/** When it ends. */
export const endingOf = ({ end }: CalendarEvent, zone: string): number => momentOfTime(end, zone);

/** The later of two entries that say the same counts: by its number, then by its place in the file. */
function latest(entries: readonly Entry[], keyOf: (entry: Entry) => string): readonly Entry[] {
  const chosen = new Map<string, Entry>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const before = chosen.get(key);
    if (before === undefined || entry.sequence >= before.sequence) chosen.set(key, entry);
  }
  return [...chosen.values()];
}

class Reading {
  readonly #file: File;
  readonly #window: CalendarWindow;
  readonly events: CalendarEvent[] = [];
  unread = 0;
  isCut = false;

  constructor(file: File, window: CalendarWindow) {
    this.#file = file;
    this.#window = window;
  }

  read(components: readonly ICAL.Component[]): void {
    const byUid = new Map<string, Entry[]>();
    for (const component of components) {
      try {
        const entry = readEntry(component, this.#file);
        byUid.set(entry.uid, [...(byUid.get(entry.uid) ?? []), entry]);
      } catch {
        this.unread += 1;
      }
    }
    for (const entries of byUid.values())
      try {
        this.#readOne(entries);
      } catch {
        this.unread += entries.length;
      }
  }

  /** All entries of one name: a series with those that were changed by themselves. */
  #readOne(entries: readonly Entry[]): void {
    const changed = latest(
      entries.filter(({ replaces }) => replaces !== null),
      ({ replaces }) => String(replaces?.moment),
    );
    const [master] = latest(
      entries.filter(({ replaces }) => replaces === null),
      () => '',
    );
    const replaced = new Set(changed.map(({ replaces }) => replaces?.moment));
    if (master && !this.#isOff(master)) this.#readSeries(master, changed, replaced);
    for (const entry of changed) {
      const { replaces } = entry;
      if (replaces === null || this.#isOff(entry)) continue;
      // One that was taken out of its series altogether stays out.
      this.#add(entry, entry.start, instantText(replaces.moment));
    }
  }

  #readSeries(master: Entry, changed: readonly Entry[], replaced: ReadonlySet<number | undefined>): void {
    const series = seriesOf(master, this.#file);
    if (series.rules.length === 0 && series.added.length === 0) {
      const isReplaced = replaced.has(momentOf(master.start, master.reading.zone));
      if (!isReplaced) this.#add(master, master.start, null);
      return;
    }
    const following = changed
      .filter(({ replaces }) => replaces?.isFollowing === true)
      .toSorted((one, other) => (one.replaces?.moment ?? 0) - (other.replaces?.moment ?? 0));
    let starts: readonly Temporal.PlainDateTime[];
    try {
      starts = startsOf(series, ...this.#wall(master));
    } catch {
      // A rule that means nothing: the first is there all the same.
      this.unread += 1;
      starts = [master.start];
    }
    for (const start of starts) {
      const moment = momentOf(start, master.reading.zone);
      if (replaced.has(moment)) continue;
      const from = following.findLast(({ replaces }) => replaces !== null && replaces.moment <= moment);
      if (from && this.#isOff(from)) continue;
      const shifted = from?.replaces
        ? start.add({ milliseconds: momentOf(from.start, from.reading.zone) - from.replaces.moment })
        : start;
      if (!this.#add(from ?? master, shifted, instantText(moment))) return;
    }
  }

  #isOff(entry: Entry): boolean {
    const { addresses } = this.#window;
    return isOff(entry, addresses);
  }

  /** The window on the wall of an entry, with room for its length and its zone. */
  #wall({ length }: Entry): [from: Temporal.PlainDateTime, to: Temporal.PlainDateTime] {
    const { from, to } = this.#window;
    const lengthMs = 'days' in length ? length.days * DAY_MS : 'ms' in length ? length.ms : length.wallMs;
    const wall = (at: number) =>
      Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC').toPlainDateTime();
    return [wall(from - Math.min(lengthMs, 400 * DAY_MS) - MARGIN_MS), wall(to + MARGIN_MS)];
  }

  /** False: there are as many as there may be. */
  #add(entry: Entry, start: Temporal.PlainDateTime, occurrence: string | null): boolean {
    const event = eventOf(entry, start, occurrence);
    const { from, to, zone } = this.#window;
    const begin = beginningOf(event, zone);
    const end = Math.max(endingOf(event, zone), begin + 1);
    if (begin >= to || end <= from) return true;
    if (this.events.length >= calendarLimits.events) {
      this.isCut = true;
      return false;
    }
    this.events.push(event);
    return true;
  }
}

const BEGINS = /^BEGIN:(VEVENT|VTIMEZONE)[ \t]*$/i;

/** The entries and zones of a file as texts. `null`: one that isn't ended. */
function* blocksOf(text: string): Iterable<string | null> {
  let lines: string[] | null = null;
  let name = '';
  for (const line of text.split('\n')) {
    const begun = BEGINS.exec(line)?.[1]?.toUpperCase();
    if (begun !== undefined) {
      if (lines) yield null;
      lines = [];
      name = begun;
    }
    lines?.push(line);
    if (!lines || line.trimEnd().toUpperCase() !== `END:${name}`) continue;
    yield lines.join('\n');
    lines = null;
  }
  if (lines) yield null;
}

const REPEATS = /^(?:RRULE|RDATE|EXDATE|EXRULE)[;:].*(?:\n[ \t].*)*$/gm;

/** Null: it can't be read. */
function parseBlock(block: string): ICAL.Component | null {
  try {
    return new ICAL.Component(ICAL.parse(block) as never);
  } catch {
    // Which line it is makes no difference.
    return null;
  }
}

/** Where one line spoils the file, its entries are read one by one; those with a repeat that means nothing, without it. */
function parseApart(text: string): { readonly found: ICAL.Component[]; readonly broken: number } {
  const found: ICAL.Component[] = [];
  let broken = 0;
  for (const block of blocksOf(text)) {
    const whole = block === null ? null : parseBlock(block);
    const rest = block === null ? null : (whole ?? parseBlock(block.replaceAll(REPEATS, 'X-LEFT-OUT:1')));
    if (whole === null) broken += 1;
    if (rest !== null) found.push(rest);
  }
  return { found, broken };
}

interface Parsed {
  readonly calendars: readonly ICAL.Component[];
  readonly events: readonly ICAL.Component[];
  readonly zones: readonly ICAL.Component[];
  readonly broken: number;
}

function parse(text: string): Parsed {
  try {
    const parsed = ICAL.parse(text) as unknown[];
    const several = Array.isArray(parsed[0]) ? parsed : [parsed];
    const calendars = several.map((each) => new ICAL.Component(each as never));
    return {
      calendars,
      events: calendars.flatMap((calendar) => calendar.getAllSubcomponents('vevent')),
      zones: calendars.flatMap((calendar) => calendar.getAllSubcomponents('vtimezone')),
      broken: 0,
    };
  } catch {
    const { found, broken } = parseApart(text);
    const named = (name: string) => found.filter((component) => component.name === name);
    return { calendars: [], events: named('vevent'), zones: named('vtimezone'), broken };
  }
}

/** What programs write that isn't the standard's, as it would say it. */
const plainly = (given: string): string =>
  given
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?|\u2028/g, '\n')
    // Names in small letters, and rules.
    .replaceAll(/^[a-z-]+(?=[;:])/gm, (name) => name.toUpperCase())
    .replaceAll(/^(?:BEGIN|END|RRULE)[;:].*$/gm, (line) => line.toUpperCase().trimEnd())
    // A day without the word for it.
    .replaceAll(
      /^(DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)((?:;(?!VALUE=)[^:;\n]+)*):(?=\d{8}(?:,\d{8})*\s*$)/gim,
      '$1$2;VALUE=DATE:',
    );

/** Reads a file, decoded, into the events that touch a window. */
export function readCalendar(given: string, within: CalendarWindow): Result<ReadCalendar, CalendarProblem> {
  if (given.length > calendarLimits.characters) return failed('too_large');
  const text = plainly(given);
  if (!/^BEGIN:VCALENDAR[ \t]*$/im.test(text.slice(0, 2_000))) return failed('not_calendar');
  const { calendars, events, zones, broken } = parse(text);
  const said = (name: string) => {
    const value = calendars[0]?.getFirstPropertyValue(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const file = { zones: new FileZones(zones), ownZone: namedZone(said('x-wr-timezone')) };
  const reading = new Reading(file, within);
  const considered = events.slice(0, calendarLimits.entries);
  reading.read(considered);
  return ok({
    name: said('x-wr-calname') || said('name'),
    events: reading.events.toSorted(
      (one, other) => beginningOf(one, within.zone) - beginningOf(other, within.zone),
    ),
    unread: reading.unread + broken,
    isCut: reading.isCut || considered.length < events.length,
  });
}
