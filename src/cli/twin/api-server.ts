// The server of a twin, by the public API: several tasks in one request, and one by one where a request is refused, so that one task
// that cannot be saved holds up no other.
import { deriveId, type Id } from '#core/ids.ts';
import type { Content, Tree, TwinList, TwinTask } from '#client/twin/model.ts';
import type { Update } from '#client/twin/plan.ts';
import type { Move, Refused, TwinServer } from '#client/twin/ports.ts';
import type { Task, TaskChanges } from '#wire/api/client.ts';
import { apiLimits } from '#wire/api/requests.ts';
import { Failure } from '../failure.ts';
import type { Session } from '../session.ts';
import { AccountReading } from './reading.ts';
import { changesBetween, contentOf, newTaskOf, placeFields } from './task-fields.ts';

/** Room for what a request has besides its tasks. */
const MOST_BYTES = apiLimits.bodyBytes - 4_096;

/** The server said no to this, and would again. */
const isRefusal = (error: unknown): error is Failure =>
  error instanceof Failure && (error.kind === 'refused' || error.kind === 'missing' || error.isForbidden);

interface Body {
  readonly id: Id;
  readonly body: object;
}

/** As many at a time as fit in a request. */
function portions<T extends Body>(all: readonly T[]): readonly (readonly T[])[] {
  const found: T[][] = [];
  let bytes = 0;
  for (const each of all) {
    const size = Buffer.byteLength(JSON.stringify(each.body)) + 100;
    const last = found.at(-1);
    if (last === undefined || last.length === apiLimits.bulk || bytes + size > MOST_BYTES) {
      found.push([each]);
      bytes = size;
    } else {
      last.push(each);
      bytes += size;
    }
  }
  return found;
}

export class ApiTwinServer implements TwinServer {
  readonly reading: AccountReading;
  readonly #session: Session;
  readonly #zone: string;

  constructor(session: Session, zone: string) {
    this.#session = session;
    this.#zone = zone;
    this.reading = new AccountReading(session);
  }

  lists = (): ReadonlyMap<Id, TwinList> => this.reading.lists();
  tree = (): Tree => this.reading.tree();
  labels = (): ReadonlySet<string> => this.reading.labels();

