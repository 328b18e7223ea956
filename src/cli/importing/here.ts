// What is in the account, as the public API shows it, in the form in which a plan is compared with what is here.
import type { Planned } from '#client/importing/port.ts';
import { PlainHere } from '#client/importing/plain-here.ts';
import { entityMarkKey } from '#client/importing/digest.ts';
import { settingId, type Id } from '#core/ids.ts';
import type { Task } from '#wire/api/client.ts';
import { apiLimits } from '#wire/api/requests.ts';
import type { Session } from '../session.ts';
import type { There } from './sending.ts';

/** Memories of lists and labels by id. */
export type Marks = Readonly<Record<string, string>>;

const dateOf = (at: string | null, day: string | null) =>
  day === null ? (at === null ? null : { at: Date.parse(at), zone: 'UTC' }) : { on: day };

function fieldsOf(task: Task): Record<string, unknown> {
  const { repeat_value: value, repeat_unit: unit, repeat_unit_metadata: metadata, repeat_from: from } = task;
  const fields: Record<string, unknown> = {
    title: task.title,
    notes: task.notes,
    due: dateOf(task.due_at, task.timeless_due_at),
    start: dateOf(task.starts_at, task.timeless_starts_at),
    status: task.completed_at === null ? null : { done: Date.parse(task.completed_at) },
    duration: task.duration_minutes,
    repeat: value === null ? null : { value, unit, metadata, from },
    place: { parent: task.parent_id ?? task.list_id, key: '' },
  };
  for (const label of task.label_ids) fields[`label:${label}`] = true;
  for (const [name, text] of Object.entries(task.metadata)) fields[`meta:${name}`] = text;
  return Object.fromEntries(Object.entries(fields).filter(([, each]) => each !== null && each !== ''));
}

/** The tasks of a plan that are here already, and all lists. Trashed ones are not seen. */
export class Here extends PlainHere {
  /** `marks`: what earlier imports of this machine remember of lists and labels. */
  constructor(
    scope: Id,
    { lists, labels, marks }: { readonly lists: There; readonly labels: There; readonly marks: Marks },
  ) {
    super(scope);
    for (const [id, { name, notes }] of lists) this.add(id, 'list', { name, notes });
    for (const [id, { name, color_hex_string: color }] of labels) this.add(id, 'label', { name, color });
    for (const [id, value] of Object.entries(marks)) {
      const key = entityMarkKey(id as Id);
      this.add(settingId(scope, key), 'setting', { key, value });
    }
  }

  /** Asks for those of these entities that an earlier import may have made. */
  async read(
    session: Session,
    planned: readonly Planned[],
    progress: (done: number, all: number) => void,
  ): Promise<void> {
    const ids = planned.filter(({ type, isFound }) => type === 'task' && isFound).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += apiLimits.page) {
      const wanted = ids.slice(from, from + apiLimits.page).join(',');
      // oxlint-disable-next-line no-await-in-loop -- The server limits how many are asked at once, and how often.
      const { todo_items: tasks } = await session.askAtLength((client) =>
        client.listItems({ item_ids: wanted }),
      );
      for (const task of tasks) this.add(task.id as Id, 'task', fieldsOf(task));
      progress(Math.min(ids.length, from + apiLimits.page), ids.length);
    }
  }
}
