// Reads the tasks of calendars (iCalendar, VTODO) as Nextcloud, Apple, Tasks.org, Thunderbird and others write them.
// Events and journals are no tasks.
import { failed, ok } from '../../result.ts';
import {
  type Format,
  lines,
  paragraphs,
  type RawDate,
  rawList,
  type RawList,
  rawTask,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import { readIso, zoneOr } from '../import/dates.ts';
import type { Given } from '../import/given.ts';
import { type Flat, nest, withChildren } from '../import/nesting.ts';
import { readRecurrence, spanMinutes } from '../import/recurrence.ts';
import { giveRule } from '../import/ruled.ts';
import { calendarProduct } from '../export/calendar.ts';
import { readExactMetadata, readExactReminders, readExactRule, splitNames } from '../export/exact.ts';
import { rruleOf } from '../export/rrule.ts';
import { ownDate, ownLabels } from './own.ts';
import { wordTable } from '../word-table.ts';

interface Property {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

interface Component {
  readonly name: string;
  readonly properties: Property[];
  readonly parts: Component[];
}

const LINE = /^([\w.-]{1,100})((?:;[\w-]{1,100}=(?:"[^"]{0,1000}"|[^;:"]{0,1000})){0,20}):([\s\S]*)$/;
const DEEPEST = 10;
/** Apple's sign for an alarm by place. */
const NO_TIME = '19760401T005545Z';

/** Unfolds and reads the lines as components. */
function componentsIn(text: string): Component {
  const root: Component = { name: '', properties: [], parts: [] };
  const open: Component[] = [root];
  const unfolded = text.replaceAll(/\r\n?/g, '\n').replaceAll(/\n[ \t]/g, '');
  for (const line of unfolded.split('\n')) {
    const [whole, name = '', parameters = '', value = ''] = LINE.exec(line) ?? [];
    if (whole === undefined) continue;
    const upper = name.toUpperCase();
    const inside = open.at(-1) ?? root;
    if (upper === 'BEGIN') {
      const part = { name: value.trim().toUpperCase(), properties: [], parts: [] };
      inside.parts.push(part);
      open.push(open.length > DEEPEST ? inside : part);
    } else if (upper === 'END') {
      if (open.length > 1) open.pop();
    } else inside.properties.push({ name: upper, parameters: parametersOf(parameters), value });
  }
  return root;
}

function parametersOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/;([\w-]+)=(?:"([^"]*)"|([^;:"]*))/g)].map(([, name = '', quoted, bare = '']) => [
      name.toUpperCase(),
      quoted ?? bare,
    ]),
  );
}

const unescaped = (text: string) =>
  text.replaceAll(/\\([nN,;\\])/g, (_whole, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign));

