// Reads tables of tasks of any program: CSV with a line of headings. The parser detects separators, quotes and line ends. A cell is
// text, whatever its first character. Not here: tables of programs whose cells mean more (sources/).
import Papa from 'papaparse';
import { failed, ok } from '../result.ts';
import type { ScalarName } from '../model.ts';
import { eachScalar } from '../task-fields.ts';
import { filesToLinks } from './attached-links.ts';
import {
  draftOf,
  type ImportResult,
  type ImportedList,
  type ImportedTask,
  splitTitle,
  type TaskDraft,
} from './imported.ts';
import { repeatWords } from './rrule.ts';
import { Statuses } from './statuses.ts';

type Column =
  | 'title'
  | 'notes'
  | 'due'
  | 'start'
  | ScalarName
  | 'deadline'
  | 'repeat'
  | 'done'
  | 'completed'
  | 'created'
  | 'labels'
  | 'list'
  | 'section'
  | 'parent'
  | 'parentId'
  | 'id'
  | 'level'
  | 'kind'
  | 'priority'
  | 'person'
  | 'unit'
  | 'allDay'
  | 'zone';

/** Headings by meaning; case, spaces and underscores do not count. */
const HEADINGS: Readonly<Record<Column, readonly string[]>> = {
  title: ['title', 'name', 'task', 'taskname', 'content', 'subject', 'text', 'summary', 'todo', 'item'],
  notes: ['notes', 'note', 'description', 'details', 'body', 'comment', 'comments'],
  due: ['due', 'duedate', 'dueon', 'dueat', 'date', 'enddate'],
  start: ['start', 'startdate', 'starts', 'startson', 'startsat', 'scheduled', 'deferdate', 'defer'],
  ...eachScalar((_, { columns }) => columns),
  deadline: ['deadline'],
  repeat: ['repeat', 'repeats', 'recurrence', 'recurring', 'rrule'],
  done: ['done', 'complete', 'completed', 'iscomplete', 'status', 'checked'],
  completed: ['completedat', 'completiondate', 'completedtime', 'completedon', 'datecompleted'],
  created: ['created', 'createdat', 'createdtime', 'createdon', 'creationdate', 'datecreated', 'dateadded'],
  labels: ['labels', 'label', 'tags', 'tag', 'categories', 'category', 'contexts', 'context'],
  list: ['list', 'project', 'projects', 'projectname', 'listname', 'folder', 'area'],
  section: ['section', 'sectionname', 'section/column', 'heading'],
  parent: ['parent', 'parenttask'],
  parentId: ['parentid', 'parenttaskid'],
  id: ['id', 'taskid'],
  level: ['indent', 'level', 'depth', 'indentlevel'],
  kind: ['type'],
  priority: ['priority'],
  person: ['responsible', 'assignee', 'assignedto'],
  unit: ['durationunit'],
  allDay: ['isallday', 'allday'],
  zone: ['timezone'],
};
const COLUMN_OF: ReadonlyMap<string, Column> = new Map(
  Object.entries(HEADINGS).flatMap(([column, names]) =>
    names.map((name) => [name, column as Column] as const),
  ),
);
/** Programs write a few lines about the file above its headings. */
const MOST_ABOVE = 20;

type Row = Readonly<Partial<Record<Column, string>>>;

/** Cells beyond the last heading belong to no column: they are kept in the notes. */
function rowOf(cells: readonly string[], headings: number, columns: ReadonlyMap<number, Column>): Row {
  const row: Partial<Record<Column, string>> = {};
  for (const [at, column] of columns) row[column] = cells[at] ?? '';
  const beyond = cells.slice(headings).filter((cell) => cell.trim() !== '');
  if (beyond.length > 0) row.notes = [row.notes ?? '', ...beyond].filter((part) => part !== '').join('\n');
  return row;
}

/** A warning about rows whose quotation marks do not match, so that cells may be cut wrongly. */
function brokenQuotes(errors: readonly Papa.ParseError[]): readonly string[] {
  const [first, ...others] = new Set(
    errors.flatMap(({ type, row }) => (type === 'Quotes' ? [(row ?? 0) + 1] : [])),
  );
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [`The quotation marks of row ${first}${more} don’t match. Check its cells.`];
}

const nameOf = (heading: string) => heading.toLowerCase().replaceAll(/[\s_-]+/g, '');

