// Reads `task export` of Taskwarrior: an array, or one object a line as older versions write it.
import { isRecord, type JsonRecord, readJson } from '../../json.ts';
import { ok } from '../../result.ts';
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
import { dayAt, readIso } from '../import/dates.ts';
import type { Given } from '../import/given.ts';
import { recordsIn, recordsOfList, textIn, textsIn } from '../import/records.ts';
import { wordTable } from '../word-table.ts';

const KNOWN: ReadonlySet<string> = new Set(
  `description status entry end modified due scheduled wait until start project tags priority depends annotations recur mask imask
  parent rtype uuid urgency id last`.split(/\s+/),
);
const PRIORITIES: Readonly<Record<string, string>> = wordTable({ H: 'p1', M: 'p2', L: 'p3' });
const MOST_LINES = 200_000;

function itemsIn(file: Given): readonly JsonRecord[] {
  if (Array.isArray(file.json)) return recordsOfList(file.json);
  const items: JsonRecord[] = [];
  for (const line of file.said.split(/\r\n?|\n/, MOST_LINES)) {
    const item = readJson(line.trim().replace(/,$/, ''));
    if (isRecord(item)) items.push(item);
  }
  return items;
}

const isItem = (item: unknown) =>
  isRecord(item) && 'description' in item && 'uuid' in item && 'status' in item && 'entry' in item;

class Tasks {
  readonly #tools: Tools;
  readonly #items: readonly JsonRecord[];
  readonly #titles: ReadonlyMap<string, string>;
  readonly #templates: ReadonlyMap<string, JsonRecord>;
  /** Templates whose rule was given to a task. */
  readonly #given = new Set<string>();

  constructor(items: readonly JsonRecord[], tools: Tools) {
    this.#tools = tools;
    this.#items = items;
    this.#titles = new Map(items.map((item) => [textIn(item, 'uuid'), textIn(item, 'description')]));
    this.#templates = new Map(
      items
        .filter((item) => textIn(item, 'status') === 'recurring')
        .map((item) => [textIn(item, 'uuid'), item]),
    );
  }

  lists(): RawList[] {
    const lists = new Map<string, RawList>();
    // The youngest open child has the rule.
    const byDue = this.#items.toSorted((one, other) => (textIn(one, 'due') < textIn(other, 'due') ? 1 : -1));
    const youngest = new Set<string>();
    for (const item of byDue) {
      const template = textIn(item, 'parent');
      if (!this.#templates.has(template) || this.#given.has(template) || !isOpen(item)) continue;
      this.#given.add(template);
      youngest.add(textIn(item, 'uuid'));
    }
    for (const item of this.#items) {
      const status = textIn(item, 'status');
      if (status === 'deleted')
        this.#tools.losses.add('trash', 'status', 'nowhere', textIn(item, 'description'));
      else if (status !== 'recurring' || !this.#given.has(textIn(item, 'uuid'))) {
        const template = youngest.has(textIn(item, 'uuid'))
          ? this.#templates.get(textIn(item, 'parent'))
          : undefined;
        this.#listOf(textIn(item, 'project'), lists).tasks.push(this.#task(item, template ?? item));
      }
    }
    return [...lists.values()];
  }

  #listOf(project: string, lists: Map<string, RawList>): RawList {
    const known = lists.get(project);
    if (known) return known;
    const path = project.split('.').filter((part) => part !== '');
    const name = path.at(-1) ?? 'Inbox';
    const list = rawList({
      id: project === '' ? null : `taskwarrior:project:${project}`,
      name,
      isInbox: project === '',
      folders: path
        .slice(0, -1)
        .map((folder, at) => ({ id: `taskwarrior:folder:${path.slice(0, at + 1).join('.')}`, name: folder })),
    });
    lists.set(project, list);
    return list;
  }

  #task(item: JsonRecord, ruled: JsonRecord): RawTask {
    const { losses } = this.#tools;
    const title = textIn(item, 'description');
    const status = textIn(item, 'status');
    const waits = textIn(item, 'wait');
    const notes: string[] = [];
    const depends = Array.isArray(item['depends'])
      ? textsIn(item, 'depends')
      : textIn(item, 'depends')
          .split(',')
          .filter((id) => id !== '');
    for (const id of depends) {
      notes.push(`Waits for: ${this.#titles.get(id) ?? id}`);
      losses.add('dependency', 'depends', 'notes', title);
    }
    const until = this.#words(textIn(item, 'until'));
    if (until !== null) {
      notes.push(`Until: ${until}`);
      losses.add('other', 'until', 'notes', title);
    }
    for (const { entry, said } of annotationsOf(item)) {
      notes.push(`${this.#words(entry)?.slice(0, 10) ?? ''}: ${said}`);
      losses.add('comment', 'annotations', 'notes', said);
    }
    const labels = textsIn(item, 'tags').map((name) => ({ name }));
    if (textIn(item, 'start') !== '' && status !== 'completed') {
      labels.push({ name: 'active' });
      losses.add('status', 'start', 'label', title);
    }
    const start = this.#date(textIn(item, 'scheduled')) ?? this.#date(waits);
    const task = rawTask({
      id: `taskwarrior:${textIn(item, 'uuid')}`,
      title,
      notes: paragraphs(notes.join('\n')),
      done: status === 'completed' ? { at: this.#date(textIn(item, 'end')) } : null,
      created: this.#date(textIn(item, 'entry')),
      due: this.#date(textIn(item, 'due')),
      start,
      priority: PRIORITIES[textIn(item, 'priority')] ?? null,
      labels,
      metadata: Object.fromEntries(
        Object.keys(item)
          .filter((name) => !KNOWN.has(name))
          .map((name) => [name, textIn(item, name)]),
      ),
    });
    if (waits !== '') losses.add('other', 'wait', 'start', title);
    if (isOpen(item)) this.#repeat(task, textIn(ruled, 'recur'), ruled !== item || status === 'recurring');
    return task;
  }

  #repeat(task: RawTask, recur: string, isRuled: boolean): void {
    if (recur === '' || !isRuled) return;
    const words = recurWords(recur);
    if (words === null) {
      task.notes = lines(task.notes, `Repeat: ${recur}`);
      this.#tools.losses.add('repeat', 'recur', 'notes', recur);
    } else task.repeat = { words, language: 'en' };
  }

  #words(text: string): string | null {
    const when = this.#moment(text);
    if (when === null) return text === '' ? null : text;
    return Temporal.Instant.fromEpochMilliseconds(when)
      .toZonedDateTimeISO(this.#tools.context.phrase.zone)
      .toPlainDateTime()
      .toString({ smallestUnit: 'minute' });
  }

  #moment(text: string): number | null {
    const { zone } = this.#tools.context.phrase;
    if (/^\d{9,11}$/.test(text)) return Number(text) * 1_000;
    const when = readIso(text, zone);
    return when !== null && 'at' in when ? when.at : null;
  }

  /** Midnight of the person's zone means the day. */
  #date(text: string): RawDate | null {
    if (text === '') return null;
    const { zone } = this.#tools.context.phrase;
    const at = this.#moment(text);
    if (at === null) return { words: text };
    const day = dayAt(at, zone);
    if (day === null) return { words: text };
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
    return local.hour === 0 && local.minute === 0 ? { when: { on: day } } : { when: { at, zone } };
  }
}

