// Writes Org: folders, lists and tasks as headlines, dates as planning lines, the rest as properties. Times are by the wall clock, for
// Org has no zones. sources/org.ts reads it back.
import { sayRepeat } from '../../dates/words.ts';
import type { RepeatRule } from '../../model.ts';
import { isDayWhen, isInstantWhen, type When } from '../../when.ts';
import { exactMetadata, exactReminders, exactRule, exactWhen, joinNames } from './exact.ts';
import { fullNotes, type OutList, type OutTask, type OutTree } from './tree.ts';

/** The line by which the reader knows our files. */
export const orgCreator = '#+CREATOR: Posthaste';
/** An Org convention: it keeps a sign from meaning something, and is not seen. */
export const orgGuard = '\u200B';
const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const UNITS: Readonly<Partial<Record<RepeatRule['unit'], string>>> = {
  hours: 'h',
  days: 'd',
  weeks: 'w',
  months: 'm',
  years: 'y',
};
const TAG = /^[\p{L}\p{N}_@#%]+$/u;
const DAY_MINUTES = 1_440;
/** Lines that Org, or our reader, would take for more than text. */
const MEANS_MORE =
  /^\s*(?:\*+\s|#|:[\w-]+:|[-+*]\s+\[|\|)|^\s*(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):|\[\[|^\s+\S/;

/** A repeat as a repeater; null: Org has none for it. */
export function repeaterOf({ value, unit, metadata, from, missed }: RepeatRule): string | null {
  const sign = UNITS[unit];
  if (sign === undefined || metadata !== null || value < 1 || value > 9_999) return null;
  const kind = from === 'completion' ? '.+' : missed === 'every' ? '+' : '++';
  return `${kind}${value}${sign}`;
}

function wallOf(when: When): { readonly day: string; readonly time: string } {
  if (isDayWhen(when)) return { day: when.on, time: '' };
  const wall = isInstantWhen(when)
    ? Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone).toPlainDateTime()
    : Temporal.PlainDateTime.from(when.local);
  return {
    day: wall.toPlainDate().toString(),
    time: ` ${wall.toPlainTime().toString({ smallestUnit: 'minute', roundingMode: 'floor' })}`,
  };
}

function stampText(when: When, marks = ''): string {
  const { day, time } = wallOf(when);
  return `${day} ${DAY_NAMES[Temporal.PlainDate.from(day).dayOfWeek - 1] ?? ''}${time}${marks}`;
}

const inactive = (at: number, zone: string) => `[${stampText({ at, zone })}]`;

/** One line, guarded where it would mean more. */
function headlineText(title: string, hasKeyword = false): string {
  const line = title.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim();
  const meansMore = hasKeyword ? /^(?:\[#|COMMENT\b|\u200B)/ : /^(?:TODO|DONE|\[#|COMMENT\b|\u200B)/;
  const front = meansMore.test(line) ? orgGuard : '';
  return `${front}${line}${/(?:\s:[^\s]+:|\u200B)$/.test(line) ? orgGuard : ''}`;
}

/** The warning of the due date that Org can say: one reminder of whole days. */
function warningOf({ reminders, due }: OutTask): number | null {
  const [only] = reminders;
  if (due === null || reminders.length !== 1 || only === undefined || !('before' in only)) return null;
  const days = only.before / DAY_MINUTES;
  return Number.isInteger(days) && days >= 1 && days <= 9_999 ? days : null;
}

function planningLine(task: OutTask, zone: string): string {
  const { due, start, done, repeat } = task;
  const repeater = repeat === null ? null : repeaterOf(repeat);
  const marks = repeater === null ? '' : ` ${repeater}`;
  const warning = warningOf(task);
  return [
    ...(done === null ? [] : [`CLOSED: ${inactive(done, zone)}`]),
    ...(due === null
      ? []
      : [`DEADLINE: <${stampText(due, `${marks}${warning === null ? '' : ` -${warning}d`}`)}>`]),
    ...(start === null ? [] : [`SCHEDULED: <${stampText(start, marks)}>`]),
  ].join(' ');
}

const zoneOf = (when: When | null) => (when !== null && isInstantWhen(when) ? when.zone : '');

function propertiesOf(task: OutTask, zone: string): readonly (readonly [string, string])[] {
  const { duration, labels, repeat, reminders, snooze } = task;
  const two = (value: number) => String(value).padStart(2, '0');
  const others = labels.filter(({ name, group }) => group !== null || !TAG.test(name) || name === 'ARCHIVE');
  return [
    ['ID', task.id],
    ['CREATED', inactive(task.createdAt, zone)],
    ['EFFORT', duration === null ? '' : `${Math.floor(duration / 60)}:${two(duration % 60)}`],
    ['DEADLINE_ZONE', zoneOf(task.due)],
    ['SCHEDULED_ZONE', zoneOf(task.start)],
    ['SNOOZED', snooze === null ? '' : exactWhen(snooze)],
    ['REPEATS', repeat === null || repeaterOf(repeat) !== null ? '' : sayRepeat(repeat)],
    ['REPEAT_RULE', repeat === null ? '' : exactRule(repeat)],
    [
      'LABELS',
      joinNames(
        others.map(({ group, name }) => joinNames(group === null ? [name] : [group, name], '/')),
        '; ',
      ),
    ],
    ['REMINDERS', warningOf(task) === null ? exactReminders(reminders) : ''],
    ['METADATA', exactMetadata(task.metadata)],
    ['BOOKMARKED', task.isBookmarked ? 'yes' : ''],
    ['COLLAPSED', task.isCollapsed ? 'yes' : ''],
  ];
}

function drawer(properties: readonly (readonly [string, string])[]): readonly string[] {
  const lines = properties.flatMap(([name, value]) => (value === '' ? [] : [`:${name}: ${value}`]));
  return lines.length === 0 ? [] : [':PROPERTIES:', ...lines, ':END:'];
}

/** Plain where no line would mean more, else in a block. */
function bodyLines(notes: string): readonly string[] {
  const clean = notes.replaceAll(/\r\n?/g, '\n').trimEnd();
  if (clean.trim() === '') return [];
  const lines = clean.split('\n');
  if (!lines.some((line) => MEANS_MORE.test(line)) && lines[0] !== '') return lines;
  const inside = lines.map((line) => line.replace(/^(?=,*(?:\*|#\+))/, ','));
  return ['#+BEGIN_SRC markdown', ...inside, '#+END_SRC'];
}

class OrgWriter {
  readonly lines: string[] = [];
  readonly #zone: string;
  #folders: readonly string[] = [];

  constructor(zone: string) {
    this.#zone = zone;
  }

  #folder(path: readonly string[]): void {
    let shared = 0;
    while (shared < path.length && path[shared] === this.#folders[shared]) shared += 1;
    for (let at = shared; at < path.length; at += 1)
      this.lines.push(
        `${'*'.repeat(at + 1)} ${headlineText(path[at] ?? '')}`,
        ...drawer([['KIND', 'folder']]),
      );
    this.#folders = path;
  }

  list(list: OutList): void {
    const { id, name, folders, notes, isInbox, isShared, isBookmarked, archivedAt } = list;
    this.#folder(folders);
    this.lines.push(
      `${'*'.repeat(folders.length + 1)} ${headlineText(name)}`,
      ...drawer([
        ['ID', id],
        ['KIND', isInbox ? 'inbox' : 'list'],
        ['SHARED', isShared ? 'yes' : ''],
        ['ARCHIVED', archivedAt === null ? '' : inactive(archivedAt, this.#zone)],
        ['BOOKMARKED', isBookmarked ? 'yes' : ''],
      ]),
      ...bodyLines(notes),
    );
    for (const task of list.tasks) this.#task(task, folders.length + 2);
  }

  #task(task: OutTask, level: number): void {
    const tags = task.labels
      .filter(({ name, group }) => group === null && TAG.test(name) && name !== 'ARCHIVE')
      .map(({ name }) => name);
    const shown = tags.length === 0 ? '' : ` :${tags.join(':')}:`;
    const planning = planningLine(task, this.#zone);
    this.lines.push(
      `${'*'.repeat(level + task.level)} ${task.done === null ? 'TODO' : 'DONE'} ${headlineText(task.title, true)}${shown}`,
      ...(planning === '' ? [] : [planning]),
      ...drawer(propertiesOf(task, this.#zone)),
      ...bodyLines(fullNotes(task)),
    );
  }
}

/** The document of a tree. `zone`: by whose clock moments are written. */
export function writeOrg({ name, lists }: OutTree, zone: string): string {
  const writer = new OrgWriter(zone);
  for (const list of lists) writer.list(list);
  const head = [`#+TITLE: ${name.replaceAll(/\s+/g, ' ')}`, orgCreator, '#+TODO: TODO | DONE', ''];
  return `${[...head, ...writer.lines].join('\n')}\n`.toWellFormed();
}
