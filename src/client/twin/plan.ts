// Compares three states of the tasks (when they were last in step, in the files, on the server) and says what has to be done on the
// server, so that it has everything that was done in the files. The files are then written from the server.
import type { Id } from '#core/ids.ts';
import { walkUp } from '#core/walk-up.ts';
import { mergeContent } from './merge.ts';
import { isSameContent, linesOf, type Content, type Tree, type TwinTask } from './model.ts';
import { movedIn, placedIn } from './order.ts';

/** A task to be changed on the server. */
export interface Update {
  readonly id: Id;
  readonly from: Content;
  readonly to: Content;
}

/** What is to be done on the server. */
export interface Plan {
  /** Parents before children. */
  readonly news: readonly {
    readonly task: TwinTask;
    /** It was there before: edited in a file, or back in it, and gone on the server. */
    readonly isBack: boolean;
  }[];
  readonly updates: readonly Update[];
  /** The tasks under a list or task, in the order they are to have. */
  readonly orders: ReadonlyMap<Id, readonly Id[]>;
  /** Of tasks under each other, the topmost. */
  readonly deletes: readonly Id[];
  /** Sentences. */
  readonly said: readonly string[];
}

export interface States {
  readonly base: Tree;
  readonly file: Tree;
  readonly server: Tree;
  /** Tasks about which nothing is decided. */
  readonly frozen: ReadonlySet<Id>;
  /** Tasks that left the files earlier. */
  readonly gone: ReadonlySet<Id>;
}

const under = ({ parent, list }: TwinTask): Id => parent ?? list;

class Planning {
  readonly #states: States;
  readonly #said: string[] = [];
  readonly #news: Plan['news'][number][] = [];
  readonly #updates: Update[] = [];
  readonly #deletes = new Set<Id>();
  /** Where each task will hang: a list or a task. */
  readonly #parents = new Map<Id, Id>();
  /** Tasks that files put where they are. */
  readonly #placed = new Set<Id>();

  constructor(states: States) {
    this.#states = states;
    for (const task of states.server.tasks.values()) this.#parents.set(task.id, under(task));
  }

  plan(): Plan {
    const { file, server } = this.#states;
    this.#findDeletes();
    const lists = new Set([...file.tasks.values()].map(({ list }) => list));
    for (const list of lists) for (const task of linesOf(file, list)) this.#consider(task);
    this.#keepParents();
    const deletes = [...this.#deletes].filter((id) => !this.#deletes.has(this.#parents.get(id) ?? id));
    for (const id of this.#deletes)
      this.#said.push(`Moved ‘${server.tasks.get(id)?.title ?? ''}’ to the trash.`);
    return {
      news: this.#news,
      updates: this.#updates,
      orders: this.#orders(),
      deletes,
      said: this.#said,
    };
  }

  #findDeletes(): void {
    const { base, file, server, frozen } = this.#states;
    for (const was of base.tasks.values()) {
      const now = server.tasks.get(was.id);
      if (file.tasks.has(was.id) || now === undefined || frozen.has(was.id)) continue;
      if (isSameContent(was, now) && under(was) === under(now) && was.list === now.list)
        this.#deletes.add(was.id);
      else this.#said.push(`‘${now.title}’ was deleted in its file, but changed elsewhere, so it stays.`);
    }
  }

  #consider(task: TwinTask): void {
    const { base, server, frozen, gone } = this.#states;
    if (frozen.has(task.id)) return;
    const was = base.tasks.get(task.id) ?? null;
    const now = server.tasks.get(task.id);
    if (now === undefined) return this.#withoutServer(task, was, gone.has(task.id));
    const { content, kept } = mergeContent(was, task, now);
    if (!isSameContent(content, now)) this.#updates.push({ id: task.id, from: now, to: content });
    for (const line of kept) this.#said.push(`‘${content.title}’ changed on both sides. ${line}`);
    // Who moved it elsewhere meanwhile is not overruled.
    if (was === null || under(was) === under(task) || under(was) !== under(now)) return;
    const to = this.#aliveAbove(task);
    if (to === under(now) || this.#isUnder(to, task.id)) return;
    this.#parents.set(task.id, to);
    this.#placed.add(task.id);
  }

  #withoutServer(task: TwinTask, was: TwinTask | null, isGone: boolean): void {
    const isEdited = was !== null && !isSameContent(was, task);
    if (was !== null && !isEdited) return;
    const to = this.#aliveAbove(task);
    const parent = to === task.list ? null : to;
    // A task needs a title.
    const placed = { ...task, parent, title: task.title === '' ? '…' : task.title };
    if (isEdited)
      this.#said.push(`‘${task.title}’ was deleted elsewhere, but changed in its file, so it stays.`);
    this.#news.push({ task: placed, isBack: isEdited || isGone });
    this.#parents.set(task.id, to);
    this.#placed.add(task.id);
  }

  /** The nearest task above it in its file that will be there, or its list. */
  #aliveAbove(task: TwinTask): Id {
    const { file } = this.#states;
    const above = [...walkUp(task, ({ parent }) => (parent === null ? undefined : file.tasks.get(parent)))];
    return above.slice(1).find(({ id }) => this.#parents.has(id))?.id ?? task.list;
  }

  #isUnder(id: Id, top: Id): boolean {
    return [...this.#upFrom(id)].includes(top);
  }

  #upFrom(id: Id): Iterable<Id> {
    return walkUp(id, (at) => this.#parents.get(at));
  }

  /** A task stays if something that stays is under it. */
  #keepParents(): void {
    for (const id of this.#parents.keys()) {
      if (this.#deletes.has(id)) continue;
      for (const above of this.#upFrom(id))
        if (this.#deletes.delete(above)) {
          const title = this.#states.server.tasks.get(above)?.title ?? '';
          this.#said.push(`‘${title}’ was deleted in its file, but has tasks that stay, so it stays.`);
        }
    }
  }

  #orders(): ReadonlyMap<Id, readonly Id[]> {
    const { base, file, server } = this.#states;
    const orders = new Map<Id, readonly Id[]>();
    const placed = new Map<Id, Set<Id>>();
    const place = (id: Id) => {
      const parent = this.#parents.get(id);
      if (parent === undefined) return;
      const all = placed.get(parent);
      if (all) all.add(id);
      else placed.set(parent, new Set([id]));
    };
    for (const id of this.#placed) place(id);
    for (const [parent, now] of file.order) {
      for (const id of movedIn(base.order.get(parent) ?? [], now))
        if (this.#parents.get(id) === parent && !this.#deletes.has(id)) place(id);
    }
    for (const [parent, ids] of placed) {
      const there = (server.order.get(parent) ?? []).filter((id) => this.#parents.get(id) === parent);
      const own = (file.order.get(parent) ?? []).filter((id) => this.#parents.get(id) === parent);
      const others = [...ids].filter((id) => !own.includes(id));
      const wanted = placedIn(there, [...own, ...others], ids);
      if (wanted.join() !== (server.order.get(parent) ?? []).join()) orders.set(parent, wanted);
    }
    return orders;
  }
}

/** The plan for three states. Deterministic, and empty once everything is in step. */
export function planTwin(states: States): Plan {
  return new Planning(states).plan();
}
