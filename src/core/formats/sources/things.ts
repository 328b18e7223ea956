// Reads the database of Things 3, of both generations of its schema, with the log beside it. A repeating to-do is a
// template with its instances there and one repeating task here. Rules and values: things-values.ts.
import { failed, ok } from '../../result.ts';
import {
  type Format,
  paragraphs,
  rawList,
  type RawLabel,
  type RawLabelFacts,
  type RawList,
  rawTask,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import type { Given } from '../import/given.ts';
import type { Cell, ImportDatabase, ImportedFolder } from '../import/shape.ts';
import { mostDatabaseBytes, replayWal, usesLog, withoutLog } from '../import/wal.ts';
import { readThingsRule, thingsDay, thingsNotes, type ThingsRule, thingsTime } from './things-values.ts';

type Row = Readonly<Record<string, Cell>>;

const MOST_ROWS = 400_000;
const TABLES = ['TMTask', 'TMArea', 'TMTag', 'TMTaskTag', 'TMChecklistItem'];
/** Columns of tasks by what they mean: in the newer schema, in the older one. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  uuid: ['uuid'],
  title: ['title'],
  notes: ['notes'],
  type: ['type'],
  status: ['status'],
  stopped: ['stopDate'],
  created: ['creationDate'],
  trashed: ['trashed'],
  project: ['project'],
  area: ['area'],
  heading: ['heading', 'actionGroup'],
  position: ['index'],
  start: ['start'],
  startDate: ['startDate'],
  bucket: ['startBucket'],
  deadline: ['deadline', 'dueDate'],
  reminder: ['reminderTime'],
  alarm: ['alarmTimeOffset'],
  template: ['rt1_repeatingTemplate', 'repeatingTemplate'],
  rule: ['rt1_recurrenceRule', 'recurrenceRule'],
  next: ['rt1_nextInstanceStartDate', 'nextInstanceStartDate'],
  paused: ['rt1_instanceCreationPaused', 'instanceCreationPaused'],
};

const text = (row: Row, name: string): string => {
  const value = row[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
};
const number = (row: Row, name: string): number | null => {
  const value = row[name];
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};
const by = (row: Row) => number(row, 'position') ?? 0;
const isFinished = (row: Row) => number(row, 'status') === 3 || number(row, 'status') === 2;

/** All rows that are read, sorted. */
interface Rows {
  readonly tasks: readonly Row[];
  readonly areas: readonly Row[];
  readonly tags: readonly Row[];
  readonly taskTags: readonly Row[];
  readonly items: readonly Row[];
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

function columnsOf(database: ImportDatabase, table: string): ReadonlySet<string> {
  return new Set(database.rows(`PRAGMA table_info(${quoted(table)})`).map((row) => text(row, 'name')));
}

/** Reads tables only: a view or a virtual table could do anything. */
function rowsIn(database: ImportDatabase): Rows | string {
  const made = database.rows(
    `SELECT name, type, sql FROM sqlite_master WHERE name IN (${TABLES.map((name) => `'${name}'`).join(', ')}) LIMIT 50`,
  );
  const isPlain = (row: Row) =>
    text(row, 'type') === 'table' && !/\bVIRTUAL\b|\bGENERATED\b|\bAS\s*\(/i.test(text(row, 'sql'));
  const tables = new Set(made.filter(isPlain).map((row) => text(row, 'name')));
  if (!tables.has('TMTask')) return 'is a database, but not of Things.';
  const select = (table: string, columns: readonly string[], sort = '') => {
    if (!tables.has(table)) return [];
    const has = columnsOf(database, table);
    const listed = columns
      .map((name) => (has.has(name) ? quoted(name) : `NULL AS ${quoted(name)}`))
      .join(', ');
    const order = sort !== '' && has.has(sort) ? ` ORDER BY ${quoted(sort)}, rowid` : ' ORDER BY rowid';
    return database.rows(`SELECT ${listed} FROM ${quoted(table)}${order} LIMIT ${MOST_ROWS}`);
  };
  const has = columnsOf(database, 'TMTask');
  const listed = Object.entries(COLUMNS).map(([name, columns]) => {
    const column = columns.find((one) => has.has(one));
    return `${column === undefined ? 'NULL' : quoted(column)} AS ${name}`;
  });
  return {
    tasks: database.rows(
      `SELECT ${listed.join(', ')} FROM TMTask ORDER BY position, rowid LIMIT ${MOST_ROWS}`,
    ),
    areas: select('TMArea', ['uuid', 'title', 'index'], 'index'),
    tags: select('TMTag', ['uuid', 'title', 'shortcut', 'parent', 'index'], 'index'),
    taskTags: select('TMTaskTag', ['tasks', 'tags']),
    items: select(
      'TMChecklistItem',
      ['uuid', 'task', 'title', 'status', 'stopDate', 'creationDate', 'index'],
      'index',
    ),
  };
}

const grouped = (rows: readonly Row[], name: string) => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = text(row, name);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
};

/** Tags as labels: those under another one are in its group. */
class Tags {
  readonly byId = new Map<string, RawLabelFacts>();

  constructor(rows: readonly Row[], tools: Tools) {
    const tags = new Map(rows.map((row) => [text(row, 'uuid'), row]));
    for (const [id, row] of tags) {
      const path: string[] = [];
      const seen = new Set<string>([id]);
      for (let above = tags.get(text(row, 'parent')); above; above = tags.get(text(above, 'parent'))) {
        const parent = text(above, 'uuid');
        if (seen.has(parent)) break;
        seen.add(parent);
        path.unshift(text(above, 'title'));
      }
      const [group = null, ...between] = path;
      if (group !== null)
        tools.losses.add('label-group', 'TMTag.parent', 'label', [...path, text(row, 'title')].join(' / '));
      this.byId.set(id, {
        name: [...between, text(row, 'title')].join(' / '),
        group,
        hotkey: text(row, 'shortcut') || null,
      });
    }
  }
}

class Database {
  readonly #rows: Rows;
  readonly #tools: Tools;
  readonly #tags: Tags;
  readonly #tagsOf: ReadonlyMap<string, readonly Row[]>;
  readonly #itemsOf: ReadonlyMap<string, readonly Row[]>;
  readonly #byId: ReadonlyMap<string, Row>;
  /** Templates by id. */
  readonly #rules = new Map<string, ThingsRule | null>();
  /** Templates of which an instance is imported with their rule. */
  readonly #given = new Set<string>();
  readonly #lists = new Map<string, RawList>();
  readonly #folders = new Map<string, ImportedFolder>();

  constructor(rows: Rows, tools: Tools) {
    this.#rows = rows;
    this.#tools = tools;
    this.#tags = new Tags(rows.tags, tools);
    this.#tagsOf = grouped(rows.taskTags, 'tasks');
    this.#itemsOf = grouped(rows.items, 'task');
    this.#byId = new Map(rows.tasks.map((row) => [text(row, 'uuid'), row]));
    for (const row of rows.tasks) {
      const rule = row['rule'];
      if (typeof rule === 'string' && rule !== '') this.#rules.set(text(row, 'uuid'), readThingsRule(rule));
      else if (rule instanceof Uint8Array) this.#rules.set(text(row, 'uuid'), readThingsRule(rule));
    }
    for (const row of rows.tasks)
      if (!isFinished(row) && !this.#isTrashed(row) && this.#rules.has(text(row, 'template')))
        this.#given.add(text(row, 'template'));
  }

  get labels(): readonly RawLabelFacts[] {
    return [...this.#tags.byId.values()];
  }

  /** It, its heading or its project is in the trash, or belongs to a template that is left out. */
  #isTrashed(row: Row, depth = 0): boolean {
    if (number(row, 'trashed') === 1) return true;
    if (depth > 3) return false;
    const above = this.#byId.get(text(row, 'heading')) ?? this.#byId.get(text(row, 'project'));
    return above !== undefined && above !== row && this.#isTrashed(above, depth + 1);
  }

  /** Templates of which an open instance exists are not imported, nor what is in them. */
  #isTemplate(row: Row, depth = 0): boolean {
    const id = text(row, 'uuid');
    if (this.#rules.has(id) && this.#given.has(id)) return true;
    if (depth > 3) return false;
    const above = this.#byId.get(text(row, 'heading')) ?? this.#byId.get(text(row, 'project'));
    return above !== undefined && above !== row && this.#isTemplate(above, depth + 1);
  }

  lists(): RawList[] {
    for (const area of this.#rows.areas)
      this.#folders.set(text(area, 'uuid'), {
        id: `things:area:${text(area, 'uuid')}`,
        name: text(area, 'title') || 'Area',
      });
    const kept = this.#rows.tasks.filter((row) => {
      if (this.#isTrashed(row)) {
        this.#tools.losses.add('trash', 'trashed', 'nowhere', text(row, 'title'));
        return false;
      }
      return !this.#isTemplate(row);
    });
    const sorted = kept.toSorted((one, other) => by(one) - by(other));
    const projects = sorted.filter((row) => number(row, 'type') === 1);
    this.#standing('inbox');
    const inAreas = [...this.#rows.areas.map((area) => text(area, 'uuid')), ''];
    for (const area of inAreas) {
      if (area !== '' && sorted.some((row) => this.#isIn(row, area))) this.#areaList(area);
      for (const project of projects)
        if (text(project, 'area') === area || (area === '' && !this.#folders.has(text(project, 'area'))))
          this.#project(project);
    }
    const headings = new Map<string, RawTask>();
    for (const row of sorted)
      if (number(row, 'type') === 2) {
        const heading = this.#heading(row);
        headings.set(text(row, 'uuid'), heading);
      }
    for (const row of sorted) {
      if (number(row, 'type') === 1 || number(row, 'type') === 2) continue;
      const under = headings.get(text(row, 'heading'));
      (under?.children ?? this.#listOf(row).tasks).push(this.#task(row));
    }
    // Headings stand below the to-dos without one.
    for (const row of sorted) {
      const heading = headings.get(text(row, 'uuid'));
      if (heading) this.#listOf(row).tasks.push(heading);
    }
    return [...this.#lists.values()].filter(
      (list) => list.tasks.length > 0 || (list.id ?? '').startsWith('things:project:'),
    );
  }

  #isIn(row: Row, area: string): boolean {
    return text(row, 'area') === area && number(row, 'type') === 0 && text(row, 'project') === '';
  }

  #areaList(area: string): RawList {
    const key = `area:${area}`;
    const folder = this.#folders.get(area);
    const known = this.#lists.get(key);
    if (known) return known;
    const list = rawList({
      id: `things:area-list:${area}`,
      name: folder?.name ?? 'Area',
      folders: folder ? [folder] : [],
    });
    this.#lists.set(key, list);
    return list;
  }

  /** The Inbox, or the list of what is nowhere else. */
  #standing(which: 'inbox' | 'anytime'): RawList {
    const known = this.#lists.get(which);
    if (known) return known;
    const isInbox = which === 'inbox';
    const list = rawList({ id: `things:${which}`, name: isInbox ? 'Inbox' : 'Things', isInbox });
    this.#lists.set(which, list);
    return list;
  }

  #listOf(row: Row): RawList {
    const heading = this.#byId.get(text(row, 'heading'));
    const project = text(row, 'project') || (heading ? text(heading, 'project') : '');
    const list = this.#lists.get(`project:${project}`);
    if (list) return list;
    if (project !== '') this.#tools.losses.add('orphan', 'project', 'list', text(row, 'title'));
    const area = text(row, 'area');
    if (this.#folders.has(area)) return this.#areaList(area);
    return this.#standing(number(row, 'start') === 0 && project === '' ? 'inbox' : 'anytime');
  }

  #project(row: Row): void {
    const { losses } = this.#tools;
    const id = text(row, 'uuid');
    const title = text(row, 'title');
    const folder = this.#folders.get(text(row, 'area'));
    const facts: string[] = [];
    const [start, due] = [thingsDay(number(row, 'startDate')), thingsDay(number(row, 'deadline'))];
    if (start !== null && start !== 'distant') facts.push(`Start: ${start}`);
    if (due !== null && due !== 'distant') facts.push(`Deadline: ${due}`);
    if (facts.length > 0) losses.add('project-date', 'deadline', 'list notes', title);
    const labels = this.#labelsOf(row);
    if (labels.length > 0) {
      facts.push(`Tags: ${labels.map(({ name }) => name).join(', ')}`);
      losses.add('project-label', 'TMTaskTag', 'list notes', title);
    }
    const rule = this.#rules.get(id) ?? this.#rules.get(text(row, 'template'));
    if (rule) {
      facts.push(`Repeat: ${rule.words}`);
      losses.add('repeat', 'rt1_recurrenceRule', 'list notes', title);
    }
    if (number(row, 'start') === 2 && start === null && !rule) {
      facts.push('Someday');
      losses.add('someday', 'start', 'list notes', title);
    }
    if (number(row, 'status') === 2) losses.add('cancelled', 'status', 'list', title);
    const stopped = number(row, 'stopped');
    this.#lists.set(
      `project:${id}`,
      rawList({
        id: `things:project:${id}`,
        name: title || 'Project',
        folders: folder ? [folder] : [],
        notes: paragraphs(thingsNotes(text(row, 'notes')), facts.join('\n')),
        archived: isFinished(row) ? (momentOf(stopped) ?? { words: '' }) : null,
      }),
    );
  }

  #heading(row: Row): RawTask {
    const title = text(row, 'title');
    this.#tools.losses.add('heading', 'heading', 'task', title);
    return rawTask({
      id: `things:${text(row, 'uuid')}`,
      title,
      isHeading: true,
      created: momentOf(number(row, 'created')),
      done: isFinished(row) ? { at: momentOf(number(row, 'stopped')) } : null,
    });
  }

  #labelsOf(row: Row): RawLabel[] {
    const tags = this.#tagsOf.get(text(row, 'uuid')) ?? [];
    return tags
      .flatMap((tag) => this.#tags.byId.get(text(tag, 'tags')) ?? [])
      .map(({ name, group = null }) => ({ name, group }));
  }

  #task(row: Row): RawTask {
    const { losses } = this.#tools;
    const title = text(row, 'title');
    const labels = this.#labelsOf(row);
    const start = thingsDay(number(row, 'startDate'));
    const isRule = this.#rules.has(text(row, 'uuid'));
    if (number(row, 'start') === 2 && start === null && !isRule && !isFinished(row)) {
      labels.push({ name: 'someday' });
      losses.add('someday', 'start', 'label', title);
    }
    if (number(row, 'status') === 2) {
      labels.push({ name: 'cancelled' });
      losses.add('cancelled', 'status', 'label', title);
    }
    const deadline = thingsDay(number(row, 'deadline'));
    const task = rawTask({
      id: `things:${text(row, 'uuid')}`,
      title,
      notes: thingsNotes(text(row, 'notes')),
      done: isFinished(row) ? { at: momentOf(number(row, 'stopped')) } : null,
      created: momentOf(number(row, 'created')),
      due: deadline === null || deadline === 'distant' ? null : { when: { on: deadline } },
      start: start === null || start === 'distant' ? null : { when: this.#startOf(row, start) },
      labels,
      children: this.#checklist(row),
    });
    this.#remind(task, row, start);
    this.#repeat(task, row);
    return task;
  }

  /** "This Evening" counts only on its day or before it. */
  #startOf(row: Row, day: string): { on: string } | { local: string } {
    const { phrase, eveningHour = 18 } = this.#tools.context;
    if (number(row, 'bucket') !== 1) return { on: day };
    const today = Temporal.Instant.fromEpochMilliseconds(phrase.now)
      .toZonedDateTimeISO(phrase.zone)
      .toPlainDate()
      .toString();
    return day >= today ? { local: `${day}T${String(eveningHour).padStart(2, '0')}:00` } : { on: day };
  }

  #remind(task: RawTask, row: Row, day: string | null): void {
    const time = thingsTime(number(row, 'reminder'), false) ?? thingsTime(number(row, 'alarm'), true);
    if (time === null) return;
    if (day !== null && day !== 'distant') task.reminders.push({ when: { local: `${day}T${time}` } });
    else this.#tools.losses.add('reminder', 'reminderTime', 'nowhere', task.title);
  }

  #repeat(task: RawTask, row: Row): void {
    const { losses } = this.#tools;
    const id = text(row, 'uuid');
    const isTemplate = this.#rules.has(id);
    const template = isTemplate ? row : this.#byId.get(text(row, 'template'));
    if (!template || isFinished(row)) return;
    const rule = this.#rules.get(text(template, 'uuid'));
    if (rule === undefined) return;
    if (isTemplate) {
      const next = thingsDay(number(row, 'next'));
      const isDue = thingsDay(number(row, 'deadline')) !== null;
      task.start = null;
      task.due = null;
      if (next !== null && next !== 'distant') {
        const day = Temporal.PlainDate.from(next);
        if (isDue)
          task.due = { when: { on: day.add({ days: Math.min(rule?.lead ?? 0, 3_650) }).toString() } };
        if (!isDue || (rule?.lead ?? 0) > 0) task.start = { when: { on: next } };
      }
    }
    if (number(template, 'paused') === 1) {
      task.notes = paragraphs(task.notes, `Repeat (paused): ${rule?.words ?? ''}`);
      losses.add('repeat', 'rt1_instanceCreationPaused', 'notes', task.title);
      return;
    }
    if (!rule?.rule) {
      task.notes = paragraphs(task.notes, rule ? `Repeat: ${rule.words}` : 'Repeats');
      losses.add('repeat', 'rt1_recurrenceRule', 'notes', task.title);
      return;
    }
    if (rule.end !== null) {
      task.notes = paragraphs(task.notes, `Repeat: ${rule.end}`);
      losses.add('repeat-end', 'rt1_recurrenceRule', 'notes', task.title);
    }
    task.repeat = { rule: rule.rule };
  }

  #checklist(row: Row): RawTask[] {
    return (this.#itemsOf.get(text(row, 'uuid')) ?? []).flatMap((item) => {
      const title = text(item, 'title');
      if (title.trim() === '') {
        this.#tools.losses.add('empty', 'TMChecklistItem', 'nowhere', text(row, 'title'));
        return [];
      }
      const isCancelled = number(item, 'status') === 2;
      if (isCancelled) this.#tools.losses.add('cancelled', 'status', 'label', title);
      return [
        rawTask({
          id: `things:${text(item, 'uuid')}`,
          title,
          created: momentOf(number(item, 'creationDate')),
          done: isFinished(item) ? { at: momentOf(number(item, 'stopDate')) } : null,
          labels: isCancelled ? [{ name: 'cancelled' }] : [],
        }),
      ];
    });
  }
}

