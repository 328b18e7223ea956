// What an export to another program writes: lists with their folders, and their tasks in outline order with everything
// about them resolved. Without the trash. Not here: how it is written (the writers beside it), and JSON, which has more.
import type { Id } from '../../ids.ts';
import { withNames } from '../../mentions.ts';
import { readField, type RepeatRule } from '../../model.ts';
import { isReminderRegister, type Reminder } from '../../reminders.ts';
import type { When } from '../../when.ts';
import {
  labelsOf,
  selectEntities,
  type ExportedEntity,
  type ExportedFields,
  type ExportSelection,
  type NamedPeople,
} from '../exported.ts';

/** A label by its name, with its group. */
export interface OutLabel {
  readonly name: string;
  readonly group: string | null;
}

/** A comment with its author's name and the moment it was written, milliseconds. */
export interface OutComment {
  readonly author: string;
  readonly at: number;
  readonly text: string;
}

/** A task of an export. Dates are as they are stored. */
export interface OutTask {
  readonly id: Id;
  /** Number of tasks around it. */
  readonly level: number;
  /** The task it is under; null: right in the list. */
  readonly parent: Id | null;
  readonly hasChildren: boolean;
  readonly title: string;
  readonly notes: string;
  /** Milliseconds; null: open. */
  readonly done: number | null;
  readonly createdAt: number;
  readonly due: When | null;
  readonly start: When | null;
  readonly snooze: When | null;
  readonly repeat: RepeatRule | null;
  /** Minutes. */
  readonly duration: number | null;
  readonly labels: readonly OutLabel[];
  readonly reminders: readonly Reminder[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly isBookmarked: boolean;
  readonly isCollapsed: boolean;
  readonly assignee: string | null;
  readonly comments: readonly OutComment[];
  /** Names of the attached files. */
  readonly files: readonly string[];
}

/** A list of an export. */
export interface OutList {
  readonly id: Id;
  readonly name: string;
  /** Names of the folders around it, from the top level down. */
  readonly folders: readonly string[];
  readonly isInbox: boolean;
  readonly isShared: boolean;
  readonly isBookmarked: boolean;
  readonly notes: string;
  readonly archivedAt: number | null;
  /** Parents before children. */
  readonly tasks: readonly OutTask[];
}

/** The lists of an export. */
export interface OutTree {
  /** For people: the name of the one list or folder, or of the app. */
  readonly name: string;
  readonly lists: readonly OutList[];
}

const INBOX = 'Inbox';
const UNTITLED = 'Untitled';
const EVERYTHING = 'Posthaste';

const isTrashed = ({ fields }: ExportedEntity) => typeof fields['del'] === 'object' && fields['del'] !== null;
const textOf = (fields: ExportedFields, name: 'name' | 'title' | 'notes' | 'text') =>
  readField(fields, name) ?? '';

function nameOf({ fields }: ExportedEntity): string {
  const name = textOf(fields, 'name').trim();
  return name === '' ? (fields['listType'] === 'inbox' ? INBOX : UNTITLED) : name;
}

class TreeReading {
  readonly #childrenOf: ReadonlyMap<Id, readonly ExportedEntity[]>;
  readonly #people: NamedPeople;
  readonly #mine = new Map<Id, ExportedFields>();
  readonly #labels = new Map<Id, OutLabel>();
  readonly #lists: OutList[] = [];

