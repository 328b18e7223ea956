// Tasks, lists and labels as the public API shows them (wire/api/objects.ts), made from rows and what surrounds them.
import type { Id } from '#core/ids.ts';
import type { CompletionFields, PersistentSort, Place, RepeatRule } from '#core/model.ts';
import { orderIndexOf, ordinalOf } from '#core/ordinal.ts';
import type { When } from '#core/when.ts';
import { isTrashed, nameOf, placeOf, statusOf } from '#sync/row-reading.ts';
import type { ApiAttachment, ApiLabel, ApiList, ApiTask } from '#wire/api/objects.ts';
import type { ReadRow, Surroundings } from '../data/task-reads.ts';
import type { Frame, FramedLabel, FramedList } from './frame.ts';
import { isoOf, isoOrNull, shown } from './moments.ts';

/** Where a task hangs, from its list down. */
export interface TaskPath {
  readonly list: FramedList;
  /** The task it hangs under, if it is one. */
  readonly parent: Id | null;
  readonly keys: readonly string[];
}

/** Null when the task, or something it hangs under, is in the trash or not to be seen. */
export function pathOf(row: ReadRow, above: ReadonlyMap<Id, ReadRow>, frame: Frame): TaskPath | null {
  if (isTrashed(row)) return null;
  const keys: string[] = [];
  const own = placeOf(row);
  for (let place = own; place !== undefined;) {
    keys.push(place.key);
    const list = frame.list(place.parent);
    if (list)
      return {
        list,
        parent: own?.parent === list.row.id ? null : (own?.parent ?? null),
        keys: keys.toReversed(),
      };
    const parent = above.get(place.parent);
    if (parent === undefined || isTrashed(parent)) return null;
    place = placeOf(parent);
  }
  return null;
}

/** Labels a task carries, its own and one's private ones, in the order of labels. */
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
      entries.push([register.slice('meta:'.length), row.fields[register] as string]);
  return Object.fromEntries(entries);
}

/** For whom tasks are shown. */
export interface Viewer {
  readonly account: number;
  /** Where the content of an attachment is to be had. */
  readonly fileUrl: (attachment: Id) => string;
}

function attachmentJson(row: ReadRow, { account, fileUrl }: Viewer, order: number): ApiAttachment {
  const { name, fileType, sizeBytes, place } = row.fields as {
    readonly name?: string;
    readonly fileType?: string;
    readonly sizeBytes?: number;
    readonly place: Place;
  };
  return {
    id: row.id,
    name: name ?? '',
    todo_item_id: place.parent,
    file_type: fileType ?? '',
    file_size_in_bytes: sizeBytes ?? 0,
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

/** A completed occurrence, as a task that is done and hangs where its repeating task does. `task`: that one. */
export function occurrenceJson(row: ReadRow, task: ApiTask): ApiTask {
  const { at, title, due: wasDue, start: wasStart } = row.fields as unknown as CompletionFields;
  const due = shown(wasDue ?? undefined);
  const start = shown(wasStart ?? undefined);
  return {
    ...task,
    id: row.id,
    title,
    todo_item_attachments: [],
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

/** Null when it is not to be seen (pathOf). */
export function taskJson(row: ReadRow, { frame, around, viewer }: Showing): ApiTask | null {
  const path = pathOf(row, around.above, frame);
  if (path === null) return null;
  const mine = around.mine.get(row.id);
  const labels = labelsOf(row, mine, frame);
  const { fields } = row;
  const status = statusOf(row);
  const due = shown(fields['due'] as When | undefined);
  const start = shown(fields['start'] as When | undefined);
  const snooze = shown(mine?.fields['snooze'] as When | undefined);
  const repeat = (fields['repeat'] as RepeatRule | null | undefined) ?? null;
  const ordinal = ordinalOf(path.keys);
  const attachments = around.attachments.get(row.id) ?? NO_ATTACHMENTS;
  return {
    id: row.id,
    title: (fields['title'] as string | undefined) ?? '',
    notes: (fields['notes'] as string | undefined) ?? '',
    list_id: path.list.row.id,
    parent_id: path.parent,
    user_id: viewer.account,
    order_index: orderIndexOf(ordinal),
    ordinal,
    indent_level: path.keys.length - 1,
    label_ids: labels.map((label) => label.row.id),
    label_names: labels.map(({ name }) => name),
    todo_item_attachments: attachments.map((attachment, at) => attachmentJson(attachment, viewer, at)),
    snooze_count: (mine?.fields['snoozeCount'] as number | undefined) ?? 0,
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
    bookmarked_at: isoOrNull(mine?.fields['bookmarkedAt'] as number | undefined),
    notified_at: null,
    duration_minutes: (fields['duration'] as number | undefined) ?? null,
    repeat_value: repeat?.value ?? null,
    repeat_unit: repeat?.unit ?? null,
    repeat_unit_metadata: repeat?.metadata ?? null,
    repeat_from: repeat?.from ?? null,
    metadata: metadataOf(row),
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
  };
}

export interface ListShowing {
  readonly account: number;
  /** When the account was made: an Inbox that nothing was written into yet has no time of its own. */
  readonly since: number;
  /** E-mail addresses by list. */
  readonly addresses: ReadonlyMap<Id, string>;
}

export function listJson(list: FramedList, { account, since, addresses }: ListShowing): ApiList {
  const { row, type, parent, level, ordinal, isShared, members } = list;
  const sort = row.fields['sort'] as PersistentSort | undefined;
  return {
    id: row.id,
    user_id: account,
    name: nameOf(row),
    list_type: type,
    indent_level: level,
    parent_id: parent,
    order_index: orderIndexOf(ordinal),
    ordinal,
    smart_list_query: type === 'smart' ? ((row.fields['query'] as string | undefined) ?? '') : null,
    persistent_sort_field: sort?.field ?? null,
    persistent_sort_order: sort?.order ?? null,
    collaborator_user_ids: members.filter((member) => member !== account),
    is_shared: isShared,
    email_address: addresses.get(row.id) ?? '',
    notes: (row.fields['notes'] as string | undefined) ?? '',
    archived_at: isoOrNull(row.fields['archivedAt'] as number | undefined),
    created_at: isoOf(row.createdAt || since),
    updated_at: isoOf(row.updatedAt || since),
  };
}

const NO_COLOR = '#808080';

export function labelJson({ row, name, group }: FramedLabel, account: number): ApiLabel {
  return {
    id: row.id,
    name,
    color_hex_string: (row.fields['color'] as string | undefined) ?? NO_COLOR,
    user_id: account,
    label_group_id: group,
    associated_shared_list_id: (row.fields['associatedSharedListID'] as string | undefined) ?? null,
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
    deleted_at: null,
  };
}
