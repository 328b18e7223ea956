// Writes tasks for calendars (RFC 5545, VTODO). What calendars have no property for is in properties of our own, which others
// leave alone and sources/calendar.ts reads. The same tasks give the same text.
import { sayRepeat } from '../../dates/words.ts';
import type { Reminder } from '../../reminders.ts';
import { isDayWhen, isInstantWhen, momentOf, type When } from '../../when.ts';
import { exactMetadata, exactReminders, exactRule, exactWhen, joinNames } from './exact.ts';
import { rruleOf } from './rrule.ts';
import { fullNotes, type OutList, type OutTask, type OutTree } from './tree.ts';
import { basicTime, zoneLines } from './zones.ts';

/** Names the program that wrote a calendar. */
export const calendarProduct = '-//Posthaste//Posthaste//EN';
const MOST_OCTETS = 75;
/** Levels of the label group "Priority", as calendars number them. */
export const priorityGroup = 'Priority';
const PRIORITIES: Readonly<Record<string, string>> = { p1: '1', p2: '5', p3: '9' };
// oxlint-disable-next-line no-control-regex -- It is control characters that are taken out.
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/g;

/** Escaped for a value of text. */
export function calendarText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(CONTROLS, '')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);
}

const octets = (point: string) => {
  const code = point.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
};

/** Folds a line so that none is longer than 75 octets. */
export function foldLine(line: string): string {
  let folded = '';
  let length = 0;
  for (const point of line) {
    const size = octets(point);
    if (length + size > MOST_OCTETS) {
      folded += '\r\n ';
      length = 1;
    }
    folded += point;
    length += size;
  }
  return folded;
}

/** A moment, milliseconds, as `20261127T170000Z`. */
export const utc = (at: number): string =>
  `${basicTime(Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC').toPlainDateTime())}Z`;

/** Whether calendars can say this moment by the wall clock of its zone: it has a name, and the clock shows it once. */
export function isWallTime({ at, zone }: { readonly at: number; readonly zone: string }): boolean {
  if (!/^[A-Za-z][\w/+-]*$/.test(zone) || zone === 'UTC') return false;
  const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime();
  // Programs disagree about which of two equal hours is meant.
  return (['earlier', 'later'] as const).every(
    (disambiguation) => wall.toZonedDateTime(zone, { disambiguation }).epochMilliseconds === at,
  );
}

/** A date as parameters and value: `;VALUE=DATE:20261127`. */
export function dateValue(when: When): string {
  if (isDayWhen(when)) return `;VALUE=DATE:${when.on.replaceAll('-', '')}`;
  if (!isInstantWhen(when)) return `:${basicTime(Temporal.PlainDateTime.from(when.local))}`;
  if (!isWallTime(when)) return `;X-POSTHASTE-ZONE="${when.zone}":${utc(when.at)}`;
  const wall = Temporal.Instant.fromEpochMilliseconds(when.at)
    .toZonedDateTimeISO(when.zone)
    .toPlainDateTime();
  return `;TZID=${when.zone}:${basicTime(wall)}`;
}

const kindOf = (when: When) => (isDayWhen(when) ? 'day' : isInstantWhen(when) ? 'moment' : 'floating');

/** Calendars have a start and a due date of one kind, the start first. */
const isPair = (start: When, due: When) =>
  kindOf(start) === kindOf(due) && momentOf(start, 'UTC') < momentOf(due, 'UTC');

/** Reminders that are alarms, and those that calendars have no alarm for. */
function isAlarm(reminder: Reminder, { due }: OutTask): boolean {
  return 'before' in reminder ? due !== null : isInstantWhen(reminder.when);
}

function alarmLines(reminder: Reminder, title: string): readonly string[] {
  const trigger =
    'before' in reminder
      ? `;RELATED=END:${reminder.before === 0 ? '' : '-'}PT${reminder.before}M`
      : isInstantWhen(reminder.when)
        ? `;VALUE=DATE-TIME;X-POSTHASTE-ZONE="${reminder.when.zone}":${utc(reminder.when.at)}`
        : '';
  const text = calendarText(title === '' ? 'Reminder' : title);
  return ['BEGIN:VALARM', 'ACTION:DISPLAY', `DESCRIPTION:${text}`, `TRIGGER${trigger}`, 'END:VALARM'];
}

class TodoWriter {
  readonly #task: OutTask;
  readonly #list: OutList;
  readonly lines: string[] = [];

  constructor(task: OutTask, list: OutList) {
    this.#task = task;
    this.#list = list;
  }

