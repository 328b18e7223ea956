// Indexes of rows that the outline needs: collapsed rows, trashed rows, bookmarks, reminders, files, private labels.
// Updated by row changes; never recomputed from everything.
import type { Id } from '#core/ids.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';

/** By the field's name alone: the rest of reminders (core/reminders.ts) is not in the first load. */
function hasReminder(row: Row | undefined): boolean {
  for (const register in row?.fields) if (register.startsWith('remind:')) return true;
  return false;
}

/** Counts what hangs under a task, by task. */
function count(counts: Map<Id, number>, row: Row | undefined, by: 1 | -1): void {
  const task = row === undefined || isTrashed(row) ? undefined : placeOf(row)?.parent;
  if (task === undefined) return;
  const is = (counts.get(task) ?? 0) + by;
  if (is > 0) counts.set(task, is);
  else counts.delete(task);
}

const noLabels: readonly Id[] = [];

function labelsIn(row: Row | undefined): readonly Id[] {
  if (!row) return noLabels;
  const carried = Object.keys(row.fields).filter(
    (register) => register.startsWith('label:') && registersOf(row)[register] === true,
  );
  return carried.length === 0 ? noLabels : carried.map((register) => register.slice(6) as Id);
}

/** Facts about rows in constant time. `apply` must get every change. */
export class Facts {
  readonly #replica: Replica;
  readonly #collapsed = new Set<Id>();
  readonly #trashed = new Set<Id>();
  readonly #bookmarks = new Map<Id, number>();
  readonly #reminding = new Set<Id>();
  /** Number of attached files, for tasks that have any. */
  readonly #files = new Map<Id, number>();
  readonly #comments = new Map<Id, number>();
  /** Private labels, and the labels in the person's own rows of tasks. */
  readonly #privateLabels = new Set<Id>();
  readonly #ownLabels = new Map<Id, readonly Id[]>();
  /** Tasks and lists under something trashed; null until needed after a change that may matter. */
  #hidden: ReadonlySet<Id> | null = null;

  constructor(replica: Replica) {
    this.#replica = replica;
    for (const row of replica.all()) this.#take({ id: row.id, before: undefined, after: row });
  }

  /** Tasks and lists in the trash, not counting their descendants. */
  get trashed(): ReadonlySet<Id> {
    return this.#trashed;
  }

  /** Bookmarked tasks and lists, with the time of the bookmark. */
  get bookmarks(): ReadonlyMap<Id, number> {
    return this.#bookmarks;
  }

  /** Whether the person set a reminder for a task. */
  reminds(id: Id): boolean {
    return this.#reminding.has(id);
  }

  hasFiles(task: Id): boolean {
    return this.#files.has(task);
  }

  /** How many comments a task has. */
  commentsOf(task: Id): number {
    return this.#comments.get(task) ?? 0;
  }

  get privateLabels(): ReadonlySet<Id> {
    return this.#privateLabels;
  }

  /** Private labels exist, or existed: they are stored apart from their tasks. */
  get keepsLabels(): boolean {
    return this.#privateLabels.size > 0 || this.#ownLabels.size > 0;
  }

  /** Private labels of a task. */
  ownLabelsOf(task: Id): readonly Id[] {
    return this.#ownLabels.get(task) ?? noLabels;
  }

  isCollapsed(id: Id): boolean {
    return this.#collapsed.has(id);
  }

  /** Whether the row or an ancestor is in the trash. */
  isHidden(id: Id): boolean {
    if (this.#trashed.size === 0) return false;
    this.#hidden ??= this.#findHidden();
    return this.#hidden.has(id);
  }

  /** Applies changes. Returns the tasks and lists that were collapsed or expanded. */
  apply(changes: readonly RowChange[]): readonly Id[] {
    const folded: Id[] = [];
    for (const change of changes) {
      const id = this.#take(change);
      if (id !== null) folded.push(id);
    }
    return folded;
  }

  #take({ id, before, after }: RowChange): Id | null {
    const type = (after ?? before)?.type;
    const own = after ?? before;
    if (own?.type === 'mine') {
      const { of } = own.fields;
      const bookmarkedAt = fieldOf(after, 'bookmarkedAt');
      if (bookmarkedAt === undefined) this.#bookmarks.delete(of);
      else this.#bookmarks.set(of, bookmarkedAt);
      if (hasReminder(after)) this.#reminding.add(of);
      else this.#reminding.delete(of);
      const labels = labelsIn(after);
      if (labels.length === 0) this.#ownLabels.delete(of);
      else this.#ownLabels.set(of, labels);
      const is = fieldOf(after, 'collapsed') === true;
      if (is === this.#collapsed.has(of)) return null;
      if (is) this.#collapsed.add(of);
      else this.#collapsed.delete(of);
      return of;
    }
    if (type === 'label') {
      if (fieldOf(after, 'visibility') === 'private') this.#privateLabels.add(id);
      else this.#privateLabels.delete(id);
    }
    if (type === 'attachment' || type === 'comment') {
      const counts = type === 'comment' ? this.#comments : this.#files;
      count(counts, before, -1);
      count(counts, after, 1);
    }
    if (type !== 'task' && type !== 'list') return null;
    const is = isTrashed(after);
    const moved = placeOf(before)?.parent !== placeOf(after)?.parent;
    if (is !== this.#trashed.has(id)) {
      if (is) this.#trashed.add(id);
      else this.#trashed.delete(id);
      this.#hidden = null;
    } else if (moved && this.#trashed.size > 0) this.#hidden = null;
    return null;
  }

  #findHidden(): ReadonlySet<Id> {
    const hidden = new Set<Id>();
    const waiting = [...this.#trashed];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (hidden.has(id)) continue;
      hidden.add(id);
      for (const child of this.#replica.children(id)) waiting.push(child.id);
    }
    return hidden;
  }
}
