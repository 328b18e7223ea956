// Files, a server and a memory without disk and network, for twins: what a twin does is done at once, and any step can be the last one
// of a run.
import { createIdSource, type Id } from '#core/ids.ts';
import { treeOf, type Content, type Tree, type TwinList, type TwinTask } from '#client/twin/model.ts';
import type {
  BaseList,
  Found,
  Move,
  Refused,
  TwinFolder,
  TwinMemory,
  TwinServer,
} from '#client/twin/ports.ts';
import type { Update } from '#client/twin/plan.ts';
import { runRound, type RoundReport } from '#client/twin/round.ts';
import type { SeededRandom } from '../simulator/random.ts';

/** What ends a run in the middle. */
export class Crash extends Error {}

const NONE: Refused = new Map();

/** The account as it is stored: people change it, and twins by calls. */
export class Account {
  readonly lists = new Map<Id, TwinList>();
  readonly tasks = new Map<Id, TwinTask>();
  readonly trash = new Map<Id, TwinTask>();
  /** Under lists and tasks. */
  readonly order = new Map<Id, Id[]>();
  readonly labels = new Set(['phone', 'big errand']);

  under(id: Id): Id[] {
    const known = this.order.get(id);
    if (known) return known;
    const made: Id[] = [];
    this.order.set(id, made);
    return made;
  }

  put(task: TwinTask, after: Id | null | 'end'): void {
    this.take(task.id);
    const siblings = this.under(task.parent ?? task.list);
    const at = after === 'end' ? siblings.length : after === null ? 0 : siblings.indexOf(after) + 1;
    siblings.splice(at, 0, task.id);
    this.tasks.set(task.id, task);
    this.#carry(task);
  }

  /** What is under a task is in its list. */
  #carry({ id, list }: TwinTask): void {
    for (const child of this.under(id)) {
      const task = this.tasks.get(child);
      if (!task || task.list === list) continue;
      this.tasks.set(child, { ...task, list });
      this.#carry({ ...task, list });
    }
  }

  take(id: Id): void {
    const task = this.tasks.get(id);
    if (!task) return;
    const siblings = this.under(task.parent ?? task.list);
    siblings.splice(siblings.indexOf(id), 1);
  }

  remove(id: Id): void {
    const task = this.tasks.get(id);
    if (!task) return;
    for (const child of this.under(id).slice()) this.remove(child);
    this.take(id);
    this.tasks.delete(id);
    this.trash.set(id, task);
  }

  removeList(id: Id): void {
    for (const child of this.under(id).slice()) this.remove(child);
    this.lists.delete(id);
  }

  tree(): Tree {
    const tasks: TwinTask[] = [];
    const add = (id: Id) => {
      const task = this.tasks.get(id);
      if (task) tasks.push(task);
      for (const child of this.under(id)) add(child);
    };
    for (const list of this.lists.keys()) for (const id of this.under(list)) add(id);
    return treeOf(tasks);
  }
}

export class World {
  readonly account = new Account();
  readonly files = new Map<string, string>();
  readonly aside: string[] = [];
  readonly lists = new Map<Id, BaseList>();
  readonly given = new Map<string, Id>();
  readonly gone = new Map<string, Id>();
  readonly newId: () => Id;
  /** The step at which the run ends, before it or after it; null: none. */
  crashIn: number | null = null;
  /** Called before every step. */
  onStep: () => void = () => undefined;
  readonly #random: SeededRandom;
  readonly #sent = new Map<Id, Content | null>();

  constructor(random: SeededRandom) {
    this.#random = random;
    let now = 1_700_000_000_000;
    this.newId = createIdSource({
      now: () => (now += 1),
      random: (bytes) => bytes.forEach((_, at) => (bytes[at] = random.below(256))),
    });
  }

  /** Runs one round. */
  round(mayDelete = false): Promise<RoundReport> {
    const tree = this.account.tree();
    return runRound({
      folder: this.#folder(),
      server: this.#server(tree),
      memory: this.#memory(),
      reading: { now: Date.UTC(2026, 10, 27), zone: 'Europe/Paris' },
      newId: this.newId,
      mayDelete,
    });
  }

  /** Does a step, or ends the run before or after it. */
  #step<T>(work: () => T): Promise<T> {
    this.onStep();
    const isLast = this.crashIn !== null && (this.crashIn -= 1) < 0;
    if (isLast && this.#random.below(2) === 0) return Promise.reject(new Crash());
    const result = work();
    return isLast ? Promise.reject(new Crash()) : Promise.resolve(result);
  }

