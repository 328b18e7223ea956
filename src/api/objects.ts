// Tasks, lists and labels as the public API shows them (wire/api/objects.ts), made from rows and their surroundings.
import type { Id } from '#core/ids.ts';
import { plainColor, type ScalarName } from '#core/model.ts';
import { orderIndexOf, ordinalOf } from '#core/ordinal.ts';
import type { ScalarMember } from '#core/task-fields.ts';
import { isTrashed, nameOf, placeOf, statusOf } from '#sync/rows/row-reading.ts';
import type { ApiAttachment, ApiLabel, ApiList, ApiTask } from '#wire/api/objects.ts';
import { scalarMembers } from '#wire/api/values.ts';
import type { ReadRow, Surroundings } from './task-reads.ts';
import { isFileSealed } from '#sync/sealing/scope-state.ts';
import { isPartlySealed } from './sealed-reads.ts';
import type { Frame, FramedLabel, FramedList } from './frame.ts';
import { keepTextOf } from './kept-texts.ts';
import { isoOf, isoOrNull, shown } from './moments.ts';
import { parentOf, rowAndAbove } from '#sync/rows/ancestors.ts';
import { registersOf, fieldOf } from '#sync/rows/row.ts';

/** The position of a task, from its list down. */
export interface TaskPath {
  readonly list: FramedList;
  /** The parent task, if there is one. */
  readonly parent: Id | null;
  readonly keys: readonly string[];
}

/** Null: the task or an ancestor is in the trash or not visible. */
export function pathOf(row: ReadRow, above: ReadonlyMap<Id, ReadRow>, frame: Frame): TaskPath | null {
  const keys: string[] = [];
  const own = parentOf(row);
  for (const at of rowAndAbove(row, (id) => above.get(id))) {
    const place = placeOf(at);
    if (isTrashed(at) || place === undefined) return null;
    keys.push(place.key);
    const list = frame.list(place.parent);
    if (list)
      return {
        list,
        parent: own === list.row.id ? null : (own ?? null),
        keys: keys.toReversed(),
      };
  }
  return null;
}

/** Labels of a task, shared and private ones, in the order of labels. */
export function labelsOf(row: ReadRow, mine: ReadRow | undefined, frame: Frame): readonly FramedLabel[] {
  const found = new Set<FramedLabel>();
  for (const holder of [row, mine])
    for (const register in holder?.fields) {
      if (!register.startsWith('label:')) continue;
      const label = frame.label(register.slice('label:'.length) as Id);
      if (label) found.add(label);
    }
  return found.size < 2 ? [...found] : [...found].toSorted((a, b) => a.order - b.order);
}

function metadataOf(row: ReadRow): Record<string, string> {
  const entries: [string, string][] = [];
  for (const register in row.fields)
    if (register.startsWith('meta:'))
      entries.push([register.slice('meta:'.length), registersOf(row)[register] as string]);
  return Object.fromEntries(entries);
}

/** The reader that tasks are shown to. */
export interface Viewer {
  readonly account: number;
  /** Address of an attachment's content. */
  readonly fileUrl: (attachment: Id) => string;
}

type ReadOf<T extends ReadRow['type']> = Extract<ReadRow, { readonly type: T }>;

function attachmentJson(
  row: ReadOf<'attachment'>,
  { account, fileUrl }: Viewer,
  order: number,
): ApiAttachment {
  const { name, fileType, sizeBytes, place } = row.fields;
  return {
    id: row.id,
    name: name ?? '',
    todo_item_id: place.parent,
    file_type: fileType ?? '',
    file_size_in_bytes: sizeBytes ?? 0,
    encrypted: isPartlySealed(row) || isFileSealed(row.fields),
    url: fileUrl(row.id),
    user_id: account,
    order_index: order,
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
    todo_item_deleted_at: null,
  };
}

const NO_ATTACHMENTS: readonly ReadRow[] = [];

export interface Showing {
  readonly frame: Frame;
  readonly around: Surroundings;
  readonly viewer: Viewer;
}

/** A completed occurrence, as a done task beside its repeating task (`task`). */
export function occurrenceJson(row: ReadOf<'completion'>, task: ApiTask): ApiTask {
  const { at, title, due: wasDue, start: wasStart } = row.fields;
  const due = shown(wasDue ?? undefined);
  const start = shown(wasStart ?? undefined);
  return {
    ...task,
    id: row.id,
    title: title ?? '',
    encrypted: isPartlySealed(row),
    todo_item_attachments: [],
    comment_count: 0,
    snooze_count: 0,
    is_complete: true,
    is_cleared: false,
    completed_at: isoOf(at),
    cleared_at: null,
    due_at: due.at,
    timeless_due_at: due.day,
    is_due_at_timeless: due.day !== null,
    starts_at: start.at,
    timeless_starts_at: start.day,
    is_starts_at_timeless: start.day !== null,
    snoozed_until: null,
    timeless_snoozed_until: null,
    is_snoozed_until_timeless: false,
    bookmarked_at: null,
    repeat_value: null,
    repeat_unit: null,
    repeat_unit_metadata: null,
    repeat_from: null,
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
  };
}

/** The scalar fields of a task, under their names in the API. */
function scalarsIn(row: ReadRow): Pick<ApiTask, ScalarMember<ScalarName>> {
  return scalarMembers((name) => fieldOf(row, name) ?? null) as Pick<ApiTask, ScalarMember<ScalarName>>;
}

/** A task as it was shown, with all that it was made of but its row. */
interface Shown {
  readonly frame: Frame;
  readonly account: number;
  readonly path: TaskPath;
  readonly mine: ReadRow | undefined;
  readonly comments: number;
  readonly task: ApiTask;
}