/** Seconds since 1970. */
function momentOf(seconds: number | null) {
  if (seconds === null || seconds <= 0 || seconds > 64_000_000_000) return null;
  return { when: { at: Math.round(seconds * 1_000), zone: 'UTC' } };
}

const folderOf = (name: string) => name.slice(0, Math.max(0, name.search(/[^/\\]*$/)));

/** The log beside a database: in the same folder, with its name. */
function logOf(file: Given, files: readonly Given[]): Given | undefined {
  const logs = files.filter(({ magic }) => magic === 'wal');
  return (
    logs.find(({ name }) => name === `${file.name}-wal`) ??
    logs.find(({ name }) => folderOf(name) === folderOf(file.name))
  );
}

/** The database of Things. */
export const things: Format = {
  name: 'things',
  title: 'Things database',
  extensions: ['.sqlite', '.sqlite-wal', '.thingsdatabase', '.zip'],
  detect: ({ magic }) => magic === 'sqlite',
  read: async (files, tools) => {
    const [file] = files.filter(({ magic }) => magic === 'sqlite');
    const open = tools.context.ports?.openDatabase;
    if (!file || !open) return failed('is a database, which can’t be read here.');
    if (file.bytes.length > mostDatabaseBytes) return failed('is a database of more than 500 MB.');
    const log = logOf(file, files);
    if (!log && usesLog(file.bytes))
      tools.remark(
        'The last changes may be missing: Things keeps them in “main.sqlite-wal”. Quit Things first, or choose that file too.',
      );
    const image = log ? replayWal(file.bytes, log.bytes) : ok(withoutLog(file.bytes));
    if (!image.ok) return image;
    try {
      const database = await open(image.value);
      try {
        const rows = rowsIn(database);
        if (typeof rows === 'string') return failed(rows);
        const read = new Database(rows, tools);
        return ok({ kind: 'Things', lists: read.lists(), labels: read.labels });
      } finally {
        database.close();
      }
    } catch (error) {
      // SQLite says what is wrong with its file.
      return failed(`is a damaged database (${error instanceof Error ? error.message : 'unknown'}).`);
    }
  },
};