function* todosIn(root: Component): Generator<{ readonly todo: Component; readonly calendar: Component }> {
  const waiting = [...root.parts].toReversed().map((part) => ({ part, calendar: root }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { part, calendar } = next;
    if (part.name === 'VTODO') yield { todo: part, calendar };
    else for (const inner of part.parts.toReversed()) waiting.push({ part: inner, calendar: part });
  }
}

/** Properties that are kept as lines of the notes. */
const NOTED: Readonly<Record<string, string>> = wordTable({
  LOCATION: 'Location',
  GEO: 'Location',
  URL: 'URL',
  ATTACH: 'Attachment',
  ORGANIZER: 'Organizer',
  ATTENDEE: 'Attendee',
  COMMENT: 'Comment',
  CONTACT: 'Contact',
  RESOURCES: 'Resources',
});

class Todo {
  readonly #component: Component;
  readonly #tools: Tools;
  /** In a calendar that Posthaste wrote. */
  readonly #isOwn: boolean;

  constructor(component: Component, tools: Tools, isOwn: boolean) {
    this.#component = component;
    this.#tools = tools;
    this.#isOwn = isOwn;
  }

  all(name: string): readonly Property[] {
    return this.#component.properties.filter((property) => property.name === name);
  }

  text(name: string): string {
    return unescaped(this.all(name)[0]?.value ?? '').trim();
  }

  date(name: string): RawDate | null {
    const [property] = this.all(name);
    if (!property || property.value.trim() === '') return null;
    const { parameters, value } = property;
    const zone = zoneOr(parameters.get('TZID') ?? parameters.get('X-POSTHASTE-ZONE'), '');
    return { words: value.trim(), zone };
  }

  get uid(): string {
    return this.text('UID');
  }

  get parent(): string {
    const related = this.all('RELATED-TO').find(
      ({ parameters }) => (parameters.get('RELTYPE') ?? 'PARENT').toUpperCase() === 'PARENT',
    );
    return related?.value.trim() ?? '';
  }

  /** The list that it was in, of a calendar of ours. */
  get list(): { readonly id: string; readonly path: readonly string[]; readonly isInbox: boolean } | null {
    const [property] = this.#isOwn ? this.all('X-POSTHASTE-LIST') : [];
    if (!property) return null;
    const { parameters, value } = property;
    const isInbox = parameters.get('X-INBOX') === 'TRUE';
    return { id: parameters.get('X-ID') ?? '', path: splitNames(unescaped(value), '/'), isInbox };
  }

  get order(): number | null {
    const order = Number(this.text('X-APPLE-SORT-ORDER'));
    return this.text('X-APPLE-SORT-ORDER') === '' || !Number.isFinite(order) ? null : order;
  }

  task(): RawTask {
    const { losses } = this.#tools;
    const description = unescaped(this.all('DESCRIPTION')[0]?.value ?? '')
      .replace(/^\s*\n/, '')
      .trimEnd();
    const [firstLine = '', ...others] = description.split('\n');
    const summary = this.text('SUMMARY');
    const title = summary || firstLine.trim() || 'Untitled';
    const status = this.text('STATUS').toUpperCase();
    const percent = Number(this.text('PERCENT-COMPLETE') || this.text('PERCENT_COMPLETE')) || 0;
    const isCancelled = status === 'CANCELLED';
    const isDone = isCancelled || status === 'COMPLETED' || this.text('COMPLETED') !== '' || percent === 100;
    const override = this.text('RECURRENCE-ID');
    const task = rawTask({
      id: this.uid === '' ? null : `ics:${this.uid}${override === '' ? '' : `:${override}`}`,
      title,
      notes: summary === '' ? others.join('\n').trim() : description,
      done: isDone ? { at: this.date('COMPLETED') ?? this.date('LAST-MODIFIED') } : null,
      created: this.date('CREATED') ?? this.date('DTSTAMP'),
      due: this.date('DUE'),
      start: this.date('DTSTART'),
      priority: priorityOf(Number(this.text('PRIORITY')) || 0),
      labels: this.all('CATEGORIES').flatMap(({ value }) => categories(value)),
      isOwn: this.#isOwn,
    });
    if (isCancelled) {
      task.labels.push({ name: 'cancelled' });
      losses.add('cancelled', 'STATUS', 'label', title);
    } else if (status === 'IN-PROCESS') {
      task.labels.push({ name: 'in progress' });
      losses.add('status', 'STATUS', 'label', title);
    }
    if (this.#isOwn) this.#own(task);
    else this.#noted(task, percent);
    this.#span(task);
    if (override === '') this.#repeat(task);
    this.#alarms(task);
    if (this.#isOwn && this.text('X-POSTHASTE-START') !== '')
      task.start = ownDate(this.text('X-POSTHASTE-START'));
    return task;
  }

  /** Properties that only our calendars have. */
  #own(task: RawTask): void {
    const grouped = new Map(ownLabels(this.text('X-POSTHASTE-LABELS')).map((label) => [label.name, label]));
    task.labels = task.labels.map((label) => grouped.get(label.name) ?? label);
    task.duration = spanMinutes(this.text('ESTIMATED-DURATION'));
    task.snooze = ownDate(this.text('X-POSTHASTE-SNOOZE'));
    task.metadata = readExactMetadata(this.text('X-POSTHASTE-METADATA'));
    task.reminders.push(...readExactReminders(this.text('X-POSTHASTE-REMINDERS')));
    task.isBookmarked = this.text('X-POSTHASTE-BOOKMARKED') === 'TRUE';
    task.isCollapsed = this.text('X-POSTHASTE-COLLAPSED') === 'TRUE';
  }

  /** The rule that our calendars hold beside the RRULE, unless somebody changed that. */
  #ownRule(rrule: string): RawTask['repeat'] {
    const rule = readExactRule(this.text('X-POSTHASTE-REPEAT'));
    if (rule === null) return null;
    return rrule === '' || rruleOf(rule, false) === rrule ? { rule } : null;
  }

  #noted(task: RawTask, percent: number): void {
    const noted: string[] = [];
    if (percent > 0 && percent < 100) noted.push(`Done: ${percent} %`);
    for (const [name, label] of Object.entries(NOTED))
      for (const { value } of this.all(name)) {
        const text = unescaped(value).trim();
        if (text === '') continue;
        // Content in the file itself is no address.
        const isData = name === 'ATTACH' && text.length > 2_000;
        if (!isData) noted.push(`${label}: ${text.replace(/^mailto:/i, '')}`);
        this.#tools.losses.add(
          name === 'ATTACH' ? 'attachment' : name === 'LOCATION' || name === 'GEO' ? 'location' : 'other',
          name,
          isData ? 'nowhere' : 'notes',
          task.title,
        );
      }
    task.notes = paragraphs(task.notes, noted.join('\n'));
  }

  /** Instead of a due date. */
  #span(task: RawTask): void {
    const text = this.text('DURATION');
    const minutes = text === '' ? null : spanMinutes(text);
    if (minutes === null || minutes <= 0 || task.due !== null || task.start === null) return;
    const { phrase } = this.#tools.context;
    const start =
      'words' in task.start
        ? readIso(task.start.words, zoneOr(task.start.zone, phrase.zone))
        : task.start.when;
    if (start === null) return;
    if ('at' in start) task.due = { when: { at: start.at + minutes * 60_000, zone: start.zone } };
    else if ('on' in start)
      task.due = {
        when: {
          on: Temporal.PlainDate.from(start.on)
            .add({ days: Math.ceil(minutes / 1_440) })
            .toString(),
        },
      };
    else
      task.due = {
        when: {
          local: Temporal.PlainDateTime.from(start.local)
            .add({ minutes })
            .toString({ smallestUnit: 'minute' }),
        },
      };
  }

  #repeat(task: RawTask): void {
    const rule = this.text('RRULE');
    if (this.#isOwn) {
      const isLead = rule !== '' && task.due !== null && task.start !== null;
      if (isLead && isSameWords(task.due, task.start)) task.start = null;
      task.repeat = this.#ownRule(rule);
      if (task.repeat === null && rule !== '' && readRecurrence(rule) !== null)
        giveRule(task, rule, this.#tools);
      return;
    }
    if (rule !== '' && task.due === null && task.start !== null) {
      task.due = task.start;
      task.start = null;
    }
    giveRule(task, rule, this.#tools);
    for (const name of ['EXDATE', 'RDATE'])
      for (const { value } of this.all(name)) {
        task.notes = lines(task.notes, `${name}: ${value}`);
        this.#tools.losses.add('exception', name, 'notes', task.title);
      }
  }

  #alarms(task: RawTask): void {
    for (const alarm of this.#component.parts) {
      if (alarm.name !== 'VALARM') continue;
      const trigger = alarm.properties.find(({ name }) => name === 'TRIGGER');
      const minutes = trigger ? spanMinutes(trigger.value) : null;
      const isEnd = (trigger?.parameters.get('RELATED') ?? '').toUpperCase() === 'END';
      const isAtDue =
        task.due !== null && (isEnd || task.start === null || isSameWords(task.due, task.start));
      const zone = zoneOr(trigger?.parameters.get('X-POSTHASTE-ZONE'), this.#tools.context.phrase.zone);
      const at =
        trigger && minutes === null && trigger.value.trim() !== NO_TIME
          ? readIso(trigger.value.trim(), zone)
          : null;
      if (minutes !== null && minutes <= 0 && isAtDue) task.reminders.push({ before: Math.abs(minutes) });
      else if (at !== null && !('on' in at)) task.reminders.push({ when: at });
      else if (minutes !== null && task.start !== null && this.#beforeStart(task, task.start, minutes))
        continue;
      else
        this.#tools.losses.add(
          trigger?.value.trim() === NO_TIME ? 'location' : 'reminder',
          'VALARM',
          'nowhere',
          task.title,
        );
    }
  }

  #beforeStart(task: RawTask, date: RawDate, minutes: number): boolean {
    const { phrase } = this.#tools.context;
    const start = 'words' in date ? readIso(date.words, zoneOr(date.zone, phrase.zone)) : date.when;
    if (start === null || 'on' in start) return false;
    if ('at' in start) task.reminders.push({ when: { at: start.at + minutes * 60_000, zone: start.zone } });
    else {
      const local = Temporal.PlainDateTime.from(start.local)
        .add({ minutes })
        .toString({ smallestUnit: 'minute' });
      task.reminders.push({ when: { local } });
    }
    return true;
  }
}

