// Reads OmniFocus: its CSV, whose ids are outline numbers, and TaskPaper, as OmniFocus and TaskPaper itself write it.
import { ok } from '../../result.ts';
import {
  type Format,
  lines,
  paragraphs,
  type RawDate,
  type RawList,
  rawList,
  rawTask,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import { headingRow, recordsOf } from '../import/given.ts';
import { giveRule } from '../import/ruled.ts';
import { Statuses } from '../statuses.ts';
import { wordTable } from '../word-table.ts';

type Row = Readonly<Record<string, string>>;

const NEEDED = ['task id', 'type', 'name', 'status'];
const OPEN: ReadonlySet<string> = new Set([
  '',
  'active',
  'available',
  'next',
  'first available',
  'remaining',
  'blocked',
  'waiting',
  'on hold',
  'inactive',
  'due soon',
  'overdue',
]);
const DONE: ReadonlySet<string> = new Set(['completed', 'done']);
const TASK_TYPES: ReadonlySet<string> = new Set(['action', 'action group', 'inbox', 'task']);

const date = (words: string): RawDate | null => {
  const text = words
    .trim()
    .replace(/ \+0000$/, 'Z')
    .replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)Z$/, '$1T$2Z');
  return text === '' ? null : { words: text };
};

/** "A : B" is B in the group A. */
function label(name: string): { readonly name: string; readonly group: string | null } {
  const path = name
    .split(/\s+:\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return { name: path.at(-1) ?? name, group: path.length > 1 ? (path[0] ?? null) : null };
}

const labels = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map(label);

class Outline {
  readonly #tools: Tools;
  readonly #lists: RawList[] = [];
  /** By outline number. */
  readonly #tasks = new Map<string, RawTask>();
  readonly #projects = new Map<string, RawList>();
  readonly #named = new Map<string, RawList>();
  readonly #statuses = new Statuses();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  lists(rows: readonly Row[]): RawList[] {
    for (const row of rows) {
      const type = (row['type'] ?? '').trim().toLowerCase();
      const number = (row['task id'] ?? '').trim();
      if (type === 'project') this.#project(row, number);
      else if (TASK_TYPES.has(type)) this.#action(row, number);
      else if (type !== '' || number !== '')
        this.#tools.losses.add('row', 'Type', 'nowhere', `${type}: ${row['name'] ?? ''}`);
    }
    for (const sentence of this.#statuses.left) this.#tools.remark(sentence);
    return this.#lists;
  }

  #project(row: Row, number: string): void {
    const facts = ['Start Date', 'Due Date', 'Tags', 'Context'].flatMap((name) => {
      const value = (row[name.toLowerCase()] ?? '').trim();
      if (value === '') return [];
      this.#tools.losses.add(
        name.endsWith('Date') ? 'project-date' : 'project-label',
        name,
        'list notes',
        row['name'] ?? '',
      );
      return [`${name}: ${value}`];
    });
    const status = (row['status'] ?? '').trim().toLowerCase();
    const isOver = DONE.has(status) || status === 'dropped';
    const list = rawList({
      name: (row['name'] ?? '').trim() || 'Project',
      notes: paragraphs(row['notes'] ?? '', facts.join('\n')),
      archived: isOver ? (date(row['completion date'] ?? '') ?? { words: '' }) : null,
    });
    this.#lists.push(list);
    this.#projects.set(number, list);
    if (!this.#named.has(list.name ?? '')) this.#named.set(list.name ?? '', list);
  }

  #action(row: Row, number: string): void {
    const task = this.#task(row);
    const above = number.includes('.') ? number.slice(0, number.lastIndexOf('.')) : '';
    const under = this.#tasks.get(above)?.children ?? this.#projects.get(above)?.tasks;
    (under ?? this.#listNamed((row['project'] ?? '').trim()).tasks).push(task);
    if (number !== '') this.#tasks.set(number, task);
  }

  #listNamed(name: string): RawList {
    const known = this.#named.get(name);
    if (known) return known;
    const list = rawList({ name: name || 'Inbox', isInbox: name === '' });
    this.#lists.push(list);
    this.#named.set(name, list);
    return list;
  }

  #task(row: Row): RawTask {
    const { losses } = this.#tools;
    const title = row['name'] ?? '';
    const status = (row['status'] ?? '').trim().toLowerCase();
    const completed = date(row['completion date'] ?? '');
    const task = rawTask({
      title,
      notes: row['notes'] ?? '',
      due: date(row['due date'] ?? ''),
      start: date(row['start date'] ?? ''),
      scalarWords: { duration: (row['duration'] ?? '').trim().replace(/^0$/, '') },
      labels: labels([row['context'] ?? '', row['tags'] ?? ''].join(',')),
      done:
        DONE.has(status) || status === 'dropped' || (status === '' && completed !== null)
          ? { at: completed }
          : null,
    });
    if (status === 'dropped') {
      task.labels.push({ name: 'cancelled' });
      losses.add('cancelled', 'Status', 'label', title);
    } else if (!OPEN.has(status) && !DONE.has(status)) {
      task.labels.push({ name: (row['status'] ?? '').trim() });
      losses.add('status', 'Status', 'label', title);
    }
    if (/^(?:1|true|yes)$/i.test((row['flagged'] ?? '').trim())) {
      task.labels.push({ name: 'flagged' });
      losses.add('flag', 'Flagged', 'label', title);
    }
    const planned = (row['planned date'] ?? '').trim();
    if (planned !== '') {
      task.notes = paragraphs(task.notes, `Planned: ${planned}`);
      losses.add('other', 'Planned Date', 'notes', title);
    }
    return task;
  }
}

