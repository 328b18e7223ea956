// What the API tells of tasks, as text for elsewhere: by the writers of the app (core/formats), or as it came.
import { exportMarkdown } from '#core/formats/markdown.ts';
import type { ExportedEntity } from '#core/formats/exported.ts';
import { type OutlineItem, printOutlineText } from '#core/formats/outline-text.ts';
import type { Id } from '#core/ids.ts';
import type { Label, List, Task } from '#wire/api/client.ts';
import { listName, type KnownList } from './names.ts';
import { inOrder, whenOf } from './printing.ts';

export const exportFormats = ['markdown', 'outline', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const isExportFormat = (text: string): text is ExportFormat =>
  (exportFormats as readonly string[]).includes(text);

export interface Told {
  readonly tasks: readonly Task[];
  readonly lists: readonly List[];
  readonly labels: readonly Label[];
}

/** Hangs at the top, in the files' terms; nothing is stored under it. */
const ROOT = 'lists' as Id;

/** Order keys are compared as bytes. */
const keyOf = (at: number) => String(at).padStart(8, '0');

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
        duration: task.duration_minutes,
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
