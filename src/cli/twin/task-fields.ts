// Tasks of the API in the form in which files hold them, and changes of them as the API takes them.
import { plainContext } from '#core/dates/plain-context.ts';
import { readRepeat } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { sayRepeat } from '#core/dates/words.ts';
import type { Id } from '#core/ids.ts';
import { isDay } from '#core/when.ts';
import { plainNotes, plainTitle, type Content, type TwinTask } from '#client/twin/model.ts';
import type { NewTask, Task, TaskChanges } from '#wire/api/client.ts';
import { repeatOf } from '../printing.ts';
import { dateFields, repeatFields } from '../wishes.ts';

const dateOf = (at: string | null, day: string | null) => day ?? at;

/** A task of the API as a file holds it, without its place. */
export function contentOf(task: Task, labels: ReadonlyMap<string, string>): Content {
  const rule = repeatOf(task);
  return {
    title: plainTitle(task.title),
    isDone: task.is_complete,
    due: dateOf(task.due_at, task.timeless_due_at),
    start: dateOf(task.starts_at, task.timeless_starts_at),
    snooze: dateOf(task.snoozed_until, task.timeless_snoozed_until),
    repeat: rule === null ? null : sayRepeat(rule),
    minutes: task.duration_minutes,
    labels: [...new Set(task.label_ids.flatMap((id) => labels.get(id) ?? []))].toSorted(),
    notes: plainNotes(task.notes),
  };
}

function dateChange(field: 'due' | 'start' | 'snooze', value: string | null, zone: string): TaskChanges {
  if (value === null) return dateFields(field, null, zone);
  return dateFields(field, isDay(value) ? { on: value } : { at: Date.parse(value), zone }, zone);
}

function repeatChange(words: string | null, zone: string): TaskChanges {
  if (words === null) return { repeat_value: null, repeat_unit: null };
  const [reading] = readRepeat(words, plainContext(0, zone), { vocabulary: english });
  return (reading && repeatFields(reading.rule)) ?? {};
}

/** The fields that differ. */
export function changesBetween(from: Content, to: Content, zone: string): TaskChanges {
  const added = to.labels.filter((label) => !from.labels.includes(label));
  const removed = from.labels.filter((label) => !to.labels.includes(label));
  return {
    ...(from.title === to.title ? {} : { title: to.title }),
    ...(from.notes === to.notes ? {} : { notes: to.notes }),
    ...(from.isDone === to.isDone ? {} : { is_complete: to.isDone, time_zone: zone }),
    ...(from.due === to.due ? {} : dateChange('due', to.due, zone)),
    ...(from.start === to.start ? {} : dateChange('start', to.start, zone)),
    ...(from.snooze === to.snooze ? {} : dateChange('snooze', to.snooze, zone)),
    ...(from.repeat === to.repeat ? {} : repeatChange(to.repeat, zone)),
    ...(from.minutes === to.minutes ? {} : { duration_minutes: to.minutes }),
    ...(added.length === 0 ? {} : { add_label_names: added }),
    ...(removed.length === 0 ? {} : { remove_label_names: removed }),
  };
}

const NOTHING: Content = {
  title: '',
  isDone: false,
  due: null,
  start: null,
  snooze: null,
  repeat: null,
  minutes: null,
  labels: [],
  notes: '',
};

/** Where a task hangs, as the API takes it. */
export const placeFields = ({ parent, list }: { readonly parent: Id | null; readonly list: Id }) =>
  parent === null ? { list_id: list, parent_id: null } : { parent_id: parent };

/** A new task at the end of its place. */
export function newTaskOf(task: TwinTask, zone: string): NewTask {
  const { add_label_names: labels, ...fields } = changesBetween(NOTHING, task, zone);
  const { parent_id: parent, ...rest } = { parent_id: task.parent, ...fields };
  return {
    ...rest,
    id: task.id,
    title: task.title,
    ...(parent === null ? { list_id: task.list } : { parent_id: parent }),
    ...(labels === undefined || labels === null ? {} : { label_names: labels }),
  };
}
