// Reads Todoist's CSV: the template of a project, and the backup, an archive of one file per project. Rows are tasks,
// sections and comments; only the order and the indent of rows make the tree. No completed tasks are in it, no ids.
import { ok } from '../../result.ts';
import { filesToLinks } from '../attached-links.ts';
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
import { type Given, headingRow, recordsOf } from '../import/given.ts';
import { plainTitle } from '../import/inline-markdown.ts';
import { isInboxName } from './plain.ts';

const NEEDED = ['type', 'content', 'priority', 'indent'];
const KNOWN: ReadonlySet<string> = new Set([
  ...NEEDED,
  ...`description is_collapsed author responsible date date_lang timezone duration duration_unit deadline deadline_lang meta`.split(
    ' ',
  ),
]);
/** The id of the project, in the name of its file. */
const PROJECT_ID = /\s*\[(\d{6,}|[\dA-Za-z]{16})\]$/;
/** Labels stand at the beginning or after a space; so no part of an address is one. */
const LABEL = /(^|\s)@([^\s@]+)(?=\s|$)/g;
const PERSON_ID = /\s*\(\d+\)$/;
const NOT_COMPLETABLE = /^\*\s+/;
const ATTACHED = /\[\[file /g;

type Row = Readonly<Record<string, string>>;

/** Takes the labels out of a title. */
export function splitLabels(text: string): { readonly title: string; readonly labels: readonly string[] } {
  const labels = new Set<string>();
  const title = text.replaceAll(LABEL, (_whole, _before: string, name: string) => {
    labels.add(name);
    return '';
  });
  // Labels alone were somebody's words.
  if (title.trim() === '') return { title: text.trim(), labels: [...labels] };
  return { title: title.trim(), labels: [...labels] };
}

/** A title with Todoist's Markdown, as a plain title and the notes that keep its addresses. */
export function titleOf(content: string, tools: Tools): { readonly title: string; readonly notes: string } {
  const isNoTask = NOT_COMPLETABLE.test(content);
  const { title, addresses, isFormatted } = plainTitle(content.replace(NOT_COMPLETABLE, ''));
  if (isNoTask) tools.losses.add('not-completable', '* ', 'task', title);
  if (addresses.length > 0) tools.losses.add('link', 'CONTENT', 'notes', title);
  if (isFormatted) tools.losses.add('formatting', 'CONTENT', 'title', title);
  return { title, notes: addresses.join('\n') };
}

/** Priorities are the other way round in the API. */
export const priorityName = (number: number) => (number >= 1 && number <= 3 ? `p${number}` : null);

/** A comment as a paragraph of notes: when, who, what. */
export function commentText(posted: string, author: string, text: string): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(posted.trim())?.[0] ?? '';
  const by = [day, author.replace(PERSON_ID, '').trim()].filter((part) => part !== '').join(', ');
  return by === '' ? text : `${by}: ${text}`;
}

/** The tree of one project, row by row. */
class Project {
  readonly list: RawList;
  readonly #tools: Tools;
  readonly #open: RawTask[] = [];
  #section: RawTask | null = null;
  readonly #authors = new Set<string>();

  constructor(file: Given, tools: Tools) {
    const [whole = '', id] = PROJECT_ID.exec(file.title) ?? [];
    const name = whole === '' ? file.title : file.title.slice(0, -whole.length);
    this.#tools = tools;
    this.list = rawList({
      id: id === undefined ? null : `todoist:project:${id}`,
      name,
      isInbox: isInboxName(name),
      writtenAt: file.writtenAt,
    });
  }

  add(row: Row): void {
    const type = (row['type'] ?? '').trim().toLowerCase();
    if (type === 'task') this.#task(row);
    else if (type === 'section') this.#sectionRow(row);
    else if (type === 'note') this.#note(row);
    else if (type !== 'meta' && type !== '')
      this.#tools.losses.add('row', 'TYPE', 'nowhere', `${type}: ${row['content'] ?? ''}`);
    for (const [name, value] of Object.entries(row))
      if (!KNOWN.has(name) && value.trim() !== '')
        this.#tools.losses.add('column', name.toUpperCase(), 'nowhere', value);
  }

  finish(): RawList {
    if (this.#authors.size > 1)
      for (const author of this.#authors) this.#tools.losses.add('author', 'AUTHOR', 'nowhere', author);
    return this.list;
  }

  #task(row: Row): void {
    const { losses } = this.#tools;
    const split = splitLabels(row['content'] ?? '');
    const { title, notes: addresses } = titleOf(split.title, this.#tools);
    const person = (row['responsible'] ?? '').replace(PERSON_ID, '').trim();
    if (person !== '') losses.add('assignee', 'RESPONSIBLE', 'notes', person);
    const author = (row['author'] ?? '').replace(PERSON_ID, '').trim();
    if (author !== '') this.#authors.add(author);
    const description = this.#files(row['description'] ?? '');
    if (title === '' && description === '') {
      losses.add('empty', 'CONTENT', 'nowhere');
      return;
    }
    const zone = (row['timezone'] ?? '').trim();
    const dateOf = (words: string, language: string): RawDate | null =>
      words.trim() === '' ? null : { words: words.trim(), language: language.trim(), zone };
    const priority = priorityName(Number.parseInt(row['priority'] ?? '', 10));
    const task = rawTask({
      title,
      notes: paragraphs(description, addresses, person === '' ? '' : `Assigned to ${person}`),
      due: dateOf(row['date'] ?? '', row['date_lang'] ?? ''),
      deadline: dateOf(row['deadline'] ?? '', row['deadline_lang'] ?? ''),
      duration: durationOf(row),
      priority,
      labels: split.labels.map((name) => ({ name })),
      isCollapsed: isTrue(row['is_collapsed']),
    });
    const level = Number.parseInt(row['indent'] ?? '1', 10) || 1;
    this.#open.length = Math.max(1, Math.min(level, this.#open.length + 1)) - 1;
    (this.#open.at(-1)?.children ?? this.#section?.children ?? this.list.tasks).push(task);
    this.#open.push(task);
  }

  #sectionRow(row: Row): void {
    const name = (row['content'] ?? '').trim();
    this.#open.length = 0;
    this.#section = rawTask({
      title: name,
      notes: this.#files(row['description'] ?? ''),
      isHeading: true,
      isCollapsed: isTrue(row['is_collapsed']),
    });
    this.#tools.losses.add('heading', 'section', 'task', name);
    this.list.tasks.push(this.#section);
  }

  /** A comment on the task above, the section above, or the project. */
  #note(row: Row): void {
    const text = this.#files((row['content'] ?? '').trim());
    if (text === '') return;
    this.#tools.losses.add('comment', 'note', 'notes', text);
    const said = commentText(row['date'] ?? '', row['author'] ?? '', text);
    const owner: { notes: string } = this.#open.at(-1) ?? this.#section ?? this.list;
    owner.notes = paragraphs(owner.notes, said);
  }

  /** Attached files as links. */
  #files(text: string): string {
    const files = text.match(ATTACHED)?.length ?? 0;
    const linked = files === 0 ? text : filesToLinks(text);
    for (let file = 0; file < files; file += 1) this.#tools.losses.add('attachment', 'file', 'notes', linked);
    return linked.trim();
  }
}

