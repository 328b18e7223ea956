// Exports tasks from the command line: by the writers of the app (core/formats/export) from the whole account, or as an outline and as the
// JSON of the API.
import { exportFormat } from '#core/formats/export/formats.ts';
import { exportNames, isExportName, type ExportName } from '#core/formats/export/names.ts';
import type { ExportedEntity, ExportSelection } from '#core/formats/exported.ts';
import { type OutlineItem, printOutlineText } from '#core/formats/outline-text.ts';
import type { Id } from '#core/ids.ts';
import { readField } from '#core/model.ts';
import type { Label, List, Task } from '#wire/api/client.ts';
import type { WholeAccount } from './account.ts';
import { listName, type KnownList } from './names.ts';
import { inOrder } from './printing.ts';

/** Formats of the API's tasks: an outline, and the tasks as they came. */
export const toldFormats = ['outline', 'api'] as const;
export type ToldFormat = (typeof toldFormats)[number];
/** Formats of `posthaste export`. */
export const commandFormats: readonly string[] = [...exportNames, ...toldFormats];
/** Whether `text` names a format of the API's tasks. */
export const isToldFormat = (text: string): text is ToldFormat =>
  (toldFormats as readonly string[]).includes(text);
export { isExportName };

/** The lists of found tasks, by the ids of the tasks. */
export type Found = ReadonlyMap<string, string>;

/** Tasks as the API tells them. */
export interface Told {
  readonly tasks: readonly Task[];
  readonly lists: readonly List[];
  readonly labels: readonly Label[];
}

/** The one list or folder to export; null: the whole account. A smart list is its tasks, where they are. */
function partOf(
  entities: readonly ExportedEntity[],
  place: KnownList | null,
  found: Found | null,
): { readonly entities: readonly ExportedEntity[]; readonly selection: ExportSelection } {
  if (found !== null) return { entities: onlyTasks(entities, found), selection: { kind: 'account' } };
  // The Inbox of an account that nobody has opened is not stored yet.
  if (place === null || !entities.some(({ id }) => id === place.id))
    return { entities: place === null ? entities : [], selection: { kind: 'account' } };
  const kind = place.list_type === 'folder' ? 'folder' : 'list';
  return { entities, selection: { kind, root: place.id as Id } };
}

/** These tasks with the lists and folders around them; one whose parent isn't among them is right in its list. */
function onlyTasks(entities: readonly ExportedEntity[], found: Found): readonly ExportedEntity[] {
  const tasks = entities.flatMap((entity) => {
    const list = entity.type === 'task' ? found.get(entity.id) : undefined;
    if (list === undefined) return [];
    const isTop = entity.parent === undefined || !found.has(entity.parent);
    return [isTop ? { ...entity, parent: list as Id } : entity];
  });
  const kept = new Set<string>([...found.keys(), ...found.values()]);
  // Each turn finds the folders one level further up.
  for (let before = -1; before < kept.size;) {
    before = kept.size;
    for (const { id, type, parent } of entities)
      if (type === 'list' && parent !== undefined && kept.has(id)) kept.add(parent);
  }
  const isAbout = ({ id, type, parent, fields }: ExportedEntity) =>
    type === 'label' ||
    type === 'labelGroup' ||
    (type === 'list' && kept.has(id)) ||
    (type === 'mine' && kept.has(readField(fields, 'of') ?? '')) ||
    (type === 'completion' && kept.has(readField(fields, 'task') ?? '')) ||
    ((type === 'comment' || type === 'attachment') && parent !== undefined && kept.has(parent));
  return [...tasks, ...entities.filter(isAbout)];
}

/** The text of an export of the account. `found`: the tasks of the smart list that is exported. */
export function exported(
  { entities, people }: WholeAccount,
  {
    format,
    place = null,
    found = null,
    zone,
  }: {
    readonly format: ExportName;
    readonly place?: KnownList | null;
    readonly found?: Found | null;
    readonly zone: string;
  },
): string {
  return exportFormat(format).write({ ...partOf(entities, place, found), people, zone });
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

/** The text of an export of the API's tasks. */
export function told(tasks: Told, format: ToldFormat, place: KnownList | null): string {
  return format === 'api'
    ? `${JSON.stringify({ success: true, ...tasks }, null, 2)}\n`
    : outlineOf(tasks, place);
}