function columnsOf(headings: readonly string[]): ReadonlyMap<number, Column> {
  const found = new Map<number, Column>();
  const taken = new Set<Column>();
  const names = headings.map(nameOf);
  for (const [at, name] of names.entries()) {
    const column = COLUMN_OF.get(name);
    if (column === undefined || taken.has(column)) continue;
    taken.add(column);
    found.set(at, column);
  }
  // Beside a title, the content is the notes.
  const content = names.indexOf('content');
  if (content >= 0 && !found.has(content) && !taken.has('notes')) found.set(content, 'notes');
  for (const [at, column] of found) {
    // The only date column.
    if (column === 'deadline' && !taken.has('due')) found.set(at, 'due');
    // Useless without the zone.
    if (column === 'allDay' && !taken.has('zone')) found.delete(at);
  }
  return found;
}

const cellsIn = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length;

/** Index of the line with the headings: the first, or the first with several cells below lines of one. */
function headingsIn(rows: readonly (readonly string[])[]): number {
  const above = rows.slice(0, MOST_ABOVE).findIndex((row) => cellsIn(row) > 1);
  const namesTitle = (at: number) => [...columnsOf(rows[at] ?? []).values()].includes('title');
  return above > 0 && !namesTitle(0) && namesTitle(above) ? above : 0;
}

