// Reads the tables and outlines that Posthaste wrote (formats/export): exactly what they say, and dates that somebody typed into
// them as words.
import Papa from 'papaparse';
import { failed, ok } from '../../result.ts';
import { csvColumns, unguardCell, type CsvColumn } from '../export/csv.ts';
import {
  readExactMetadata,
  readExactReminders,
  readExactRule,
  readExactWhen,
  splitNames,
} from '../export/exact.ts';
import { opmlGenerator } from '../export/opml.ts';
import {
  type Format,
  paragraphs,
  type RawDate,
  type RawLabel,
  rawList,
  type RawList,
  rawTask,
  type RawTask,
} from '../import/draft.ts';
import type { Given } from '../import/given.ts';
import { type Flat, nest, withChildren } from '../import/nesting.ts';
import { walkOpml } from '../opml.ts';

/** A date that was written exactly, or words that somebody put in its place; null for none. */
export function ownDate(text: string): RawDate | null {
  if (text.trim() === '') return null;
  const when = readExactWhen(text);
  return when === null ? { words: text.trim() } : { when };
}

/** A moment in UTC to the millisecond, or words. */
function ownMoment(text: string): RawDate | null {
  const at = text.trim().endsWith('Z') ? readExactWhen(`${text.trim()}[UTC]`) : null;
  return at === null ? ownDate(text) : { when: at };
}

/** Labels with their groups: `Priority/p1; errand`. */
export function ownLabels(text: string): RawLabel[] {
  return splitNames(text, ';').flatMap((label) => {
    const [first, second] = splitNames(label, '/');
    if (first === undefined) return [];
    return second === undefined ? [{ name: first }] : [{ name: second, group: first }];
  });
}

/** A rule as JSON, or words. */
export function ownRepeat(rule: string, words: string): RawTask['repeat'] {
  const read = rule.trim() === '' ? null : readExactRule(rule);
  if (read !== null) return { rule: read };
  return words.trim() === '' ? null : { words: words.trim() };
}

/** Minutes; null for anything else. */
function minutesIn(text: string): number | null {
  const minutes = Number(text.trim() === '' ? Number.NaN : text);
  return Number.isInteger(minutes) && minutes > 0 ? minutes : null;
}

const isYes = (text: string) => /^(?:yes|true|1|wahr|vrai)$/i.test(text.trim());
const folder = (name: string) => ({ id: null, name });

interface TableRow {
  readonly cells: readonly string[];
  readonly at: ReadonlyMap<string, number>;
}

const textIn = ({ cells, at }: TableRow, column: CsvColumn) => unguardCell(cells[at.get(column) ?? -1] ?? '');

function taskIn(row: TableRow): RawTask {
  const text = (column: CsvColumn) => textIn(row, column);
  const completed = text('Completed');
  return rawTask({
    id: text('ID') === '' ? null : `posthaste:${text('ID')}`,
    title: text('Title'),
    notes: paragraphs(text('Notes'), text('About')),
    done: completed.trim() === '' ? null : { at: ownMoment(completed) },
    created: ownMoment(text('Created')),
    due: ownDate(text('Due')),
    start: ownDate(text('Start')),
    snooze: ownDate(text('Snoozed until')),
    repeat: ownRepeat(text('Repeat rule'), text('Repeat')),
    duration: minutesIn(text('Duration (minutes)')),
    labels: ownLabels(text('Labels')),
    reminders: [...readExactReminders(text('Reminders'))],
    metadata: readExactMetadata(text('Metadata')),
    isBookmarked: isYes(text('Bookmarked')),
    isCollapsed: isYes(text('Collapsed')),
    isOwn: true,
  });
}

function listIn(row: TableRow): RawList {
  const text = (column: CsvColumn) => textIn(row, column);
  return rawList({
    id: `posthaste:${text('ID')}`,
    name: text('List'),
    folders: splitNames(text('Folder'), '/').map(folder),
    notes: text('Notes'),
    isInbox: text('Kind').trim().toLowerCase() === 'inbox',
    archived: ownMoment(text('Completed')),
    isBookmarked: isYes(text('Bookmarked')),
  });
}

const HEADINGS: readonly string[] = csvColumns;
/** Headings without which a table is not one of ours. */
const NEEDED: readonly CsvColumn[] = ['Kind', 'List', 'Title', 'Repeat rule', 'ID', 'Parent ID'];

function headingsOf(
  text: string,
): { readonly at: ReadonlyMap<string, number>; readonly separator: string } | null {
  const line = text.slice(0, text.search(/[\r\n]|$/)).slice(0, 2_000);
  for (const separator of [',', ';', '\t']) {
    const names = line.split(separator).map((name) => name.trim().replaceAll('"', ''));
    const at = new Map(
      names.flatMap((name, index) => (HEADINGS.includes(name) ? [[name, index] as const] : [])),
    );
    if (NEEDED.every((name) => at.has(name))) return { at, separator };
  }
  return null;
}

