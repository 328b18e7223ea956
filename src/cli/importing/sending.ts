// Sends what an import planned through the public API: labels and lists one by one, tasks in as few requests as they fit in. What the API
// has no field for is counted.
import type { Id } from '#core/ids.ts';
import { isBlockRegister } from '#core/calendar/blocks.ts';
import { isReminderRegister } from '#core/reminders.ts';
import { readField, repeatUnits } from '#core/model.ts';
import { isWhen } from '#core/when.ts';
import type { ImportAction as Action, ImportCreate as Create } from '#client/importing/standing.ts';
import type { NewTask, TaskChanges } from '#wire/api/client.ts';
import { apiLimits, type CreateList } from '#wire/api/requests.ts';
import { repeatRuleSchema } from '#wire/values.ts';
import { Failure } from '../failure.ts';
import type { Session } from '../session.ts';
import { dateFields, repeatFields } from '../wishes.ts';

/** Room for what a request has besides its tasks. */
const MOST_BYTES = apiLimits.bodyBytes - 4_096;

type Fields = Readonly<Record<string, unknown>>;

/** What an import from the command line made: enough to take it back. */
export interface Made {
  readonly lists: string[];
  readonly labels: string[];
  /** Tasks in lists that were here before. */
  readonly tasks: string[];
  /** Changed tasks, as they were. */
  readonly changed: { readonly todo_item_id: string; readonly update_body: TaskChanges }[];
  /** Changed lists and labels, as they were. */
  readonly entities: {
    readonly id: string;
    readonly isLabel: boolean;
    readonly fields: Readonly<Record<string, string>>;
  }[];
}

/** Lists or labels that are there, by id, as the API says them. */
export type There = ReadonlyMap<Id, Readonly<Record<string, unknown>>>;

const ENTITY_REGISTERS: ReadonlySet<string> = new Set(['name', 'notes', 'color']);

/** What the API cannot hold, by its name for people. */
export type Unsent = Map<string, number>;

const text = (value: unknown) => (typeof value === 'string' ? value : '');

function dates(fields: Fields, zone: string): Omit<Partial<NewTask>, 'title'> {
  const found: Record<string, unknown> = {};
  for (const register of ['due', 'start'] as const) {
    const when = fields[register];
    if (isWhen(when)) Object.assign(found, dateFields(register, when, zone));
  }
  return found;
}

