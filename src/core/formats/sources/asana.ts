// Reads Asana's CSV: parents by name, several projects a task, custom fields as further columns.
import { ok } from '../../result.ts';
import {
  type Format,
  paragraphs,
  type RawDate,
  type RawList,
  rawList,
  rawTask,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import { headingRow, recordsOf } from '../import/given.ts';

type Row = Readonly<Record<string, string>>;

const NEEDED = ['task id', 'name', 'completed at', 'created at'];
const KNOWN: ReadonlySet<string> = new Set(
  `task id|created at|completed at|last modified|name|section/column|assignee|assignee email|start date|due date|tags|notes|projects|
  parent task|blocked by (dependencies)|blocking (dependencies)|dependents`
    .split('|')
    .map((name) => name.trim()),
);
const NO_SECTION = /^\(no section\)$/i;

const cell = (row: Row, name: string) => (row[name] ?? '').trim();
const date = (words: string): RawDate | null => (words === '' ? null : { words });

class Rows {
  readonly #tools: Tools;
  readonly #lists = new Map<string, RawList>();
  readonly #sections = new Map<string, RawTask>();
  /** The nearest earlier row of a name. */
  readonly #byName = new Map<string, RawTask>();
  readonly #fallback: string;

  constructor(fallback: string, tools: Tools) {
    this.#fallback = fallback;
    this.#tools = tools;
  }

  lists(rows: readonly Row[]): RawList[] {
    const late: { readonly task: RawTask; readonly row: Row }[] = [];
    for (const row of rows) {
      if (cell(row, 'name') === '' && cell(row, 'task id') === '') continue;
      const task = this.#task(row);
      const parent = cell(row, 'parent task');
      const above = parent === '' ? undefined : this.#byName.get(parent);
      if (above) above.children.push(task);
      else if (parent === '') this.#place(task, row);
      else late.push({ task, row });
      this.#byName.set(cell(row, 'name'), task);
    }
    for (const { task, row } of late) this.#late(task, row);
    return [...this.#lists.values()];
  }

  /** A subtask above its parent: one without subtasks of its own may go under it, so that no circle closes. */
  #late(task: RawTask, row: Row): void {
    const above = this.#byName.get(cell(row, 'parent task'));
    if (above && above !== task && task.children.length === 0) above.children.push(task);
    else {
      this.#tools.losses.add('orphan', 'Parent task', 'top level', task.title);
      this.#place(task, row);
    }
  }

  #place(task: RawTask, row: Row): void {
    const projects = cell(row, 'projects')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const [project = this.#fallback] = projects;
    if (projects.length > 1) this.#tools.losses.add('other', 'Projects', 'notes', task.title);
    if (projects.length > 1) task.notes = paragraphs(task.notes, `Also in: ${projects.slice(1).join(', ')}`);
    const list = this.#lists.get(project) ?? rawList({ id: `asana:project:${project}`, name: project });
    this.#lists.set(project, list);
    const name = cell(row, 'section/column').replace(/:$/, '');
    if (name === '' || NO_SECTION.test(name)) {
      list.tasks.push(task);
      return;
    }
    const key = `${project}\n${name}`;
    const known = this.#sections.get(key);
    const section =
      known ?? rawTask({ id: `asana:section:${project}/${name}`, title: name, isHeading: true });
    if (!known) {
      this.#sections.set(key, section);
      list.tasks.push(section);
      this.#tools.losses.add('heading', 'Section/Column', 'task', name);
    }
    section.children.push(task);
  }

  #task(row: Row): RawTask {
    const { losses } = this.#tools;
    const title = cell(row, 'name');
    const person = cell(row, 'assignee') || cell(row, 'assignee email');
    if (person !== '') losses.add('assignee', 'Assignee', 'notes', person);
    const waits = cell(row, 'blocked by (dependencies)');
    if (waits !== '') losses.add('dependency', 'Blocked By', 'notes', title);
    const metadata: Record<string, string> = {};
    for (const [name, value] of Object.entries(row))
      if (!KNOWN.has(name) && value.trim() !== '') {
        metadata[name] = value.trim();
        losses.add('custom-field', name, 'metadata', value);
      }
    const id = cell(row, 'task id');
    return rawTask({
      id: id === '' ? null : `asana:${id}`,
      title,
      notes: paragraphs(
        row['notes'] ?? '',
        person === '' ? '' : `Assigned to ${person}`,
        waits === '' ? '' : `Waits for: ${waits}`,
      ),
      done: cell(row, 'completed at') === '' ? null : { at: date(cell(row, 'completed at')) },
      created: date(cell(row, 'created at')),
      due: date(cell(row, 'due date')),
      start: date(cell(row, 'start date')),
      labels: cell(row, 'tags')
        .split(',')
        .map((name) => ({ name: name.trim() }))
        .filter(({ name }) => name !== ''),
      metadata,
    });
  }
}

/** Asana's CSV. */
export const asana: Format = {
  name: 'asana',
  title: 'Asana CSV',
  extensions: ['.csv'],
  detect: (file) => file.magic === 'other' && headingRow(file.headRows, NEEDED) >= 0,
  read: (files, tools) => {
    const lists = files.flatMap((file) => {
      const { rows } = file.table;
      const at = headingRow(rows.slice(0, 30), NEEDED);
      return new Rows(file.title, tools).lists(recordsOf(rows, at));
    });
    return ok({ kind: 'Asana', lists });
  },
};
