// Reads Todoist's JSON: answers of the Sync API and of the REST API, whole or in pages, with completed tasks, comments,
// reminders and the tree of projects. Here 4 is the highest priority.
import { isRecord, type JsonRecord } from '../../json.ts';
import { ok } from '../../result.ts';
import {
  type Format,
  paragraphs,
  type RawDate,
  rawList,
  type RawList,
  rawTask,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import { nest } from '../import/nesting.ts';
import { isSet, numberIn, recordIn, recordsIn, recordsOfList, textIn, textsIn } from '../import/records.ts';
import type { ImportedFolder } from '../import/shape.ts';
import { colorOf } from './todoist-colors.ts';
import { commentText, priorityName, titleOf } from './todoist-csv.ts';

/** What the files hold, by kind. */
interface Everything {
  readonly projects: JsonRecord[];
  readonly sections: JsonRecord[];
  readonly items: JsonRecord[];
  readonly labels: JsonRecord[];
  readonly notes: JsonRecord[];
  readonly reminders: JsonRecord[];
}

const NAMES: Readonly<Record<keyof Everything, readonly string[]>> = {
  projects: ['projects'],
  sections: ['sections'],
  items: ['items', 'tasks', 'completed_items'],
  labels: ['labels'],
  notes: ['notes', 'project_notes', 'comments'],
  reminders: ['reminders'],
};
const KINDS = Object.keys(NAMES) as readonly (keyof Everything)[];
const has = (record: JsonRecord, ...names: readonly string[]) => names.some((name) => name in record);

/** What a record of a page without a name is; null: nothing of Todoist's. */
function kindOf(record: JsonRecord): keyof Everything | null {
  if (has(record, 'content') && (has(record, 'item_id', 'task_id') || has(record, 'posted_at')))
    return 'notes';
  if (has(record, 'content') && has(record, 'project_id')) return 'items';
  if (!has(record, 'name')) return null;
  if (has(record, 'project_id')) return 'sections';
  if (has(record, 'view_style', 'is_inbox_project', 'inbox_project')) return 'projects';
  return has(record, 'is_favorite') && has(record, 'color') ? 'labels' : null;
}

function gather(json: unknown, into: Everything): void {
  const page = isRecord(json) && Array.isArray(json['results']) ? json['results'] : json;
  for (const record of recordsOfList(page)) {
    const kind = kindOf(record);
    if (kind !== null) into[kind].push(record);
  }
  if (!isRecord(json)) return;
  for (const kind of KINDS)
    for (const name of NAMES[kind]) for (const record of recordsIn(json, name)) into[kind].push(record);
}

const isTombstone = (record: JsonRecord) => isSet(record, 'is_deleted');

function detected(json: unknown): boolean {
  const isItem = (record: JsonRecord | undefined) => record !== undefined && kindOf(record) !== null;
  if (Array.isArray(json)) return isItem(recordsOfList(json)[0]);
  if (!isRecord(json)) return false;
  if (Array.isArray(json['results'])) return isItem(recordsIn(json, 'results')[0]);
  const [item] = recordsIn(json, 'items', 'tasks');
  if (item !== undefined) return has(item, 'content') && has(item, 'project_id');
  const [project] = recordsIn(json, 'projects');
  return (
    project !== undefined &&
    kindOf({ view_style: '', ...project }) === 'projects' &&
    has(json, 'items', 'sections', 'sync_token')
  );
}

function dueOf(due: JsonRecord): {
  readonly due: RawDate | null;
  readonly repeat: string;
  readonly language: string;
  readonly zone: string;
} {
  const said = textIn(due, 'datetime', 'date');
  const zone = textIn(due, 'timezone');
  const repeat = isSet(due, 'is_recurring') ? textIn(due, 'string') : '';
  return {
    due: said === '' ? null : { words: said, zone: said.length > 10 ? zone : '' },
    repeat,
    language: textIn(due, 'lang'),
    zone,
  };
}

class Account {
  readonly #all: Everything;
  readonly #tools: Tools;
  readonly #notesOf = new Map<string, JsonRecord[]>();
  readonly #remindersOf = new Map<string, JsonRecord[]>();
  readonly #writtenAt: number | null;

  constructor(all: Everything, tools: Tools, writtenAt: number | null) {
    this.#all = all;
    this.#tools = tools;
    this.#writtenAt = writtenAt;
    const group = (
      records: readonly JsonRecord[],
      into: Map<string, JsonRecord[]>,
      names: readonly string[],
    ) => {
      for (const record of records) {
        if (isTombstone(record)) continue;
        const of = textIn(record, ...names);
        const same = into.get(of);
        if (same) same.push(record);
        else into.set(of, [record]);
      }
    };
    group(all.notes, this.#notesOf, ['item_id', 'task_id', 'project_id']);
    group(all.reminders, this.#remindersOf, ['item_id', 'task_id']);
  }

  lists(): RawList[] {
    const live = (records: readonly JsonRecord[]) => {
      for (const record of records)
        if (isTombstone(record))
          this.#tools.losses.add('tombstone', '', 'nowhere', textIn(record, 'content', 'name'));
      return records.filter((record) => !isTombstone(record));
    };
    const projects = live(this.#all.projects);
    const tasksOf = this.#tasksByProject(live(this.#all.items), live(this.#all.sections));
    const known = new Set(projects.map((project) => textIn(project, 'id')));
    const tops = nest(
      projects
        .toSorted(
          (one, other) =>
            (numberIn(one, 'child_order', 'order') ?? 0) - (numberIn(other, 'child_order', 'order') ?? 0),
        )
        .map((value) => ({ value, id: textIn(value, 'id'), parent: textIn(value, 'parent_id') })),
    );
    const lists: RawList[] = [];
    const waiting = tops.toReversed().map((node) => ({ node, folders: [] as readonly ImportedFolder[] }));
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { node, folders } = next;
      const { value: project, children } = node;
      const id = textIn(project, 'id');
      const name = textIn(project, 'name');
      const inside = children.length === 0 ? folders : [...folders, { id: `todoist:folder:${id}`, name }];
      const list = this.#list(project, tasksOf.get(id) ?? [], inside);
      if (children.length === 0 || list.tasks.length > 0 || list.notes !== '' || list.isInbox)
        lists.push(list);
      for (const child of children.toReversed()) waiting.push({ node: child, folders: inside });
    }
    // Tasks of projects that are not in the file.
    for (const [id, tasks] of tasksOf)
      if (!known.has(id))
        lists.push(
          rawList({ id: `todoist:project:${id}`, name: 'Todoist', tasks, writtenAt: this.#writtenAt }),
        );
    return lists;
  }

  #list(project: JsonRecord, tasks: RawTask[], folders: readonly ImportedFolder[]): RawList {
    const id = textIn(project, 'id');
    const isInbox = isSet(project, 'inbox_project', 'is_inbox_project');
    if (isSet(project, 'is_shared', 'shared'))
      this.#tools.losses.add('person', 'is_shared', 'nowhere', textIn(project, 'name'));
    return rawList({
      id: `todoist:project:${id}`,
      name: textIn(project, 'name'),
      folders: isInbox ? [] : folders,
      notes: paragraphs(textIn(project, 'description'), this.#comments(id)),
      isInbox,
      archived: isSet(project, 'is_archived')
        ? { words: textIn(project, 'archived_at', 'archived_date', 'updated_at') }
        : null,
      isBookmarked: isSet(project, 'is_favorite', 'favorite'),
      color: colorOf(project['color']),
      tasks,
      writtenAt: this.#writtenAt,
    });
  }

  #tasksByProject(items: readonly JsonRecord[], sections: readonly JsonRecord[]): Map<string, RawTask[]> {
    const order = (record: JsonRecord) =>
      numberIn(record, 'child_order', 'order', 'item_order', 'section_order') ?? 0;
    const sorted = items.toSorted((one, other) => order(one) - order(other));
    const flat = sorted.map((item) => ({
      value: { item, task: this.#task(item) },
      id: textIn(item, 'id', 'task_id'),
      parent: textIn(item, 'parent_id'),
    }));
    const tops = nest(flat, ({ task }) =>
      this.#tools.losses.add('orphan', 'parent_id', 'top level', task.title),
    );
    const byProject = new Map<string, RawTask[]>();
    const into = (project: string) => {
      const list = byProject.get(project) ?? [];
      byProject.set(project, list);
      return list;
    };
    const headings = new Map<string, RawTask>();
    const heads = sections
      .toSorted((one, other) => order(one) - order(other))
      .map((section) => {
        const heading = this.#section(section);
        headings.set(textIn(section, 'id'), heading);
        return { heading, project: textIn(section, 'project_id') };
      });
    const waiting = [...tops];
    for (let next = waiting.pop(); next; next = waiting.pop())
      for (const child of next.children) {
        next.value.task.children.push(child.value.task);
        waiting.push(child);
      }
    for (const { value } of tops) {
      const heading = headings.get(textIn(value.item, 'section_id'));
      (heading?.children ?? into(textIn(value.item, 'project_id'))).push(value.task);
    }
    for (const { heading, project } of heads) into(project).push(heading);
    return byProject;
  }

  #section(section: JsonRecord): RawTask {
    const title = textIn(section, 'name');
    this.#tools.losses.add('heading', 'section', 'task', title);
    const isArchived = isSet(section, 'is_archived');
    if (isArchived) this.#tools.losses.add('archived', 'section', 'task', title);
    return rawTask({
      id: `todoist:section:${textIn(section, 'id')}`,
      title,
      notes: textIn(section, 'description'),
      isHeading: true,
      isCollapsed: isSet(section, 'is_collapsed', 'collapsed'),
      done: isArchived ? { at: date(textIn(section, 'archived_at')) } : null,
    });
  }

  #task(item: JsonRecord): RawTask {
    const { losses } = this.#tools;
    const id = textIn(item, 'id', 'task_id');
    const { title, notes: addresses } = titleOf(textIn(item, 'content'), this.#tools);
    const { due, repeat, language, zone } = dueOf(recordIn(item, 'due'));
    const deadline = textIn(recordIn(item, 'deadline'), 'date');
    const person = textIn(item, 'responsible_uid', 'assignee_id');
    if (person !== '') losses.add('assignee', 'responsible_uid', 'notes', title);
    return rawTask({
      id: `todoist:${id}`,
      title,
      notes: paragraphs(
        textIn(item, 'description'),
        addresses,
        person === '' ? '' : `Assigned to person ${person}`,
        this.#comments(id),
      ),
      done:
        isSet(item, 'checked', 'is_completed') || textIn(item, 'completed_at', 'date_completed') !== ''
          ? { at: date(textIn(item, 'completed_at', 'date_completed')) }
          : null,
      created: date(textIn(item, 'added_at', 'date_added', 'created_at')),
      due,
      deadline: date(deadline),
      repeat: repeat === '' ? null : { words: repeat, language, zone },
      duration: minutesOf(recordIn(item, 'duration')),
      priority: priorityName(5 - (numberIn(item, 'priority') ?? 1)),
      labels: textsIn(item, 'labels').map((name) => ({ name })),
      reminders: (this.#remindersOf.get(id) ?? []).flatMap((reminder) => this.#reminder(reminder, title)),
      isCollapsed: isSet(item, 'is_collapsed', 'collapsed'),
    });
  }

  #reminder(reminder: JsonRecord, title: string): RawTask['reminders'] {
    const before = numberIn(reminder, 'minute_offset', 'mm_offset');
    const type = textIn(reminder, 'type');
    if (type === 'relative' && before !== null && before >= 0) return [{ before }];
    const at = type === 'absolute' ? textIn(recordIn(reminder, 'due'), 'date', 'datetime') : '';
    const instant = at.endsWith('Z') ? instantIn(at) : null;
    if (instant !== null)
      return [
        {
          when: {
            at: instant,
            zone: textIn(recordIn(reminder, 'due'), 'timezone') || this.#tools.context.phrase.zone,
          },
        },
      ];
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(at)) return [{ when: { local: at.slice(0, 16) } }];
    this.#tools.losses.add(type === 'location' ? 'location' : 'reminder', 'reminders', 'nowhere', title);
    return [];
  }

  /** What people wrote, oldest first. */
  #comments(of: string): string {
    const posted = (note: JsonRecord) => textIn(note, 'posted_at', 'posted');
    const notes = (this.#notesOf.get(of) ?? []).toSorted((one, other) =>
      posted(one) < posted(other) ? -1 : 1,
    );
    return paragraphs(
      ...notes.map((note) => {
        const file = recordIn(note, isRecord(note['file_attachment']) ? 'file_attachment' : 'attachment');
        const url = textIn(file, 'file_url', 'url');
        const name = textIn(file, 'file_name', 'title');
        const link = url === '' ? name : `[${name === '' ? url : name.replaceAll(/[[\]]/g, '')}](${url})`;
        if (url !== '' || name !== '')
          this.#tools.losses.add('attachment', 'file_attachment', 'notes', name || url);
        this.#tools.losses.add('comment', 'notes', 'notes', textIn(note, 'content'));
        return commentText(
          posted(note),
          '',
          [textIn(note, 'content'), link].filter((part) => part !== '').join(' '),
        );
      }),
    );
  }
}

function instantIn(text: string): number | null {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    // Digits that are no moment.
    return null;
  }
}

const date = (words: string): RawDate | null => (words === '' ? null : { words });

function minutesOf(duration: JsonRecord): number | null {
  const amount = numberIn(duration, 'amount');
  if (amount === null || amount <= 0) return null;
  return textIn(duration, 'unit') === 'day' ? amount * 1_440 : amount;
}

/** Todoist's JSON. */
export const todoistJson: Format = {
  name: 'todoist-json',
  title: 'Todoist JSON',
  extensions: ['.json'],
  detect: ({ json }) => detected(json),
  read: (files, tools) => {
    const all: Everything = { projects: [], sections: [], items: [], labels: [], notes: [], reminders: [] };
    for (const { json } of files) gather(json, all);
    const account = new Account(all, tools, files[0]?.writtenAt ?? null);
    const labels = all.labels
      .filter((label) => !isTombstone(label))
      .map((label) => ({ name: textIn(label, 'name'), color: colorOf(label['color']) }));
    return ok({ kind: 'Todoist', lists: account.lists(), labels });
  },
};
