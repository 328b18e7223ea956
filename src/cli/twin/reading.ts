// What the account holds, as a twin sees it: read whole at the start, then what changed, and in turn all that is known, because
// the API doesn't say what is gone.
import { compareOrdinals } from '#core/ordinal.ts';
import type { Id } from '#core/ids.ts';
import { treeOf, type Tree, type TwinList, type TwinTask } from '#client/twin/model.ts';
import type { Label, List, ListTasksQuery, Task, TasksAnswer } from '#wire/api/client.ts';
import { apiLimits } from '#wire/api/requests.ts';
import { listName } from '../names.ts';
import type { Session } from '../session.ts';
import { contentOf } from './task-fields.ts';

/** Changes are asked for again from so long before the last one: several servers may write at once. */
const OVERLAP_MS = 5_000;

/** The last order key of the path that an ordinal is made of: it orders a task among its siblings. */
const keyOf = (ordinal: string) => ordinal.slice(Math.max(ordinal.lastIndexOf('0'), 1) + 1);

const byKey = (a: Task, b: Task) =>
  compareOrdinals(`0.${keyOf(a.ordinal)}`, `0.${keyOf(b.ordinal)}`) || (a.id < b.id ? -1 : 1);

/** The tasks of open lists that are not cleared, and the lists and labels, as they were read last. */
export class AccountReading {
  readonly #session: Session;
  readonly #tasks = new Map<Id, Task>();
  #lists: readonly List[] = [];
  #labels: readonly Label[] = [];
  #since = 0;
  #turn = 0;
  #tree: Tree | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Reads everything. */
  async all(): Promise<void> {
    this.#tasks.clear();
    const open = await this.#pages({ status: 'incomplete' });
    const done = await this.#pages({ query: 'is:uncleared' });
    for (const task of open) this.keep(task);
    await this.#keepDone(done);
    this.#since = Math.max(0, ...[...open, ...done].map((task) => Date.parse(task.updated_at)));
  }

  /** Reads what changed since the last time. */
  async changes(): Promise<void> {
    const from = new Date(Math.max(0, this.#since - OVERLAP_MS)).toISOString();
    const tasks = await this.#pages({ updated_after: from });
    await this.#keepDone(tasks.filter((task) => task.is_complete && !this.#tasks.has(task.id as Id)));
    for (const task of tasks) if (!task.is_complete || this.#tasks.has(task.id as Id)) this.keep(task);
    this.#since = Math.max(this.#since, ...tasks.map((task) => Date.parse(task.updated_at)));
  }

  /** Looks the next known tasks up, to see which are gone. */
  async check(): Promise<void> {
    const ids = [...this.#tasks.keys()];
    const from = this.#turn >= ids.length ? 0 : this.#turn;
    const some = ids.slice(from, from + apiLimits.page);
    this.#turn = from + some.length;
    const found = await this.find(some);
    for (const id of some) if (!found.has(id)) this.drop(id);
    for (const task of found.values()) this.keep(task);
  }

  /** The tasks with these ids that are there, cleared ones included. */
  async find(ids: readonly Id[]): Promise<ReadonlyMap<Id, Task>> {
    const found = new Map<Id, Task>();
    for (let from = 0; from < ids.length; from += apiLimits.page) {
      const wanted = ids.slice(from, from + apiLimits.page).join(',');
      // oxlint-disable-next-line no-await-in-loop -- As many as fit in a request.
      const { todo_items: tasks } = await this.#session.askPatiently((client) =>
        client.listItems({ item_ids: wanted }),
      );
      for (const task of tasks) found.set(task.id as Id, task);
    }
    return found;
  }

  async #pages(query: ListTasksQuery): Promise<readonly Task[]> {
    const tasks: Task[] = [];
    let cursor: string | null = null;
    do {
      const asked: ListTasksQuery = {
        ...query,
        limit: String(apiLimits.page),
        ...(cursor === null ? {} : { cursor }),
      };
      // oxlint-disable-next-line no-await-in-loop -- Page by page.
      const page: TasksAnswer = await this.#session.askPatiently((client) => client.listTasks(asked));
      tasks.push(...page.tasks);
      this.#lists = page.lists;
      this.#labels = page.labels;
      cursor = page.next_cursor;
    } while (cursor !== null);
    this.#tree = null;
    return tasks;
  }

  /** Completed occurrences of repeating tasks are listed, too, but nothing has their ids. */
  async #keepDone(done: readonly Task[]): Promise<void> {
    const wanted = done.filter((task) => !task.is_cleared).map((task) => task.id as Id);
    for (const task of (await this.find(wanted)).values()) this.keep(task);
  }

  keep(task: Task): void {
    this.#tree = null;
    if (task.is_cleared) this.#tasks.delete(task.id as Id);
    else this.#tasks.set(task.id as Id, task);
  }

  /** Forgets a task with everything under it. */
  drop(id: Id): void {
    this.#tree = null;
    this.#tasks.delete(id);
    for (const task of this.#tasks.values()) if (task.parent_id === id) this.drop(task.id as Id);
  }

  keepList(list: List): void {
    this.#tree = null;
    this.#lists = [...this.#lists.filter(({ id }) => id !== list.id), list];
  }

  dropList(id: Id): void {
    this.#tree = null;
    this.#lists = this.#lists.filter((list) => list.id !== id);
  }

  /** The Inbox stands for the account. */
  get inbox(): string {
    return this.#lists.find(({ list_type: type }) => type === 'inbox')?.id ?? '';
  }

  labels(): ReadonlySet<string> {
    return new Set(this.#labels.map(({ name }) => name));
  }

  lists(): ReadonlyMap<Id, TwinList> {
    const shown = this.#lists.filter(
      ({ list_type: type, archived_at: at }) => type === 'folder' || (type !== 'smart' && at === null),
    );
    return new Map(
      shown.map((list) => [
        list.id as Id,
        {
          id: list.id as Id,
          name: listName(list),
          isFolder: list.list_type === 'folder',
          parent: list.parent_id as Id | null,
        },
      ]),
    );
  }

  task(id: Id): Task | undefined {
    return this.#tasks.get(id);
  }

  /** The ordinal of a task where it stands now, even if a task above it has been moved since it was read. */
  ordinal(id: Id): string {
    const keys: string[] = [];
    for (let at: Id | null = id, steps = 0; at !== null && steps < 1_000; steps += 1) {
      const task: Task | undefined = this.#tasks.get(at);
      if (task) keys.unshift(keyOf(task.ordinal));
      const above: string | null = task?.parent_id ?? null;
      at = above as Id | null;
    }
    return `0.${keys.join('0')}`;
  }

  tree(): Tree {
    if (this.#tree !== null) return this.#tree;
    const labels = new Map(this.#labels.map(({ id, name }) => [id, name]));
    const lists = this.lists();
    const under = Map.groupBy(this.#tasks.values(), (task) => task.parent_id ?? task.list_id);
    const lines: TwinTask[] = [];
    for (const list of lists.values()) {
      if (list.isFolder) continue;
      const waiting = [...(under.get(list.id) ?? [])].toSorted(byKey).toReversed();
      for (let task = waiting.pop(); task !== undefined; task = waiting.pop()) {
        const parent = task.parent_id as Id | null;
        lines.push({ ...contentOf(task, labels), id: task.id as Id, list: list.id, parent });
        waiting.push(...[...(under.get(task.id) ?? [])].toSorted(byKey).toReversed());
      }
    }
    this.#tree = treeOf(lines);
    return this.#tree;
  }
}