const listOf = (text: string) => [
  ...new Set(
    text
      .split(/[,;|]/)
      .map((name) => name.trim().replace(/^[@#]/, ''))
      .filter((name) => name !== ''),
  ),
];

/** The day of an all-day date that is written as the instant at which it began in its zone. */
function dayOf(text: string, { allDay = '', zone = '' }: Row): string {
  if (zone === '' || !/^(?:true|1|yes|y)$/i.test(allDay.trim())) return text.trim();
  try {
    return Temporal.Instant.from(text.trim()).toZonedDateTimeISO(zone.trim()).toPlainDate().toString();
  } catch {
    // Not an instant, or an unknown zone: the text as it is.
    return text.trim();
  }
}

function scalarsOf(row: Row): ImportedTask['scalars'] {
  // Days are no length here: what is said of them is kept as words.
  const unit = /^d/i.test(row.unit ?? '') ? ' days' : '';
  return eachScalar((name) => (row[name] ?? '').trim() + (name === 'duration' ? unit : ''));
}

/** The task of a row; null when the row is empty. */
function taskOf(row: Row, statuses: Statuses): TaskDraft | null {
  const { title = '', notes = '', due = '', start = '', labels = '' } = row;
  const person = (row.person ?? '').trim();
  const more =
    person === '' ? notes : [notes, `Assigned to ${person}`].filter((part) => part !== '').join('\n\n');
  const split = splitTitle(filesToLinks(title), filesToLinks(more));
  if (split.title === '' && split.notes === '') return null;
  const status = statuses.read(row);
  return draftOf({
    ...split,
    due: dayOf(due, row),
    start: dayOf(start, row),
    scalars: scalarsOf(row),
    deadline: (row.deadline ?? '').trim(),
    repeat: repeatWords((row.repeat ?? '').trim()),
    isDone: status.isDone,
    completed: status.completed,
    created: (row.created ?? '').trim(),
    zone: (row.zone ?? '').trim(),
    labels: [...new Set([...listOf(labels), ...(status.label === null ? [] : [status.label])])],
  });
}

/** The tree of one list: tasks go under the heading of their section, at the level that their row gives. */
class Tree {
  readonly tops: TaskDraft[] = [];
  readonly #sections = new Map<string, TaskDraft>();
  #section: TaskDraft | null = null;
  /** The last task of each level, from the first down. */
  readonly #open: TaskDraft[] = [];

  /** Puts the next tasks under this section, or at the top if it has no name. */
  enter({ title, notes }: Pick<TaskDraft, 'title' | 'notes'>): void {
    if (title === (this.#section?.title ?? '')) return;
    this.#open.length = 0;
    const known = title === '' ? null : this.#sections.get(title);
    if (known === null) {
      this.#section = null;
      return;
    }
    this.#section = known ?? draftOf({ title, notes });
    if (known) return;
    this.#sections.set(title, this.#section);
    this.tops.push(this.#section);
  }

  put(task: TaskDraft, level: number): void {
    this.#open.length = Math.max(1, Math.min(level, this.#open.length + 1)) - 1;
    const above = this.#open.at(-1) ?? this.#section;
    (above?.children ?? this.tops).push(task);
    this.#open.push(task);
  }
}

/** Prefix that tells ids from titles. */
const ID = '\0';
const NO_ID = /^0?$/;

/** The title of the parent, or its id if there is a column for it; empty for none. */
function parentOf({ parent = '', parentId = '' }: Row): string {
  const id = parentId.trim();
  return NO_ID.test(id) ? parent.trim() : ID + id;
}

/** Reads the rows of a table into the trees of its lists. */
class TableReader {
  readonly statuses = new Statuses();
  readonly #trees = new Map<string, Tree>();
  /** By title and by id; the last one counts. */
  readonly #tasks = new Map<string, TaskDraft>();
  readonly #above = new Map<TaskDraft, TaskDraft>();
  /** Tasks whose parent has not been read yet. */
  readonly #orphans: { readonly task: TaskDraft; readonly parent: string; readonly tree: Tree }[] = [];

  add(row: Row): void {
    const task = taskOf(row, this.statuses);
    if (task === null) return;
    const parent = parentOf(row);
    const known = parent === '' ? undefined : this.#tasks.get(parent);
    // A subtask belongs to the list of its parent.
    if (known) this.#hang(task, known);
    else this.#place(task, row, parent);
    this.#tasks.set(task.title, task);
    const id = (row.id ?? '').trim();
    if (!NO_ID.test(id)) this.#tasks.set(ID + id, task);
  }

  #hang(task: TaskDraft, under: TaskDraft): void {
    under.children.push(task);
    this.#above.set(task, under);
  }

  /** The topmost task above it; remembered, so that long chains are climbed once. */
  #topOf(task: TaskDraft): TaskDraft {
    const passed: TaskDraft[] = [];
    let top = task;
    for (let next = this.#above.get(top); next; next = this.#above.get(top)) {
      passed.push(top);
      top = next;
    }
    for (const each of passed) this.#above.set(each, top);
    return top;
  }

  #place(task: TaskDraft, row: Row, parent: string): void {
    const tree = this.#treeOf(row);
    if (parent !== '') {
      this.#orphans.push({ task, parent, tree });
      return;
    }
    if (row.section !== undefined) tree.enter({ title: sectionOf(row.section), notes: '' });
    tree.put(task, Number.parseInt(row.level ?? '1', 10) || 1);
  }

  #treeOf(row: Row): Tree {
    const name = (row.list ?? '').split('\n')[0]?.trim() ?? '';
    const tree = this.#trees.get(name) ?? new Tree();
    this.#trees.set(name, tree);
    return tree;
  }

  finish(): readonly ImportedList[] {
    const made = new Map<string, TaskDraft>();
    for (const { task, parent, tree } of this.#orphans) {
      const isId = parent.startsWith(ID);
      const known = this.#tasks.get(parent) ?? made.get(parent);
      // A task under itself would be lost.
      if (known && this.#topOf(known) !== task) {
        this.#hang(task, known);
        continue;
      }
      if (isId) {
        tree.put(task, 1);
        continue;
      }
      const above = draftOf({ title: parent, children: [] });
      made.set(parent, above);
      above.children.push(task);
      tree.put(above, 1);
    }
    return [...this.#trees]
      .filter(([, { tops }]) => tops.length > 0)
      .map(([name, { tops }]) => ({ name: name === '' ? null : name, tasks: tops }));
  }
}

/** Programs write "(no section)" for none. */
const sectionOf = (text: string) => (/^\(no section\)$/i.test(text.trim()) ? '' : text.trim());

/** Types and priorities are read only where their values are known. */
const isTaken = (column: Column | undefined) =>
  column !== undefined && column !== 'kind' && column !== 'priority';

function aboveIn(rows: readonly (readonly string[])[]): readonly string[] {
  const [[first = ''] = []] = rows;
  if (rows.length === 0) return [];
  return [
    rows.length === 1
      ? `Left out: the line “${first}” above the headings.`
      : `Left out: ${rows.length} lines above the headings, starting with “${first}”.`,
  ];
}

/** Reads any text and ends. One row must name a column for titles: the first, or the first with several cells. */
export function parseCsv(text: string): ImportResult {
  const { data, errors } = Papa.parse<string[]>(text.startsWith('\uFEFF') ? text.slice(1) : text, {
    skipEmptyLines: 'greedy',
  });
  const at = headingsIn(data);
  const [headings = [], ...cells] = data.slice(at);
  const columns = columnsOf(headings);
  const all = new Set(columns.values());
  if (!all.has('title'))
    return failed(
      'The first line needs column names, including “title.” Others: notes, due, start, labels, done, list.',
    );
  const rows = cells.map((row) => rowOf(row, headings.length, columns));
  const reader = new TableReader();
  for (const row of rows) reader.add(row);
  const left = headings.filter((heading, at) => heading.trim() !== '' && !isTaken(columns.get(at)));
  return ok({
    kind: 'CSV',
    lists: reader.finish(),
    left: [
      ...(left.length === 0
        ? []
        : [`Left out: the ${left.length === 1 ? 'column' : 'columns'} ${left.join(', ')}.`]),
      ...reader.statuses.left,
      ...aboveIn(data.slice(0, at)),
      ...brokenQuotes(errors),
    ],
  });
}