  #text(name: string, text: string): void {
    if (text !== '') this.lines.push(`${name}:${calendarText(text)}`);
  }

  write(): readonly string[] {
    const { id, title, done, createdAt, parent, duration } = this.#task;
    this.lines.push('BEGIN:VTODO', `UID:${id}`, `DTSTAMP:${utc(createdAt)}`, `CREATED:${utc(createdAt)}`);
    this.lines.push(`SUMMARY:${calendarText(title)}`);
    this.#text('DESCRIPTION', fullNotes(this.#task));
    this.#dates();
    if (done === null) this.lines.push('STATUS:NEEDS-ACTION');
    else this.lines.push('STATUS:COMPLETED', `COMPLETED:${utc(done)}`, 'PERCENT-COMPLETE:100');
    if (parent !== null) this.lines.push(`RELATED-TO;RELTYPE=PARENT:${parent}`);
    if (duration !== null) this.lines.push(`ESTIMATED-DURATION:PT${duration}M`);
    this.#labels();
    this.#own();
    const alarms = this.#task.reminders.filter((reminder) => isAlarm(reminder, this.#task));
    for (const alarm of alarms) this.lines.push(...alarmLines(alarm, title));
    this.lines.push('END:VTODO');
    return this.lines;
  }

  #dates(): void {
    const { due, start, repeat } = this.#task;
    const lead = due ?? start;
    const rule = repeat === null || lead === null ? null : rruleOf(repeat, isDayWhen(lead));
    const isStartHere = start !== null && (due === null || isPair(start, due));
    // A rule counts from a start: without one of its own, from the due date.
    const first = isStartHere ? start : rule === null ? null : due;
    if (first !== null) this.lines.push(`DTSTART${dateValue(first)}`);
    if (due !== null) this.lines.push(`DUE${dateValue(due)}`);
    if (start !== null && !isStartHere) this.#text('X-POSTHASTE-START', exactWhen(start));
    if (repeat === null) return;
    if (rule !== null) this.lines.push(`RRULE:${rule}`);
    else this.#text('COMMENT', `Repeats ${sayRepeat(repeat)}`);
    this.#text('X-POSTHASTE-REPEAT', exactRule(repeat));
  }

  #labels(): void {
    const { labels } = this.#task;
    const priority = labels.find(
      ({ group, name }) => group === priorityGroup && PRIORITIES[name] !== undefined,
    );
    if (priority) this.lines.push(`PRIORITY:${PRIORITIES[priority.name] ?? '0'}`);
    const others = labels.filter((label) => label !== priority);
    if (others.length > 0)
      this.lines.push(`CATEGORIES:${others.map(({ name }) => calendarText(name)).join(',')}`);
    const grouped = others.flatMap(({ group, name }) =>
      group === null ? [] : [joinNames([group, name], '/')],
    );
    this.#text('X-POSTHASTE-LABELS', joinNames(grouped, '; '));
  }

  #own(): void {
    const { snooze, reminders, metadata, isBookmarked, isCollapsed } = this.#task;
    const { id, folders, name, isInbox, isShared } = this.#list;
    if (snooze !== null) this.#text('X-POSTHASTE-SNOOZE', exactWhen(snooze));
    const silent = reminders.filter((reminder) => !isAlarm(reminder, this.#task));
    this.#text('X-POSTHASTE-REMINDERS', exactReminders(silent));
    this.#text('X-POSTHASTE-METADATA', exactMetadata(metadata));
    if (isBookmarked) this.lines.push('X-POSTHASTE-BOOKMARKED:TRUE');
    if (isCollapsed) this.lines.push('X-POSTHASTE-COLLAPSED:TRUE');
    const marks = `${isInbox ? ';X-INBOX=TRUE' : ''}${isShared ? ';X-SHARED=TRUE' : ''}`;
    const path = calendarText(joinNames([...folders, name], '/'));
    this.lines.push(`X-POSTHASTE-LIST;X-ID=${id}${marks}:${path}`);
  }
}

/** Every zone that a date names, with the first and the last moment in it. */
function zonesIn({ lists }: OutTree): ReadonlyMap<string, readonly [from: number, to: number]> {
  const zones = new Map<string, readonly [number, number]>();
  for (const { tasks } of lists)
    for (const { due, start } of tasks)
      for (const when of [due, start]) {
        if (when === null || !isInstantWhen(when) || !isWallTime(when)) continue;
        const [from, to] = zones.get(when.zone) ?? [when.at, when.at];
        zones.set(when.zone, [Math.min(from, when.at), Math.max(to, when.at)]);
      }
  return new Map([...zones].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The text of these lines, folded. */
export const calendarLines = (lines: readonly string[]): string =>
  lines.map((line) => `${foldLine(line)}\r\n`).join('');

/** The calendar of a tree. */
export function writeCalendar(tree: OutTree): string {
  const zones = [...zonesIn(tree)].flatMap(([zone, [from, to]]) => zoneLines(zone, from, to));
  const todos = tree.lists.flatMap((list) =>
    list.tasks.flatMap((task) => new TodoWriter(task, list).write()),
  );
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${calendarProduct}`,
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${calendarText(tree.name)}`,
    ...zones,
    ...todos,
    'END:VCALENDAR',
  ];
  return calendarLines(lines);
}