function contentOf(fields: Fields, zone: string, unsent: Unsent): Omit<Partial<NewTask>, 'title'> {
  const rule = readField(fields, 'repeat');
  const repeat = rule ? repeatFields(rule) : {};
  if (repeat === null) count(unsent, 'repeats on several days of a month');
  const status = readField(fields, 'status');
  const labels = Object.keys(fields).flatMap((name) => (name.startsWith('label:') ? [name.slice(6)] : []));
  const metadata = Object.entries(fields).flatMap(([name, value]) =>
    name.startsWith('meta:') ? [[name.slice(5), text(value)] as const] : [],
  );
  return {
    ...(fields['notes'] === undefined ? {} : { notes: text(fields['notes']) }),
    ...dates(fields, zone),
    ...repeat,
    ...(typeof fields['duration'] === 'number' ? { duration_minutes: fields['duration'] } : {}),
    ...(status ? { is_complete: true, completed_at: new Date(status.done).toISOString() } : {}),
    ...(labels.length === 0 ? {} : { label_ids: labels }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
  };
}

function sortOf(fields: Fields): Partial<CreateList> {
  const sort = readField(fields, 'sort');
  return sort ? { persistent_sort_field: sort.field, persistent_sort_order: sort.order } : {};
}

function count(unsent: Unsent, what: string): void {
  unsent.set(what, (unsent.get(what) ?? 0) + 1);
}

export interface SendingPorts {
  readonly session: Session;
  readonly zone: string;
  readonly unsent: Unsent;
  /** Told how many tasks were sent so far. */
  readonly progress: (done: number, all: number) => void;
  /** Called before something is sent, so that it can be taken back whatever happens. */
  readonly keep: (made: Made) => void;
}

function countUnsent(creates: readonly Create[], unsent: Unsent): void {
  for (const { type, fields, createdAt } of creates) {
    if (type === 'task' && createdAt !== undefined) count(unsent, 'days of creation');
    if (type === 'labelGroup') count(unsent, 'label groups');
    if (type !== 'mine') continue;
    if (fields['collapsed'] === true) count(unsent, 'collapsed tasks');
    for (const register of Object.keys(fields)) {
      if (isReminderRegister(register)) count(unsent, 'reminders');
      if (isBlockRegister(register)) count(unsent, 'time blocks');
    }
  }
}

/** Sends actions of a standing in their order. `scope`: its roots are the top level. */
export class Sending {
  readonly #ports: SendingPorts;
  readonly #scope: Id;
  readonly made: Made = { lists: [], labels: [], tasks: [], changed: [], entities: [] };
  readonly #newLists = new Set<Id>();
  readonly #newTasks = new Set<Id>();
  readonly #bookmarked = new Set<unknown>();
  readonly #lists: There;
  readonly #labels: There;

  constructor(
    ports: SendingPorts,
    { scope, lists, labels }: { readonly scope: Id; readonly lists: There; readonly labels: There },
  ) {
    this.#ports = ports;
    this.#scope = scope;
    this.#lists = lists;
    this.#labels = labels;
  }

  /** Rejects with the first refusal; what was sent until then is in `made`. */
  async send(actions: readonly Action[]): Promise<void> {
    const creates = actions.filter((action) => action.a === 'create');
    this.#countMine(creates);
    for (const create of creates)
      // oxlint-disable-next-line no-await-in-loop -- Parents before children; the server limits how often.
      if (create.type === 'label' || create.type === 'list') await this.#one(create);
    await this.#tasks(creates.filter(({ type }) => type === 'task'));
    await this.#changes(actions);
  }

  /** What of these creations the API can't hold, before anything is sent. */
  static unsentOf(creates: readonly Create[], lost: Unsent | ReadonlyMap<string, number>): Unsent {
    const unsent: Unsent = new Map(lost);
    countUnsent(creates, unsent);
    return unsent;
  }

  #countMine(creates: readonly Create[]): void {
    countUnsent(creates, this.#ports.unsent);
    this.#bookmarks(creates);
  }

  #bookmarks(creates: readonly Create[]): void {
    for (const { type, fields } of creates)
      if (type === 'mine' && fields['bookmarkedAt'] !== undefined) this.#bookmarked.add(fields['of']);
  }

  async #one({ id, type, fields, place }: Create): Promise<void> {
    const { session, keep } = this.#ports;
    const name = text(fields['name']);
    if (type === 'label') {
      const color = text(fields['color']);
      this.made.labels.push(id);
      keep(this.made);
      await session.askAtLength((client) =>
        client.createLabel({ id, name, ...(color === '' ? {} : { color_hex_string: color }) }),
      );
      return;
    }
    const parent = place?.parent;
    const archivedAt = fields['archivedAt'];
    const notes = text(fields['notes']);
    this.made.lists.push(id);
    this.#newLists.add(id);
    keep(this.made);
    await session.askAtLength((client) =>
      client.createList({
        id,
        name,
        list_type:
          fields['listType'] === 'folder' || fields['listType'] === 'smart' ? fields['listType'] : 'list',
        ...(typeof fields['query'] === 'string' ? { smart_list_query: fields['query'] } : {}),
        ...sortOf(fields),
        ...(parent === undefined || parent === this.#scope ? {} : { parent_id: parent }),
        ...(notes === '' ? {} : { notes }),
        ...(typeof archivedAt === 'number' ? { archived_at: new Date(archivedAt).toISOString() } : {}),
      }),
    );
  }

  #bodyOf({ id, fields, place }: Create): NewTask {
    const { zone, unsent } = this.#ports;
    const parent = place?.parent;
    const isTop = parent !== undefined && (this.#lists.has(parent) || this.#newLists.has(parent));
    const title = text(fields['title']);
    return {
      id,
      // The API takes no empty title.
      title: title.trim() === '' ? '…' : title,
      ...contentOf(fields, zone, unsent),
      ...(this.#bookmarked.has(id) ? { bookmarked_at: new Date(0).toISOString() } : {}),
      ...(isTop ? { list_id: parent } : { parent_id: parent }),
    };
  }

  async #tasks(creates: readonly Create[]): Promise<void> {
    const { session, keep } = this.#ports;
    const send = async (bodies: readonly NewTask[]) => {
      if (bodies.length === 0) return;
      for (const body of bodies) {
        const isInNew = this.#newLists.has(body.list_id as Id) || this.#newTasks.has(body.parent_id as Id);
        if (!isInNew) this.made.tasks.push(body.id ?? '');
        this.#newTasks.add(body.id as Id);
      }
      keep(this.made);
      await session.askAtLength((client) => client.createItems({ create_bodies: bodies }));
    };
    let waiting: NewTask[] = [];
    let bytes = 0;
    let done = 0;
    for (const create of creates) {
      const body = this.#bodyOf(create);
      const size = Buffer.byteLength(JSON.stringify(body)) + 1;
      if (waiting.length === apiLimits.bulk || bytes + size > MOST_BYTES) {
        // oxlint-disable-next-line no-await-in-loop -- Parents before children.
        await send(waiting);
        done += waiting.length;
        this.#ports.progress(done, creates.length);
        waiting = [];
        bytes = 0;
      }
      waiting.push(body);
      bytes += size;
    }
    await send(waiting);
  }

  #isTask(id: Id): boolean {
    return !this.#lists.has(id) && !this.#labels.has(id);
  }

  /** Changes a list or label that is here, and remembers what it was. */
  async #entity(id: Id, field: string, value: unknown): Promise<void> {
    const { session, keep } = this.#ports;
    const isLabel = this.#labels.has(id);
    const name = isLabel && field === 'color' ? 'color_hex_string' : field;
    const was = text((isLabel ? this.#labels.get(id) : this.#lists.get(id))?.[name]);
    this.made.entities.push({ id, isLabel, fields: { [name]: was } });
    keep(this.made);
    const body = { [name]: text(value) };
    await session.askAtLength(async (client) => {
      if (isLabel) await client.updateLabel(id, body);
      else await client.updateList(id, body);
    });
  }

  /** Changed registers of tasks that are here, as one body each. */
  async #changes(actions: readonly Action[]): Promise<void> {
    const { session, keep, zone, unsent } = this.#ports;
    const bodies = new Map<Id, Record<string, unknown>>();
    for (const action of actions) {
      if (action.a !== 'set' && action.a !== 'place') continue;
      if (action.a === 'set' && ENTITY_REGISTERS.has(action.field) && !this.#isTask(action.id)) {
        // oxlint-disable-next-line no-await-in-loop -- A few; the server limits how often.
        await this.#entity(action.id, action.field, action.value);
        continue;
      }
      const body = bodies.get(action.id) ?? {};
      bodies.set(action.id, body);
      if (action.a === 'place') {
        const { parent } = action.place;
        const isList = this.#lists.has(parent) || this.#newLists.has(parent);
        Object.assign(body, isList ? { list_id: parent, parent_id: null } : { parent_id: parent });
        continue;
      }
      Object.assign(body, changeOf(action.field, action.value, { zone, unsent, body }));
    }
    const all = [...bodies].map(([id, update_body]) => ({ todo_item_id: id, update_body }));
    for (let from = 0; from < all.length; from += apiLimits.page) {
      const part = all.slice(from, from + apiLimits.page);
      // oxlint-disable-next-line no-await-in-loop -- As they fit in a request.
      const { todo_items: before } = await session.askAtLength((client) =>
        client.listItems({ item_ids: part.map(({ todo_item_id: id }) => id).join(',') }),
      );
      for (const task of before) {
        this.made.changed.push({ todo_item_id: task.id, update_body: restored(task) });
        const body = bodies.get(task.id as Id);
        // A map is written as a whole.
        if (body?.['metadata']) body['metadata'] = { ...task.metadata, ...(body['metadata'] as object) };
      }
      keep(this.made);
      // oxlint-disable-next-line no-await-in-loop -- As above.
      await session.askAtLength((client) => client.updateItems({ update_bodies: part }));
    }
  }
}