  /** Sends all, or each by itself if that is refused. */
  async #each<T extends Body>(
    all: readonly T[],
    send: (some: readonly T[]) => Promise<readonly Task[]>,
  ): Promise<Map<Id, Failure>> {
    const refused = new Map<Id, Failure>();
    const tried = async (some: readonly T[]): Promise<boolean> => {
      try {
        for (const task of await send(some)) this.reading.keep(task);
        return true;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const [one, ...more] = some;
        if (one && more.length === 0) refused.set(one.id, error);
        return false;
      }
    };
    for (const some of portions(all)) {
      // oxlint-disable-next-line no-await-in-loop -- In order.
      if ((await tried(some)) || some.length === 1) continue;
      for (const one of some) await tried([one]); // oxlint-disable-line no-await-in-loop
    }
    return refused;
  }

  async create(tasks: readonly TwinTask[]): Promise<Refused> {
    const bodies = tasks.map((task) => ({ id: task.id, body: newTaskOf(task, this.#zone) }));
    const refused = await this.#each(bodies, async (some) => {
      const body = { create_bodies: some.map((each) => each.body) };
      return (await this.#session.askPatiently((client) => client.createItems(body))).todo_items;
    });
    const taken = tasks.filter(({ id }) => refused.get(id)?.isTaken === true);
    for (const { id } of taken) refused.delete(id);
    const unrevived = taken.length === 0 ? new Map<Id, string>() : await this.revive(taken);
    return new Map([...reasons(refused), ...unrevived]);
  }

  async #change(bodies: readonly { readonly id: Id; readonly body: TaskChanges }[]): Promise<Refused> {
    const refused = await this.#each(bodies, async (some) => {
      const all = some.map(({ id, body }) => ({ todo_item_id: id, update_body: body }));
      return (await this.#session.askPatiently((client) => client.updateItems({ update_bodies: all })))
        .updated_todo_items;
    });
    // Deleted meanwhile: the next round brings back what was edited.
    for (const [id, { kind }] of refused) if (kind === 'missing') this.reading.drop(id);
    return reasons(refused);
  }

  update(updates: readonly Update[]): Promise<Refused> {
    const bodies = updates.map(({ id, from, to }) => ({ id, body: changesBetween(from, to, this.#zone) }));
    return this.#change(bodies.filter(({ body }) => Object.keys(body).length > 0));
  }

  async move(moves: readonly Move[]): Promise<Refused> {
    const refused = new Map<Id, string>();
    for (let from = 0; from < moves.length; from += apiLimits.bulk) {
      const some = moves.slice(from, from + apiLimits.bulk);
      const moving = new Map(some.map((move) => [move.id, move]));
      const bodies = some.map((move) => {
        // Places are about the order before the request. Those after the same task keep their order.
        let { after } = move;
        for (let steps = some.length; after !== null && moving.has(after) && steps >= 0; steps -= 1)
          after = moving.get(after)?.after ?? null;
        const number =
          after === null ? { location: 'start' as const } : { ordinal: this.reading.ordinal(after) };
        return { id: move.id, body: { ...placeFields(move), ...number } };
      });
      // oxlint-disable-next-line no-await-in-loop -- In order.
      for (const [id, reason] of await this.#change(bodies)) refused.set(id, reason);
    }
    return refused;
  }

  async remove(ids: readonly Id[]): Promise<Refused> {
    const refused = await this.#each(
      ids.map((id) => ({ id, body: {} })),
      async (some) => {
        await this.#session.askPatiently((client) =>
          client.deleteItems({ item_ids: some.map(({ id }) => id) }),
        );
        return [];
      },
    );
    for (const [id, { kind }] of refused) if (kind === 'missing') refused.delete(id);
    for (const id of ids) if (!refused.has(id)) this.reading.drop(id);
    return reasons(refused);
  }

  async revive(tasks: readonly TwinTask[]): Promise<Refused> {
    const refused = new Map<Id, string>();
    for (const task of tasks) {
      // oxlint-disable-next-line no-await-in-loop -- Parents before children.
      const reason = await this.#revive(task);
      if (reason !== null) refused.set(task.id, reason);
    }
    return refused;
  }

  /** From a hidden list, from among the cleared, from the trash, or anew. */
  async #revive(task: TwinTask): Promise<string | null> {
    const there = (await this.reading.find([task.id])).get(task.id) ?? (await this.#restored(task.id));
    if (there === undefined) {
      // What was deleted for good can't have its id again.
      const id = deriveId('twin', task.id);
      return (await this.create([{ ...task, id }])).get(id) ?? null;
    }
    const present: Content = contentOf(
      there,
      new Map(there.label_ids.map((id, at) => [id, there.label_names[at] ?? ''])),
    );
    const body = {
      ...changesBetween(present, task, this.#zone),
      ...placeFields(task),
      ...(there.is_cleared ? { is_cleared: false } : {}),
    };
    return (await this.#change([{ id: task.id, body }])).get(task.id) ?? null;
  }

  async #restored(id: Id): Promise<Task | undefined> {
    try {
      await this.#session.askPatiently((client) => client.restoreItems({ item_ids: [id] }));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return undefined;
    }
    return (await this.reading.find([id])).get(id);
  }

  async makeList({ id, name, isFolder, parent }: TwinList): Promise<void> {
    const { list } = await this.#session.askPatiently((client) =>
      client.createList({
        id,
        name,
        list_type: isFolder ? 'folder' : 'list',
        ...(parent === null ? {} : { parent_id: parent }),
      }),
    );
    this.reading.keepList(list);
  }

  async changeList(
    id: Id,
    { name, folder }: { readonly name?: string; readonly folder?: Id | null },
  ): Promise<string | null> {
    return this.#reasonOf(async () => {
      const { list } = await this.#session.askPatiently((client) =>
        client.updateList(id, {
          ...(name === undefined ? {} : { name }),
          ...(folder === undefined ? {} : { parent_id: folder }),
        }),
      );
      this.reading.keepList(list);
    });
  }

  removeList(id: Id): Promise<string | null> {
    return this.#reasonOf(async () => {
      await this.#session.askPatiently((client) => client.deleteList(id));
      this.reading.dropList(id);
    });
  }

  async #reasonOf(work: () => Promise<void>): Promise<string | null> {
    try {
      await work();
      return null;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return error.message;
    }
  }
}

function reasons(refused: ReadonlyMap<Id, Failure>): Map<Id, string> {
  return new Map([...refused].map(([id, { message }]) => [id, message]));
}