  constructor(
    entities: readonly ExportedEntity[],
    childrenOf: ReadonlyMap<Id, readonly ExportedEntity[]>,
    people: NamedPeople,
  ) {
    this.#childrenOf = childrenOf;
    this.#people = people;
    const groups = new Map<Id, string>();
    for (const entity of entities)
      if (entity.type === 'labelGroup' && !isTrashed(entity)) groups.set(entity.id, nameOf(entity));
    for (const entity of entities) {
      const { id, type, fields, parent } = entity;
      const of = type === 'mine' ? readField(fields, 'of') : null;
      if (of) this.#mine.set(of, fields);
      if (type === 'label' && !isTrashed(entity) && textOf(fields, 'name').trim() !== '')
        this.#labels.set(id, {
          name: nameOf(entity),
          group: parent === undefined ? null : (groups.get(parent) ?? null),
        });
    }
  }

  /** Tasks among `starts` make a list of their own with this name. */
  read(starts: readonly ExportedEntity[], looseName: string): readonly OutList[] {
    const loose = starts.filter(({ type }) => type === 'task');
    const [first] = loose;
    if (first !== undefined) this.#lists.push(this.#listOf(first.id, looseName, loose));
    const waiting = starts
      .filter(({ type }) => type === 'list')
      .toReversed()
      .map((list) => ({ list, folders: [] as readonly string[] }));
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { list, folders } = next;
      const listType = readField(list.fields, 'listType');
      if (isTrashed(list) || listType === 'smart') continue;
      const children = this.#childrenOf.get(list.id) ?? [];
      if (listType === 'folder') {
        const path = [...folders, nameOf(list)];
        for (const child of children.toReversed())
          if (child.type === 'list') waiting.push({ list: child, folders: path });
      } else
        this.#lists.push({ ...this.#listOf(list.id, nameOf(list), children), ...this.#about(list, folders) });
    }
    return this.#lists;
  }

  #listOf(id: Id, name: string, tops: readonly ExportedEntity[]): OutList {
    return {
      id,
      name,
      folders: [],
      isInbox: false,
      isShared: false,
      isBookmarked: false,
      notes: '',
      archivedAt: null,
      tasks: this.#tasks(tops),
    };
  }

  #about(list: ExportedEntity, folders: readonly string[]): Omit<OutList, 'id' | 'name' | 'tasks'> {
    const { fields } = list;
    return {
      folders,
      isInbox: fields['listType'] === 'inbox',
      isShared: list.isShared === true,
      isBookmarked: typeof this.#mine.get(list.id)?.['bookmarkedAt'] === 'number',
      notes: textOf(fields, 'notes'),
      archivedAt: readField(fields, 'archivedAt') ?? null,
    };
  }

  #tasks(tops: readonly ExportedEntity[]): readonly OutTask[] {
    const tasks: OutTask[] = [];
    const waiting: { readonly entity: ExportedEntity; readonly level: number; readonly parent: Id | null }[] =
      [];
    const push = (entities: readonly ExportedEntity[], level: number, parent: Id | null) => {
      for (let at = entities.length - 1; at >= 0; at -= 1) {
        const entity = entities[at];
        if (entity?.type === 'task' && !isTrashed(entity)) waiting.push({ entity, level, parent });
      }
    };
    push(tops, 0, null);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { entity, level, parent } = next;
      const children = this.#childrenOf.get(entity.id) ?? [];
      tasks.push({ ...this.#taskOf(entity, children), level, parent });
      push(children, level + 1, entity.id);
    }
    return tasks;
  }

  #taskOf(
    { id, fields, createdAt }: ExportedEntity,
    children: readonly ExportedEntity[],
  ): Omit<OutTask, 'level' | 'parent'> {
    const mine = this.#mine.get(id) ?? {};
    const metadata = Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith('meta:') && typeof value === 'string' ? [[name.slice(5), value] as const] : [],
    );
    const labels = [...labelsOf(fields), ...labelsOf(mine)].flatMap((label) => this.#labels.get(label) ?? []);
    const living = children.filter((child) => !isTrashed(child));
    return {
      id,
      createdAt,
      hasChildren: living.some(({ type }) => type === 'task'),
      title: textOf(fields, 'title'),
      notes: textOf(fields, 'notes'),
      done: readField(fields, 'status')?.done ?? null,
      due: readField(fields, 'due') ?? null,
      start: readField(fields, 'start') ?? null,
      snooze: readField(mine, 'snooze') ?? null,
      repeat: readField(fields, 'repeat') ?? null,
      duration: readField(fields, 'duration') ?? null,
      labels: [...new Set(labels)].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
      reminders: remindersOf(mine),
      metadata: Object.fromEntries(metadata.toSorted(([a], [b]) => (a < b ? -1 : 1))),
      isBookmarked: typeof mine['bookmarkedAt'] === 'number',
      isCollapsed: mine['collapsed'] === true,
      assignee: this.#people.get(readField(fields, 'assignee') ?? 0) ?? null,
      comments: living.flatMap((child) => (child.type === 'comment' ? [this.#commentOf(child)] : [])),
      files: living.flatMap((child) => (child.type === 'attachment' ? [nameOf(child)] : [])),
    };
  }

  #commentOf({ fields, createdAt }: ExportedEntity): OutComment {
    return {
      author: this.#people.get(readField(fields, 'author') ?? 0) ?? 'Somebody',
      at: createdAt,
      text: withNames(textOf(fields, 'text'), (account) => this.#people.get(account) ?? null),
    };
  }
}

function remindersOf(mine: ExportedFields): readonly Reminder[] {
  return Object.keys(mine)
    .toSorted()
    .flatMap((name) => {
      const reminder = isReminderRegister(name) ? readField(mine, name) : null;
      return reminder ? [reminder] : [];
    });
}

/** The lists and tasks of a selection. Any depth, linear in the entities. */
export function outTree(
  entities: readonly ExportedEntity[],
  selection: ExportSelection,
  people: NamedPeople,
): OutTree {
  const selected = selectEntities(entities, selection);
  const root = selected.entities.find(({ id }) => id === selection.root);
  const name =
    root === undefined ? EVERYTHING : root.type === 'task' ? textOf(root.fields, 'title') : nameOf(root);
  const starts =
    root === undefined ? selected.roots.flatMap((id) => selected.childrenOf.get(id) ?? []) : [root];
  const reading = new TreeReading(selected.entities, selected.childrenOf, people);
  const named = name.trim() === '' ? UNTITLED : name.trim();
  return { name: named, lists: reading.read(starts, named) };
}

/** Comments and file names as lines, for formats without a place for them. */
export function aboutLines({ assignee, comments, files }: OutTask): readonly string[] {
  return [
    ...(assignee === null ? [] : [`Assigned to ${assignee}`]),
    ...comments
      .toSorted((a, b) => a.at - b.at)
      .map(({ author, at, text }) => {
        const day = Temporal.Instant.fromEpochMilliseconds(at).toString().slice(0, 10);
        return `${day}, ${author}: ${text}`;
      }),
    ...(files.length === 0 ? [] : [`Files: ${files.join(', ')}`]),
  ];
}

/** Notes with what has no place of its own: who does the task, its comments, the names of its files. */
export function fullNotes(task: OutTask): string {
  return [task.notes.trimEnd(), aboutLines(task).join('\n')].filter((part) => part !== '').join('\n\n');
}