function changeOf(
  field: string,
  value: unknown,
  { zone, unsent, body }: { zone: string; unsent: Unsent; body: Record<string, unknown> },
): Record<string, unknown> {
  if (field.startsWith('meta:')) {
    const metadata = { ...(body['metadata'] as object | undefined), [field.slice(5)]: value };
    return { metadata };
  }
  if (field.startsWith('label:')) {
    const name = value === true ? 'add_label_ids' : 'remove_label_ids';
    return { [name]: [...((body[name] as string[] | undefined) ?? []), field.slice(6)] };
  }
  if (field === 'status') return { is_complete: value !== null };
  if (field === 'due' || field === 'start')
    return isWhen(value) ? dateFields(field, value, zone) : dateFields(field, null, zone);
  if (field === 'repeat') {
    if (value === null) return { repeat_value: null, repeat_unit: null };
    return contentOf({ repeat: value }, zone, unsent);
  }
  if (field === 'duration') return { duration_minutes: value };
  return field === 'title' || field === 'notes' ? { [field]: value ?? '' } : {};
}

/** The rule as the API said it; in its words it takes it back. */
function repeatOf(task: Parameters<typeof restored>[0]): TaskChanges {
  const unit = repeatUnits.find((each) => each === task.repeat_unit);
  if (task.repeat_value === null || unit === undefined) return { repeat_value: null, repeat_unit: null };
  const metadata = repeatRuleSchema.shape.metadata.safeParse(task.repeat_unit_metadata);
  const from = repeatRuleSchema.shape.from.safeParse(task.repeat_from);
  return {
    repeat_value: task.repeat_value,
    repeat_unit: unit,
    repeat_unit_metadata: metadata.success ? metadata.data : null,
    repeat_from: from.success ? from.data : null,
  };
}