/** By row: one that is read again unchanged is the same object (server/data/kept-rows.ts). */
const shownTasks = new WeakMap<ReadRow, Shown>();

const isSamePath = (a: TaskPath, b: TaskPath) =>
  a.list === b.list &&
  a.parent === b.parent &&
  a.keys.length === b.keys.length &&
  a.keys.every((key, at) => key === b.keys[at]);

/** Null: not visible (pathOf). */
export function taskJson(row: ReadRow, showing: Showing): ApiTask | null {
  const { frame, around, viewer } = showing;
  const path = pathOf(row, around.above, frame);
  if (path === null) return null;
  // Addresses of files are made for each answer.
  if (around.attachments.has(row.id)) return madeTask(row, path, showing);
  const { account } = viewer;
  const mine = around.mine.get(row.id);
  const comments = around.comments.get(row.id) ?? 0;
  const known = shownTasks.get(row);
  if (
    known?.frame === frame &&
    known.account === account &&
    known.mine === mine &&
    known.comments === comments &&
    isSamePath(known.path, path)
  )
    return known.task;
  const task = madeTask(row, path, showing);
  keepTextOf(task);
  shownTasks.set(row, { frame, account, path, mine, comments, task });
  return task;
}

function madeTask(row: ReadRow, path: TaskPath, { frame, around, viewer }: Showing): ApiTask {
  const mine = around.mine.get(row.id);
  const labels = labelsOf(row, mine, frame);
  const status = statusOf(row);
  const due = shown(fieldOf(row, 'due'));
  const start = shown(fieldOf(row, 'start'));
  const snooze = shown(fieldOf(mine, 'snooze'));
  const repeat = fieldOf(row, 'repeat') ?? null;
  const ordinal = ordinalOf(path.keys);
  const attachments = around.attachments.get(row.id) ?? NO_ATTACHMENTS;
  return {
    id: row.id,
    title: fieldOf(row, 'title') ?? '',
    notes: fieldOf(row, 'notes') ?? '',
    list_id: path.list.row.id,
    parent_id: path.parent,
    user_id: viewer.account,
    order_index: orderIndexOf(ordinal),
    ordinal,
    indent_level: path.keys.length - 1,
    label_ids: labels.map((label) => label.row.id),
    label_names: labels.map(({ name }) => name),
    todo_item_attachments: attachments
      .filter((attachment) => attachment.type === 'attachment')
      .map((attachment, at) => attachmentJson(attachment, viewer, at)),
    assignee_user_id: fieldOf(row, 'assignee') ?? null,
    comment_count: around.comments.get(row.id) ?? 0,
    snooze_count: fieldOf(mine, 'snoozeCount') ?? 0,
    is_complete: status !== null,
    is_cleared: status?.cleared !== undefined,
    completed_at: isoOrNull(status?.done),
    cleared_at: isoOrNull(status?.cleared),
    due_at: due.at,
    timeless_due_at: due.day,
    is_due_at_timeless: due.day !== null,
    starts_at: start.at,
    timeless_starts_at: start.day,
    is_starts_at_timeless: start.day !== null,
    snoozed_until: snooze.at,
    timeless_snoozed_until: snooze.day,
    is_snoozed_until_timeless: snooze.day !== null,
    bookmarked_at: isoOrNull(fieldOf(mine, 'bookmarkedAt')),
    notified_at: null,
    ...scalarsIn(row),
    repeat_value: repeat?.value ?? null,
    repeat_unit: repeat?.unit ?? null,
    repeat_unit_metadata: repeat?.metadata ?? null,
    repeat_from: repeat?.from ?? null,
    metadata: metadataOf(row),
    encrypted: [row, mine, ...attachments].some((each) => each !== undefined && isPartlySealed(each)),
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
  };
}

export interface ListShowing {
  readonly account: number;
  /** Creation time of the account and therefore of its Inbox, whose row may be written later. */
  readonly since: number;
  /** E-mail addresses by list. */
  readonly addresses: ReadonlyMap<Id, string>;
}

/** A list as the API shows it. */
export function listJson(list: FramedList, { account, since, addresses }: ListShowing): ApiList {
  const { row, type, parent, level, ordinal, isShared, members } = list;
  const sort = fieldOf(row, 'sort');
  return {
    id: row.id,
    user_id: account,
    name: nameOf(row),
    list_type: type,
    indent_level: level,
    parent_id: parent,
    order_index: orderIndexOf(ordinal),
    ordinal,
    smart_list_query: type === 'smart' ? (fieldOf(row, 'query') ?? '') : null,
    persistent_sort_field: sort?.field ?? null,
    persistent_sort_order: sort?.order ?? null,
    collaborator_user_ids: members.filter((member) => member !== account),
    is_shared: isShared,
    email_address: addresses.get(row.id) ?? '',
    notes: fieldOf(row, 'notes') ?? '',
    archived_at: isoOrNull(fieldOf(row, 'archivedAt')),
    encrypted: isPartlySealed(row),
    created_at: isoOf(type === 'inbox' && !isShared ? since : row.createdAt),
    updated_at: isoOf(row.updatedAt || since),
  };
}

/** A label as the API shows it. */
export function labelJson({ row, name, group }: FramedLabel, account: number): ApiLabel {
  return {
    id: row.id,
    name,
    color_hex_string: fieldOf(row, 'color') ?? plainColor,
    user_id: account,
    label_group_id: group,
    associated_shared_list_id: fieldOf(row, 'associatedSharedListID') ?? null,
    encrypted: isPartlySealed(row),
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
    deleted_at: null,
  };
}
