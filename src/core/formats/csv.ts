// Reads tables of tasks: CSV with a line of headings, and the CSV that Todoist writes for a project. Separators, quotes and line
// ends are the parser's to find out. A cell is text, whatever it begins with.
import Papa from 'papaparse';
import { draftOf, type ImportedFile, type ImportedList, splitTitle, type TaskDraft } from './imported.ts';

type Column =
  | 'title'
  | 'notes'
  | 'due'
  | 'start'
  | 'duration'
  | 'done'
  | 'labels'
  | 'list'
  | 'section'
  | 'level'
  | 'kind'
  | 'priority'
  | 'person'
  | 'unit'
  | 'allDay'
  | 'zone';

/** Headings by what they mean; case, spaces and underlines do not count. */
const HEADINGS: Readonly<Record<Column, readonly string[]>> = {
  title: ['title', 'name', 'task', 'taskname', 'content', 'subject', 'text', 'summary', 'todo', 'item'],
  notes: ['notes', 'note', 'description', 'details', 'body', 'comment', 'comments'],
  due: ['due', 'duedate', 'dueon', 'dueat', 'date', 'deadline', 'enddate'],
  start: ['start', 'startdate', 'starts', 'startson', 'startsat', 'scheduled', 'deferdate', 'defer'],
  duration: ['duration', 'durationminutes', 'minutes', 'estimate', 'estimatedduration', 'length'],
  done: ['done', 'complete', 'completed', 'iscomplete', 'completedat', 'completiondate', 'status', 'checked'],
  labels: ['labels', 'label', 'tags', 'tag', 'categories', 'category', 'contexts', 'context'],
  list: ['list', 'project', 'projectname', 'listname', 'folder', 'area'],
  section: ['section', 'sectionname', 'heading', 'parent', 'parenttask'],
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
const NOT_DONE: ReadonlySet<string> = new Set([
  '',
  '0',
  'false',
  'no',
  'n',
  'open',
  'todo',
  'to do',
  'incomplete',
  'not started',
  'in progress',
  'needs action',
  'needsaction',
  'active',
]);
/** "@errand" in a title, as Todoist writes its labels. */
const SIGNED_LABEL = /(?:^|\s)@([^\s@]+)/g;
/** The fourth is the usual one, which is as good as none. */
const URGENT = /^[1-3]$/;

/** Programs write a few lines about the file above its headings. */
const MOST_ABOVE = 20;

type Row = Readonly<Partial<Record<Column, string>>>;

/** What stands beyond the last heading belongs to no column: it is kept with the notes. */
function rowOf(cells: readonly string[], headings: number, columns: ReadonlyMap<number, Column>): Row {
  const row: Partial<Record<Column, string>> = {};
  for (const [at, column] of columns) row[column] = cells[at] ?? '';
  const beyond = cells.slice(headings).filter((cell) => cell.trim() !== '');
  if (beyond.length > 0) row.notes = [row.notes ?? '', ...beyond].filter((part) => part !== '').join('\n');
  return row;
}

/** Cells that begin or end elsewhere than whoever wrote them meant. */
function brokenQuotes(errors: readonly Papa.ParseError[]): readonly string[] {
  const [first, ...others] = new Set(
    errors.flatMap(({ type, row }) => (type === 'Quotes' ? [(row ?? 0) + 1] : [])),
  );
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [
    `The quotation marks of row ${first}${more} do not fit together: look whether its cells are right.`,
  ];
}

function columnsOf(headings: readonly string[]): ReadonlyMap<number, Column> {
  const found = new Map<number, Column>();
  const taken = new Set<Column>();
  const names = headings.map((heading) => heading.toLowerCase().replaceAll(/[\s_-]+/g, ''));
  for (const [at, name] of names.entries()) {
    const column = COLUMN_OF.get(name);
    if (column === undefined || taken.has(column)) continue;
    taken.add(column);
    found.set(at, column);
  }
  // Beside a title, content is what more there is to say.
  const content = names.indexOf('content');
  if (content >= 0 && !found.has(content) && !taken.has('notes')) found.set(content, 'notes');
  // Each says something only with the other.
  const isPair = taken.has('allDay') && taken.has('zone');
  for (const [at, column] of found)
    if (!isPair && (column === 'allDay' || column === 'zone')) found.delete(at);
  return found;
}

const cellsIn = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length;

/** Which line names the columns: the first, or the first of several cells below lines of one. */
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

/** A whole day written as the instant at which it began somewhere: the day that it was there. */
function dayOf(text: string, { allDay = '', zone = '' }: Row): string {
  if (zone === '' || !/^(?:true|1|yes|y)$/i.test(allDay.trim())) return text.trim();
  try {
    return Temporal.Instant.from(text.trim()).toZonedDateTimeISO(zone.trim()).toPlainDate().toString();
  } catch {
    // No instant, or a zone that nobody knows: the words as they are.
    return text.trim();
  }
}

/** Null: the row says nothing. */
function taskOf(row: Row, isTodoist: boolean): TaskDraft | null {
  const { title = '', notes = '', due = '', start = '', duration = '', labels = '', priority = '' } = row;
  const person = (row.person ?? '').trim();
  const signed = isTodoist ? [...title.matchAll(SIGNED_LABEL)].map(([, name = '']) => name) : [];
  const words = isTodoist ? title.replaceAll(SIGNED_LABEL, '').replace(/^\* /, '') : title;
  const more =
    person === '' ? notes : [notes, `Assigned to ${person}`].filter((part) => part !== '').join('\n\n');
  const split = splitTitle(words, more);
  if (split.title === '' && split.notes === '') return null;
  const urgent = isTodoist && URGENT.test(priority.trim());
  return draftOf({
    ...split,
    due: dayOf(due, row),
    start: dayOf(start, row),
    // Days are no length here: what is said of them is kept as words.
    duration: [duration.trim(), ...(/^d/i.test(row.unit ?? '') ? ['days'] : [])].join(' '),
    isDone: !NOT_DONE.has((row.done ?? '').trim().toLowerCase()),
    labels: [...new Set([...listOf(labels), ...signed, ...(urgent ? [`p${priority.trim()}`] : [])])],
  });
}

/** Where the tasks of a list go: beneath the heading of their section, and by the level that their row says. */
class Tree {
  readonly tops: TaskDraft[] = [];
  readonly #sections = new Map<string, TaskDraft>();
  #section: TaskDraft | null = null;
  /** From the first level down. */
  readonly #open: TaskDraft[] = [];

  /** What follows goes there; without a name, to the top. */
  enter(title: string): void {
    if (title === (this.#section?.title ?? '')) return;
    this.#open.length = 0;
    const known = title === '' ? null : this.#sections.get(title);
    if (known === null) {
      this.#section = null;
      return;
    }
    this.#section = known ?? draftOf({ title });
    if (known) return;
    this.#sections.set(title, this.#section);
    this.tops.push(this.#section);
  }

  /** More about what came last. */
  note(text: string): void {
    const last = this.#open.at(-1) ?? this.#section;
    if (last) last.notes = [last.notes, text.trim()].filter((part) => part !== '').join('\n\n');
  }

  put(task: TaskDraft, level: number): void {
    this.#open.length = Math.max(1, Math.min(level, this.#open.length + 1)) - 1;
    const above = this.#open.at(-1) ?? this.#section;
    (above?.children ?? this.tops).push(task);
    this.#open.push(task);
  }
}

function readRow(row: Row, tree: Tree, isTodoist: boolean): void {
  const kind = (row.kind ?? '').trim().toLowerCase();
  if (isTodoist && kind === 'section') tree.enter(splitTitle(row.title ?? '', '').title);
  else if (isTodoist && kind === 'note') tree.note(row.title ?? '');
  else if (!isTodoist || kind === 'task') {
    const task = taskOf(row, isTodoist);
    if (!task) return;
    if (row.section !== undefined) tree.enter(row.section.trim());
    tree.put(task, Number.parseInt(row.level ?? '1', 10) || 1);
  }
}

function read(rows: readonly Row[], isTodoist: boolean): readonly ImportedList[] {
  const trees = new Map<string, Tree>();
  for (const row of rows) {
    const name = (row.list ?? '').trim();
    const tree = trees.get(name) ?? new Tree();
    trees.set(name, tree);
    readRow(row, tree, isTodoist);
  }
  return [...trees].map(([name, { tops }]) => ({ name: name === '' ? null : name, tasks: tops }));
}

/** Types and priorities are read where it is known what they mean. */
const isTaken = (column: Column | undefined) =>
  column !== undefined && column !== 'kind' && column !== 'priority';

function aboveIn(rows: readonly (readonly string[])[]): readonly string[] {
  const [[first = ''] = []] = rows;
  if (rows.length === 0) return [];
  return [
    rows.length === 1
      ? `Not taken: the line “${first}” above the headings.`
      : `Not taken: ${rows.length} lines above the headings, “${first}” the first.`,
  ];
}

/** Reads any text and ends. One row has to name a column for titles: the first, or the first of several cells. */
export function parseCsv(text: string): ImportedFile {
  const { data, errors } = Papa.parse<string[]>(text.startsWith('\uFEFF') ? text.slice(1) : text, {
    skipEmptyLines: 'greedy',
  });
  const at = headingsIn(data);
  const [headings = [], ...cells] = data.slice(at);
  const columns = columnsOf(headings);
  const all = new Set(columns.values());
  if (!all.has('title'))
    return {
      ok: false,
      problem:
        'The first line has to name the columns, one of them “title”. Others: notes, due, start, labels, done, list.',
    };
  const rows = cells.map((row) => rowOf(row, headings.length, columns));
  const isTodoist = all.has('kind') && all.has('level') && all.has('priority');
  // Todoist's own other columns say nothing about a task.
  const left = isTodoist
    ? []
    : headings.filter((heading, at) => heading.trim() !== '' && !isTaken(columns.get(at)));
  return {
    ok: true,
    kind: isTodoist ? 'CSV from Todoist' : 'CSV',
    lists: read(rows, isTodoist),
    left: [
      ...(left.length === 0
        ? []
        : [`Not taken: the ${left.length === 1 ? 'column' : 'columns'} ${left.join(', ')}.`]),
      ...aboveIn(data.slice(0, at)),
      ...brokenQuotes(errors),
    ],
  };
}