/** The body that makes a task what it was. */
function restored(task: {
  readonly title: string;
  readonly notes: string;
  readonly due_at: string | null;
  readonly timeless_due_at: string | null;
  readonly starts_at: string | null;
  readonly timeless_starts_at: string | null;
  readonly is_complete: boolean;
  readonly completed_at: string | null;
  readonly duration_minutes?: number | null;
  readonly repeat_value: number | null;
  readonly repeat_unit: string | null;
  readonly repeat_unit_metadata: Readonly<Record<string, unknown>> | null;
  readonly repeat_from: string | null;
  readonly label_ids: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly list_id: string;
  readonly parent_id: string | null;
}): TaskChanges {
  const day = (at: string | null, on: string | null, name: 'due' | 'starts') =>
    on === null ? { [`${name}_at`]: at } : { [`timeless_${name}_at`]: on };
  return {
    title: task.title,
    notes: task.notes,
    ...day(task.due_at, task.timeless_due_at, 'due'),
    ...day(task.starts_at, task.timeless_starts_at, 'starts'),
    is_complete: task.is_complete,
    duration_minutes: task.duration_minutes ?? null,
    ...repeatOf(task),
    label_ids: [...task.label_ids],
    metadata: { ...task.metadata },
    ...(task.parent_id === null ? { list_id: task.list_id } : { parent_id: task.parent_id }),
  };
}

/** Takes back what an import made. Returns how many things are gone already. */
export async function takeBack(
  session: Session,
  { lists, labels, tasks, changed, entities }: Made,
): Promise<number> {
  let gone = 0;
  const tried = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'missing') throw error;
      gone += 1;
    }
  };
  for (let from = 0; from < tasks.length; from += apiLimits.page) {
    const ids = tasks.slice(from, from + apiLimits.page);
    // oxlint-disable-next-line no-await-in-loop -- As they fit in a request.
    const { todo_items: there } = await session.askAtLength((client) =>
      client.listItems({ item_ids: ids.join(',') }),
    );
    const living = there.map(({ id }) => id);
    gone += ids.length - living.length;
    // oxlint-disable-next-line no-await-in-loop -- As above.
    if (living.length > 0) await session.askAtLength((client) => client.deleteItems({ item_ids: living }));
  }
  for (const id of lists.toReversed())
    // oxlint-disable-next-line no-await-in-loop -- The server limits how often.
    await tried(() => session.askAtLength((client) => client.deleteList(id)));
  for (const id of labels)
    // oxlint-disable-next-line no-await-in-loop -- The server limits how often.
    await tried(() => session.askAtLength((client) => client.deleteLabel(id)));
  for (let from = 0; from < changed.length; from += apiLimits.bulk) {
    const part = changed.slice(from, from + apiLimits.bulk);
    // oxlint-disable-next-line no-await-in-loop -- As they fit in a request.
    await tried(() => session.askAtLength((client) => client.updateItems({ update_bodies: part })));
  }
  for (const { id, isLabel, fields } of entities.toReversed())
    // oxlint-disable-next-line no-await-in-loop -- The server limits how often.
    await tried(() =>
      session.askAtLength(async (client) => {
        if (isLabel) await client.updateLabel(id, fields);
        else await client.updateList(id, fields);
      }),
    );
  return gone;
}