function isOpen(item: JsonRecord): boolean {
  return ['pending', 'waiting', 'recurring'].includes(textIn(item, 'status'));
}

const annotationsOf = (item: JsonRecord) =>
  recordsIn(item, 'annotations').map((one) => ({
    entry: textIn(one, 'entry'),
    said: textIn(one, 'description'),
  }));

const NAMED: Readonly<Record<string, string>> = wordTable({
  daily: 'every day',
  weekdays: 'every weekday',
  weekly: 'every week',
  biweekly: 'every 2 weeks',
  fortnight: 'every 2 weeks',
  monthly: 'every month',
  bimonthly: 'every 2 months',
  quarterly: 'every 3 months',
  semiannual: 'every 6 months',
  yearly: 'every year',
  annual: 'every year',
  biannual: 'every 2 years',
  biyearly: 'every 2 years',
});
const UNITS: Readonly<Record<string, string>> = wordTable({
  d: 'days',
  day: 'days',
  days: 'days',
  w: 'weeks',
  wk: 'weeks',
  wks: 'weeks',
  week: 'weeks',
  weeks: 'weeks',
  m: 'months',
  mo: 'months',
  mth: 'months',
  month: 'months',
  months: 'months',
  q: 'quarters',
  y: 'years',
  yr: 'years',
  yrs: 'years',
  year: 'years',
  years: 'years',
  h: 'hours',
  hrs: 'hours',
});

function recurWords(recur: string): string | null {
  const text = recur.toLowerCase();
  const [, count, unit] = /^p?(\d{1,4})([a-z]{1,6})$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) return NAMED[text] ?? null;
  const name = UNITS[unit];
  if (name === undefined || (recur.startsWith('P') && !/^[dwmy]$/.test(unit))) return null;
  return name === 'quarters' ? `every ${Number(count) * 3} months` : `every ${count} ${name}`;
}

/** Taskwarrior. */
export const taskwarrior: Format = {
  name: 'taskwarrior',
  title: 'Taskwarrior',
  extensions: ['.json'],
  detect: (file) => {
    if (Array.isArray(file.json)) return isItem(file.json[0]);
    const [line = ''] = file.said.slice(0, 100_000).trimStart().split('\n', 1);
    return line.startsWith('{') && isItem(readJson(line.trim().replace(/,$/, '')));
  },
  read: (files, tools) =>
    ok({ kind: 'Taskwarrior', lists: files.flatMap((file) => new Tasks(itemsIn(file), tools).lists()) }),
};