/** OmniFocus' CSV. */
export const omnifocusCsv: Format = {
  name: 'omnifocus',
  title: 'OmniFocus CSV',
  extensions: ['.csv'],
  detect: (file) => file.magic === 'other' && headingRow(file.headRows, NEEDED) >= 0,
  read: (files, tools) => {
    tools.remark('OmniFocus leaves repeats and reviews out of its CSV. Its TaskPaper text has them.');
    const lists = files.flatMap((file) => {
      const { rows } = file.table;
      return new Outline(tools).lists(recordsOf(rows, headingRow(rows.slice(0, 30), NEEDED)));
    });
    return ok({ kind: 'OmniFocus', lists });
  },
};

const TAG =
  /(?:^|\s)@([\p{L}_][\p{L}\p{N}_.-]{0,60})(?:\(((?:[^()\\]|\\.|\([^()]{0,500}\)){0,2000})\))?(?=\s|$)/gu;
const SILENT: ReadonlySet<string> = new Set([
  'parallel',
  'autodone',
  'repeat-method',
  'repeat-rule',
  'sequential',
]);

/** The values after a title. */
function valuesOf(text: string): { readonly title: string; readonly values: ReadonlyMap<string, string> } {
  const values = new Map<string, string>();
  const title = text.replaceAll(TAG, (_whole, name: string, value = '') => {
    values.set(values.has(name) ? `${name} ` : name, String(value));
    return '';
  });
  return { title: title.trim(), values };
}

const FROM: Readonly<Record<string, 'due date' | 'completion'>> = wordTable({
  fixed: 'due date',
  'due-after-completion': 'completion',
  'start-after-completion': 'completion',
});

function paperTask(text: string, tools: Tools): RawTask {
  const { title, values } = valuesOf(text);
  const { losses } = tools;
  const of = (...names: readonly string[]) =>
    names.map((name) => values.get(name) ?? '').find((value) => value !== '') ?? '';
  const isDropped = values.has('dropped') || values.has('cancelled');
  const task = rawTask({
    title,
    due: date(of('due')),
    start: date(of('defer', 'start')),
    scalarWords: { duration: of('estimate') },
    done: values.has('done') || isDropped ? { at: date(of('done', 'dropped', 'cancelled')) } : null,
    labels: [of('tags'), of('context')].flatMap(labels),
  });
  if (isDropped) {
    task.labels.push({ name: 'cancelled' });
    losses.add('cancelled', '@dropped', 'label', title);
  }
  const known = new Set([
    'due',
    'defer',
    'start',
    'estimate',
    'done',
    'dropped',
    'cancelled',
    'tags',
    'context',
    'planned',
  ]);
  for (const [name, value] of values) {
    const tag = name.trim();
    if (known.has(tag) || SILENT.has(tag)) continue;
    if (value === '' || tag === 'flagged') task.labels.push({ name: tag });
    else task.metadata[tag] = value;
  }
  if (of('planned') !== '') {
    task.notes = `Planned: ${of('planned')}`;
    losses.add('other', '@planned', 'notes', title);
  }
  giveRule(task, of('repeat-rule'), tools, FROM[of('repeat-method')] ?? 'due date');
  return task;
}

function paperLists(text: string, title: string, tools: Tools): RawList[] {
  const loose = rawList({ name: title });
  const lists: RawList[] = [];
  const open: { readonly level: number; readonly tasks: RawTask[]; readonly owner: { notes: string } }[] = [];
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() === '') continue;
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const level = [...indent].reduce((sum, sign) => sum + (sign === '\t' ? 4 : 1), 0);
    const said = line.trim();
    const { title: named } = valuesOf(said);
    const isTask = /^-\s/.test(said);
    const isProject = !isTask && named.endsWith(':');
    if (!isTask && !isProject) {
      const above = open.findLast((one) => one.level < level) ?? open.at(-1);
      if (above) above.owner.notes = lines(above.owner.notes, said);
      else loose.notes = lines(loose.notes, said);
      continue;
    }
    while ((open.at(-1)?.level ?? -1) >= level) open.pop();
    const above = open.at(-1);
    if (isProject && !above) {
      const project = paperTask(said.slice(0, named.length) === named ? said : named, tools);
      const list = rawList({
        name: named.slice(0, -1),
        notes: paragraphs(project.notes, projectFacts(said, tools)),
      });
      lists.push(list);
      open.push({ level, tasks: list.tasks, owner: list });
      continue;
    }
    const task = paperTask(isTask ? said.slice(1).trim() : said, tools);
    if (isProject) {
      task.title = task.title.replace(/:$/, '');
      task.isHeading = true;
      tools.losses.add('heading', ':', 'task', task.title);
    }
    (above?.tasks ?? loose.tasks).push(task);
    open.push({ level, tasks: task.children, owner: task });
  }
  return loose.tasks.length > 0 || loose.notes !== '' ? [loose, ...lists] : lists;
}

/** Dates of a project stay as words in the notes of its list. */
function projectFacts(said: string, tools: Tools): string {
  return [...valuesOf(said).values]
    .filter(([name]) => !SILENT.has(name))
    .map(([name, value]) => {
      tools.losses.add('project-date', `@${name}`, 'list notes', said);
      return value === '' ? name : `${name}: ${value}`;
    })
    .join('\n');
}

/** TaskPaper. */
export const taskpaper: Format = {
  name: 'taskpaper',
  title: 'TaskPaper',
  extensions: ['.taskpaper', '.txt'],
  detect: ({ head }) =>
    /^\s*- .*\s@(?:done|due|defer|flagged|parallel|autodone|tags|context|estimate|repeat-rule|today|start)(?:\(|\s|$)/m.test(
      head,
    ) && !/^\s*- \[[ xX]\]/m.test(head),
  read: (files, tools) =>
    ok({ kind: 'TaskPaper', lists: files.flatMap((file) => paperLists(file.said, file.title, tools)) }),
};
