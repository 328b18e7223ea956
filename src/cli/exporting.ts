// Exports tasks read from the API: by the app's own writers (core/formats), or as the JSON that came.
import { exportMarkdown } from '#core/formats/markdown.ts';
import type { ExportedEntity } from '#core/formats/exported.ts';
import { type OutlineItem, printOutlineText } from '#core/formats/outline-text.ts';
import { deriveId, type Id } from '#core/ids.ts';
import { repeatUnits, type RepeatRule } from '#core/model.ts';
import { eachScalar, scalarFields } from '#core/task-fields.ts';
import type { Label, List, Task } from '#wire/api/client.ts';
import { listName, type KnownList } from './names.ts';
import { inOrder, whenOf } from './printing.ts';

/** Formats of `posthaste export`; the first is the default. */
export const exportFormats = ['markdown', 'outline', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];
/** Whether `text` names an export format. */
export const isExportFormat = (text: string): text is ExportFormat =>
  (exportFormats as readonly string[]).includes(text);

export interface Told {
  readonly tasks: readonly Task[];
  readonly lists: readonly List[];
  readonly labels: readonly Label[];
}

/** Parent of the top-level lists in the entities handed to the writers; nothing is stored under it. */
const ROOT = 'lists' as Id;

/** Zero-padded, because order keys are compared as bytes. */
const keyOf = (at: number) => String(at).padStart(8, '0');

/** The API's repeat fields as a rule; null: no repeat. */
export function repeatOf(task: Task): RepeatRule | null {
  const unit = repeatUnits.find((known) => known === task.repeat_unit);
  if (task.repeat_value === null || unit === undefined) return null;
  return {
    value: task.repeat_value,
    unit,
    metadata: task.repeat_unit_metadata as RepeatRule['metadata'],
    from: task.repeat_from === 'completion' ? 'completion' : 'due date',
    missed: 'skip',
    anchorDay: null,
  };
}

function entitiesOf({ tasks, lists, labels }: Told, zone: string): readonly ExportedEntity[] {
  const shownTasks = new Set(tasks.map(({ id }) => id));
  return [
    ...lists.map((list, at): ExportedEntity => ({
      id: list.id as Id,
      type: 'list',
      parent: (list.parent_id ?? ROOT) as Id,
      key: keyOf(at),
      createdAt: Date.parse(list.created_at),
      fields: {
        name: listName(list),
        listType: list.list_type,
        ...(list.notes === '' ? {} : { notes: list.notes }),
        ...(list.smart_list_query === null ? {} : { query: list.smart_list_query }),
        ...(list.archived_at === null ? {} : { archivedAt: Date.parse(list.archived_at) }),
      },
    })),
    ...labels.map((label): ExportedEntity => ({
      id: label.id as Id,
      type: 'label',
      createdAt: Date.parse(label.created_at),
      fields: { name: label.name },
    })),
    ...tasks.flatMap((task): ExportedEntity[] => {
      const snooze = whenOf(task.snoozed_until, task.timeless_snoozed_until, zone);
      if (snooze === null) return [];
      const of = task.id as Id;
      return [{ id: deriveId('mine', of), type: 'mine', createdAt: 0, fields: { of, snooze } }];
    }),
    ...inOrder(tasks).map((task, at): ExportedEntity => ({
      id: task.id as Id,
      type: 'task',
      parent: (task.parent_id !== null && shownTasks.has(task.parent_id)
        ? task.parent_id
        : task.list_id) as Id,
      key: keyOf(at),
      createdAt: Date.parse(task.created_at),
      fields: {
        title: task.title,
        notes: task.notes,
        due: whenOf(task.due_at, task.timeless_due_at, zone),
        start: whenOf(task.starts_at, task.timeless_starts_at, zone),
        ...eachScalar((name) => task[scalarFields[name].api]),
        repeat: repeatOf(task),
        status: task.completed_at === null ? null : { done: Date.parse(task.completed_at) },
        ...Object.fromEntries(task.label_ids.map((id) => [`label:${id}`, true])),
      },
    })),
  ];
}

function outlineOf({ tasks, lists }: Told, place: KnownList | null): string {
  const shown = new Set(tasks.map(({ id }) => id));
  const byParent = Map.groupBy(inOrder(tasks), (task) =>
    task.parent_id !== null && shown.has(task.parent_id) ? task.parent_id : task.list_id,
  );
  const under = (id: string): OutlineItem[] =>
    (byParent.get(id) ?? []).map(({ id: own, title, notes, is_complete: done }) => ({
      title,
      ...(notes === '' ? {} : { notes }),
      done,
      children: under(own),
    }));
  if (place !== null && place.list_type !== 'folder') return printOutlineText(under(place.id), 'checkbox');
  const items = lists
    .map((list) => ({ title: listName(list), children: under(list.id) }))
    .filter(({ children }) => children.length > 0);
  return printOutlineText(items, 'checkbox');
}

/** The text of an export. `place`: the one list or folder to export; null: the whole account. */
export function exported(
  told: Told,
  { format, place, zone }: { format: ExportFormat; place: KnownList | null; zone: string },
): string {
  if (format === 'json') return `${JSON.stringify({ success: true, ...told }, null, 2)}\n`;
  if (format === 'outline') return outlineOf(told, place);
  const isPart = place !== null && place.list_type !== 'smart';
  return exportMarkdown(
    entitiesOf(told, zone),
    isPart
      ? { kind: place.list_type === 'folder' ? 'folder' : 'list', root: place.id as Id }
      : { kind: 'account' },
  );
}