const isTrue = (text = '') => text.trim().toLowerCase() === 'true';

function durationOf(row: Row): number | null {
  const amount = Number.parseInt(row['duration'] ?? '', 10);
  if (!(amount > 0)) return null;
  return /^day/i.test((row['duration_unit'] ?? '').trim()) ? amount * 1_440 : amount;
}

/** Todoist's CSV of one project, and its backup. */
export const todoistCsv: Format = {
  name: 'todoist',
  title: 'Todoist CSV',
  extensions: ['.csv', '.zip'],
  detect: (file) => file.magic === 'other' && headingRow(file.headRows, NEEDED) >= 0,
  read: (files, tools) => {
    const lists = files.map((file) => {
      const { rows, broken } = file.table;
      const at = headingRow(rows.slice(0, 30), NEEDED);
      const project = new Project(file, tools);
      for (const row of recordsOf(rows, at)) project.add(row);
      for (const row of broken.slice(0, 3)) tools.losses.add('damaged', `row ${row}`, 'title', file.baseName);
      return project.finish();
    });
    const isBackup = files.some(({ archive }) => archive !== null);
    tools.remark(
      isBackup
        ? 'Todoist leaves completed tasks, reminders, archived projects, folders and the order of projects out of its backups.'
        : 'Todoist leaves completed tasks and reminders out of its templates.',
    );
    return ok({ kind: isBackup ? 'Todoist backup' : 'Todoist CSV', lists });
  },
};