/** The lists of a table, in their order. A task whose list has no row makes one. */
function listsOf(file: Given): readonly RawList[] {
  const headings = headingsOf(file.said);
  if (headings === null) return [];
  const { data } = Papa.parse<string[]>(file.said, { delimiter: headings.separator });
  const lists = new Map<string, RawList>();
  const tasks = new Map<RawList, Flat<RawTask>[]>();
  for (const cells of data.slice(1)) {
    if (cells.every((one) => one.trim() === '')) continue;
    const row = { cells, at: headings.at };
    const key = `${textIn(row, 'Folder')}\n${textIn(row, 'List')}`;
    if (/^(?:list|inbox)$/i.test(textIn(row, 'Kind').trim())) {
      lists.set(key, listIn(row));
      continue;
    }
    const list = lists.get(key) ?? rawList({ name: textIn(row, 'List'), folders: listIn(row).folders });
    lists.set(key, list);
    const parent = textIn(row, 'Parent ID');
    const flat = tasks.get(list) ?? [];
    const isTop = list.id === `posthaste:${parent}`;
    flat.push({ value: taskIn(row), id: textIn(row, 'ID') || null, parent: isTop ? null : parent });
    tasks.set(list, flat);
  }
  for (const [list, flat] of tasks) list.tasks = withChildren(nest(flat));
  for (const list of lists.values()) list.writtenAt = file.writtenAt;
  return [...lists.values()];
}

/** Our own tables. */
export const ownCsv: Format = {
  name: 'posthaste-csv',
  title: 'Posthaste CSV',
  extensions: ['.csv'],
  detect: ({ head }) => headingsOf(head) !== null,
  read: (files) => {
    const lists = files.flatMap(listsOf);
    return lists.length === 0 ? failed('has no tasks.') : ok({ kind: 'CSV from Posthaste', lists });
  },
};

type Attributes = Readonly<Record<string, string>>;

function taskOf(attributes: Attributes): RawTask {
  const text = (name: string) => attributes[name] ?? '';
  return rawTask({
    id: text('id') === '' ? null : `posthaste:${text('id')}`,
    title: text('text'),
    notes: text('_note'),
    done: isYes(text('_complete')) ? { at: ownMoment(text('completed')) } : null,
    created: ownMoment(text('created')),
    due: ownDate(text('due')),
    start: ownDate(text('start')),
    snooze: ownDate(text('snooze')),
    repeat: ownRepeat(text('repeat'), ''),
    duration: minutesIn(text('duration')),
    labels: ownLabels(text('labels')),
    reminders: [...readExactReminders(text('reminders'))],
    metadata: readExactMetadata(text('metadata')),
    isBookmarked: isYes(text('bookmarked')),
    isCollapsed: isYes(text('collapsed')),
    isOwn: true,
  });
}

type Open = { readonly folder: string } | { readonly list: RawList } | { readonly task: RawTask };

/** Items of an outline as lists in their folders; those outside of any list are in one with the name of the file. */
class Outline {
  readonly lists: RawList[] = [];
  readonly #open: Open[] = [];
  readonly #file: Given;
  #loose: RawList | null = null;

  constructor(file: Given) {
    this.#file = file;
  }

  open(attributes: Attributes): void {
    const kind = attributes['_kind'] ?? '';
    const above = this.#open.at(-1);
    const isInside = above !== undefined && !('folder' in above);
    if (kind === 'folder' && !isInside) this.#open.push({ folder: attributes['text'] ?? '' });
    else if ((kind === 'list' || kind === 'inbox') && !isInside) this.#list(attributes, kind);
    else {
      const task = taskOf(attributes);
      if (above !== undefined && 'task' in above) above.task.children.push(task);
      else (above !== undefined && 'list' in above ? above.list : this.#looseList).tasks.push(task);
      this.#open.push({ task });
    }
  }

  #list(attributes: Attributes, kind: string): void {
    const list = rawList({
      id: attributes['id'] === undefined ? null : `posthaste:${attributes['id']}`,
      name: attributes['text'] ?? '',
      folders: this.#open.flatMap((one) => ('folder' in one ? [folder(one.folder)] : [])),
      notes: attributes['_note'] ?? '',
      isInbox: kind === 'inbox',
      archived: ownMoment(attributes['archived'] ?? ''),
      isBookmarked: isYes(attributes['bookmarked'] ?? ''),
      writtenAt: this.#file.writtenAt,
    });
    this.lists.push(list);
    this.#open.push({ list });
  }

  get #looseList(): RawList {
    this.#loose ??= rawList({ name: this.#file.title, writtenAt: this.#file.writtenAt });
    if (!this.lists.includes(this.#loose)) this.lists.push(this.#loose);
    return this.#loose;
  }

  close(): void {
    this.#open.pop();
  }
}

/** Our own outlines. */
export const ownOpml: Format = {
  name: 'posthaste-opml',
  title: 'Posthaste OPML',
  extensions: ['.opml'],
  detect: ({ head }) => /<opml[\s>]/.test(head) && head.includes(`<generator>${opmlGenerator}</generator>`),
  read: (files) => {
    const lists: RawList[] = [];
    for (const file of files) {
      const outline = new Outline(file);
      const problem = walkOpml(file.said, {
        open: (attributes) => outline.open(attributes),
        close: () => outline.close(),
      });
      if (problem !== null) return failed(`: ${problem}`);
      lists.push(...outline.lists);
    }
    return ok({ kind: 'OPML from Posthaste', lists });
  },
};