const isSameWords = (one: RawDate | null, other: RawDate | null) =>
  JSON.stringify(one) === JSON.stringify(other);

const priorityOf = (number: number) =>
  number >= 1 && number <= 4 ? 'p1' : number === 5 ? 'p2' : number >= 6 && number <= 9 ? 'p3' : null;

/** A list with commas, of which some are escaped. */
const categories = (value: string) =>
  (value.match(/(?:\\[\s\S]|[^,\\])+/g) ?? [])
    .map((name) => ({ name: unescaped(name).trim() }))
    .filter(({ name }) => name !== '');

function readFile(file: Given, tools: Tools): readonly RawList[] {
  const root = componentsIn(file.said);
  const flat: Flat<RawTask>[] = [];
  const orders = new Map<RawTask, number>();
  const listed = new Map<RawTask, ReturnType<typeof listOf>>();
  const lists = new Map<string, RawList>();
  for (const { todo, calendar } of todosIn(root)) {
    const isOwn = calendar.properties.some(
      ({ name, value }) => name === 'PRODID' && value.trim() === calendarProduct,
    );
    const read = new Todo(todo, tools, isOwn);
    const task = read.task();
    if (read.list !== null) listed.set(task, listOf(read.list, lists, file));
    orders.set(task, read.order ?? Number.MAX_SAFE_INTEGER);
    const isOverride = read.text('RECURRENCE-ID') !== '';
    flat.push({ value: task, id: isOverride || read.uid === '' ? null : read.uid, parent: read.parent });
  }
  const sorted = flat.toSorted((one, other) => (orders.get(one.value) ?? 0) - (orders.get(other.value) ?? 0));
  const tasks = withChildren(
    nest(sorted, (task) => tools.losses.add('orphan', 'RELATED-TO', 'top level', task.title)),
  );
  const others = root.parts
    .flatMap(({ parts }) => parts)
    .filter(({ name }) => name === 'VEVENT' || name === 'VJOURNAL');
  for (const { properties } of others)
    tools.losses.add(
      'file',
      'VEVENT',
      'nowhere',
      unescaped(properties.find(({ name }) => name === 'SUMMARY')?.value ?? ''),
    );
  const calendar = root.parts
    .flatMap(({ properties }) => properties)
    .find(({ name }) => name === 'X-WR-CALNAME');
  const named = unescaped(calendar?.value ?? '').trim() || file.title;
  const rest = rawList({ name: named, tasks: [], writtenAt: file.writtenAt });
  for (const task of tasks) (listed.get(task) ?? rest).tasks.push(task);
  return rest.tasks.length > 0 ? [...lists.values(), rest] : [...lists.values()];
}

/** The list of a task by its id, made when it is first named. */
function listOf(
  { id, path, isInbox }: NonNullable<Todo['list']>,
  lists: Map<string, RawList>,
  file: Given,
): RawList {
  const key = id === '' ? path.join('\n') : id;
  const list =
    lists.get(key) ??
    rawList({
      id: id === '' ? null : `posthaste:${id}`,
      name: path.at(-1) ?? file.title,
      folders: path.slice(0, -1).map((name) => ({ id: null, name })),
      isInbox,
      writtenAt: file.writtenAt,
    });
  lists.set(key, list);
  return list;
}

/** Tasks of calendars. */
export const calendar: Format = {
  name: 'ics',
  title: 'Calendar tasks (VTODO)',
  extensions: ['.ics'],
  detect: ({ head }) => /^\s*BEGIN:(?:VCALENDAR|VTODO)\b/i.test(head),
  read: (files, tools) => {
    const lists = files.flatMap((file) => readFile(file, tools)).filter(({ tasks }) => tasks.length > 0);
    if (lists.length === 0) return failed('is a calendar without tasks (VTODO). Events aren’t imported.');
    return ok({ kind: 'Calendar tasks', lists });
  },
};