  #folder(): TwinFolder {
    const { files, aside } = this;
    return {
      read: () =>
        this.#step((): Found[] =>
          [...files.keys()].toSorted().map((path) => ({ path, text: files.get(path) ?? null })),
        ),
      write: (path, before, text) =>
        this.#step(() => {
          if ((files.get(path) ?? null) !== before) return false;
          files.set(path, text);
          return true;
        }),
      rename: (path, before, to) =>
        this.#step(() => {
          if (files.get(path) !== before || files.has(to)) return false;
          files.delete(path);
          files.set(to, before);
          return true;
        }),
      setAside: (path, before) =>
        this.#step(() => {
          if (files.get(path) !== before) return false;
          files.delete(path);
          aside.push(before);
          return true;
        }),
    };
  }

  #memory(): TwinMemory {
    const { lists, given, gone } = this;
    return {
      lists,
      given,
      gone,
      sent: this.#sent,
      send: (tasks) =>
        this.#step(() => {
          this.#sent.clear();
          for (const [id, content] of tasks) this.#sent.set(id, content);
        }),
      saveList: (id, list) => this.#step(() => void (list === null ? lists.delete(id) : lists.set(id, list))),
      give: (ids) => this.#step(() => ids.forEach((id) => given.set(id.slice(-12), id))),
      leave: (ids) => this.#step(() => ids.forEach((id) => gone.set(id.slice(-12), id))),
    };
  }

  #server(read: Tree): TwinServer {
    return new FakeServer(this.account, read, (work) => this.#step(work));
  }
}

/** The account as a twin read it at the beginning of a round, with what it wrote since. */
class FakeServer implements TwinServer {
  readonly #account: Account;
  readonly #step: <T>(work: () => T) => Promise<T>;
  /** What others did since the beginning is not seen. */
  readonly #seen: Set<Id>;

  constructor(account: Account, read: Tree, step: <T>(work: () => T) => Promise<T>) {
    this.#account = account;
    this.#step = step;
    this.#seen = new Set(read.tasks.keys());
  }

  lists = () => new Map(this.#account.lists);
  labels = () => this.#account.labels;

  tree(): Tree {
    const { tasks, order } = this.#account.tree();
    const lines: TwinTask[] = [];
    const add = (id: Id) => {
      const task = tasks.get(id);
      if (!task || !this.#seen.has(id)) return;
      lines.push(task);
      for (const child of order.get(id) ?? []) add(child);
    };
    for (const list of this.#account.lists.keys()) for (const id of order.get(list) ?? []) add(id);
    return treeOf(lines);
  }

  create(tasks: readonly TwinTask[]): Promise<Refused> {
    return this.#step(() => {
      for (const task of tasks) {
        this.#account.trash.delete(task.id);
        if (!this.#account.tasks.has(task.id)) this.#put(task);
        this.#seen.add(task.id);
      }
      return NONE;
    });
  }

  #put(task: TwinTask): void {
    if (task.title === '') throw new Error('a title is empty');
    if (!this.#account.lists.has(task.list)) throw new Error('a task has no list');
    const parent = task.parent === null ? null : this.#account.tasks.get(task.parent);
    if (parent === undefined) throw new Error('a parent is not there');
    this.#account.put({ ...task, list: parent?.list ?? task.list }, 'end');
  }

  update(updates: readonly Update[]): Promise<Refused> {
    return this.#step(() => {
      for (const { id, from, to } of updates) {
        const task = this.#account.tasks.get(id);
        if (!task) continue;
        const changed = Object.entries(to).filter(
          ([name, value]) => JSON.stringify(value) !== JSON.stringify(from[name as keyof typeof from]),
        );
        const { id: own, list, parent } = task;
        this.#account.tasks.set(id, { ...task, ...Object.fromEntries(changed), id: own, list, parent });
      }
      return NONE;
    });
  }

  move(moves: readonly Move[]): Promise<Refused> {
    return this.#step(() => {
      for (const { id, list, parent, after } of moves) {
        const task = this.#account.tasks.get(id);
        if (!task || (parent !== null && !this.#account.tasks.has(parent))) continue;
        for (let at = parent; at !== null; at = this.#account.tasks.get(at)?.parent ?? null)
          if (at === id) throw new Error('a task under itself');
        this.#account.put({ ...task, list, parent }, after);
      }
      return NONE;
    });
  }

  remove(ids: readonly Id[]): Promise<Refused> {
    return this.#step(() => {
      for (const id of ids) this.#account.remove(id);
      return NONE;
    });
  }

  revive(tasks: readonly TwinTask[]): Promise<Refused> {
    return this.#step(() => {
      for (const task of tasks) {
        this.#account.trash.delete(task.id);
        this.#put(task);
        this.#seen.add(task.id);
      }
      return NONE;
    });
  }

  makeList(list: TwinList): Promise<void> {
    return this.#step(() => void this.#account.lists.set(list.id, list));
  }

  changeList(id: Id, change: { readonly name?: string; readonly folder?: Id | null }): Promise<null> {
    return this.#step(() => {
      const list = this.#account.lists.get(id);
      const { name = list?.name ?? '', folder = list?.parent ?? null } = change;
      if (list) this.#account.lists.set(id, { ...list, name, parent: folder });
      return null;
    });
  }

  removeList(id: Id): Promise<null> {
    return this.#step(() => {
      this.#account.removeList(id);
      return null;
    });
  }
}
