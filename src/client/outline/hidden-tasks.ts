// Hidden tasks: snoozed ones until they wake, and tasks that have not started in lists that hide them. Turns changes of
// rows and of time into changes as the outline sees them.
import type { Id } from '#core/ids.ts';
import type { When } from '#core/when.ts';
import type { Replica, RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isDone, isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import type { Clock } from '../clock/clock.ts';
import { hideUnstarted } from '../settings/first.ts';
import { isUnder, rowAndAbove } from '#sync/rows/ancestors.ts';

/** Prefix of an account setting, followed by the id of a list: whether that list hides tasks that have not started. */
export const LIST_HIDES = 'hideUnstarted.';

export interface AwayCounts {
  readonly snoozed: number;
  readonly unstarted: number;
}

const nobody: AwayCounts = { snoozed: 0, unstarted: 0 };

/** Decides which tasks are hidden now. Changes go through `apply` before the outline gets them. */
export class Away {
  readonly #replica: Replica;
  readonly #clock: Clock;
  /** Snoozes by task, from the personal rows; including tasks that are not loaded yet. */
  readonly #snoozes = new Map<Id, When>();
  /** Tasks with a snooze or a start that may be in the future. */
  readonly #waiting = new Set<Id>();
  readonly #concealed = new Map<Id, keyof AwayCounts>();
  /** Lists with a choice of their own about hiding tasks that have not started. */
  readonly #hiding: Map<Id, boolean>;
  /** The choice for all other lists. */
  #hidesEverywhere = false;
  #showsSnoozed = false;
  #counted: { readonly root: Id; readonly counts: AwayCounts } | null = null;

  /** `hiding`: lists whose choice is stored on this device only. */
  constructor(replica: Replica, clock: Clock, hiding: readonly Id[]) {
    this.#replica = replica;
    this.#clock = clock;
    this.#hiding = new Map(hiding.map((list) => [list, true]));
    const starting: Id[] = [];
    for (const row of replica.all()) {
      this.#takeSnooze(undefined, row);
      this.#takeHiding(undefined, row);
      if (row.type === 'task' && row.fields.start !== undefined) starting.push(row.id);
    }
    for (const id of [...this.#snoozes.keys(), ...starting]) this.#consider(id);
  }

  conceals(id: Id): boolean {
    return this.#concealed.has(id);
  }

  /** The end of a task's snooze; null when it is awake. */
  snoozedUntil(id: Id): When | null {
    if (!this.#waiting.has(id)) return null;
    const snooze = this.#snoozes.get(id);
    return this.#clock.isAhead(snooze) ? snooze : null;
  }

  get showsSnoozed(): boolean {
    return this.#showsSnoozed;
  }

  hidesUnstarted(list: Id): boolean {
    return this.#hiding.get(list) ?? this.#hidesEverywhere;
  }

  /** Shows or hides snoozed tasks. Returns the changes as the outline sees them. */
  showSnoozed(shows: boolean): readonly RowChange[] {
    this.#showsSnoozed = shows;
    return this.reconsider([...this.#waiting]);
  }

  /** Translates changes for the outline: a hidden task has no row, so falling asleep removes it and waking adds it. */
  apply(changes: readonly RowChange[]): readonly RowChange[] {
    const others = new Set<Id>();
    let isMoved = false;
    for (const { id, before, after } of changes) {
      const about = this.#takeSnooze(before, after);
      if (about !== null) others.add(about);
      if (this.#takeHiding(before, after)) isMoved = true;
      if ((after ?? before)?.type !== 'task') continue;
      if (this.#mayWait(id, after)) others.add(id);
      if (placeOf(before)?.parent !== placeOf(after)?.parent) isMoved = true;
    }
    if (isMoved) this.#counted = null;
    // Descendants of a moved task may now be in a list that hides other tasks.
    if (isMoved && this.#hidesSome) for (const id of this.#waiting) others.add(id);
    if (others.size === 0) return changes;
    const seen: RowChange[] = [];
    for (const change of changes) {
      if ((change.after ?? change.before)?.type !== 'task') {
        seen.push(change);
        continue;
      }
      if (!others.delete(change.id)) {
        seen.push(change);
        continue;
      }
      const was = this.conceals(change.id);
      const is = this.#consider(change.id);
      const before = was ? undefined : change.before;
      const after = is ? undefined : change.after;
      if (before !== undefined || after !== undefined) seen.push({ ...change, before, after });
    }
    return [...seen, ...this.reconsider([...others])];
  }

  /** Decides again about these tasks, whose rows did not change. */
  reconsider(ids: readonly Id[]): readonly RowChange[] {
    return ids.flatMap((id): RowChange[] => {
      const was = this.conceals(id);
      const is = this.#consider(id);
      const row = this.#replica.row(id);
      if (was === is || !row) return [];
      return [{ id, before: was ? undefined : row, after: is ? undefined : row }];
    });
  }

  /** Number of hidden tasks at any depth under a place. */
  countUnder(root: Id | null): AwayCounts {
    if (root === null || this.#concealed.size === 0) return nobody;
    if (this.#counted?.root === root) return this.#counted.counts;
    const counts = { snoozed: 0, unstarted: 0 };
    for (const [id, reason] of this.#concealed) if (this.#isUnder(id, root)) counts[reason] += 1;
    this.#counted = { root, counts };
    return counts;
  }

  #mayWait(id: Id, row: Row | undefined): boolean {
    if (fieldOf(row, 'start') !== undefined) return true;
    return this.#snoozes.has(id) || this.#waiting.has(id) || this.#concealed.has(id);
  }

  /** The task whose snooze this change sets or ends; null: none. */
  #takeSnooze(before: Row | undefined, after: Row | undefined): Id | null {
    const row = after ?? before;
    if (row?.type !== 'mine') return null;
    const of = row.fields.of;
    const snooze = fieldOf(after, 'snooze') ?? null;
    if (snooze === (this.#snoozes.get(of) ?? null)) return null;
    if (snooze === null) this.#snoozes.delete(of);
    else this.#snoozes.set(of, snooze);
    return of;
  }

  /** Whether the change affects which lists hide tasks that have not started. */
  #takeHiding(before: Row | undefined, after: Row | undefined): boolean {
    const row = after ?? before;
    if (row?.type !== 'setting') return false;
    const key = row.fields.key;
    const value = fieldOf(after, 'value');
    if (key === hideUnstarted.key) this.#hidesEverywhere = hideUnstarted.read(value) ?? false;
    else if (!key.startsWith(LIST_HIDES)) return false;
    else if (typeof value === 'boolean') this.#hiding.set(key.slice(LIST_HIDES.length) as Id, value);
    else this.#hiding.delete(key.slice(LIST_HIDES.length) as Id);
    return true;
  }

  get #hidesSome(): boolean {
    return this.#hidesEverywhere || this.#hiding.size > 0;
  }

  #consider(id: Id): boolean {
    const row = this.#replica.row(id);
    const start = fieldOf(row, 'start');
    const isAsleep = this.#clock.isAhead(this.#snoozes.get(id));
    const isUnstarted = this.#clock.isAhead(start);
    if (row && (isAsleep || isUnstarted)) this.#waiting.add(id);
    else this.#waiting.delete(id);
    const reason = this.#reason(row, isAsleep, isUnstarted);
    if (reason !== (this.#concealed.get(id) ?? null)) this.#counted = null;
    if (reason === null) this.#concealed.delete(id);
    else this.#concealed.set(id, reason);
    return reason !== null;
  }

  #reason(row: Row | undefined, isAsleep: boolean, isUnstarted: boolean): keyof AwayCounts | null {
    if (!row || isDone(row) || isTrashed(row)) return null;
    if (isAsleep && !this.#showsSnoozed) return 'snoozed';
    if (!isUnstarted || !this.#hidesSome) return null;
    const list = this.#listOf(row.id);
    return list !== null && this.hidesUnstarted(list) ? 'unstarted' : null;
  }

  #listOf(id: Id): Id | null {
    for (const row of rowAndAbove(this.#replica.row(id), (at) => this.#replica.row(at)))
      if (row.type === 'list') return row.id;
    return null;
  }

  #isUnder(id: Id, root: Id): boolean {
    return isUnder(id, root, (at) => this.#replica.row(at));
  }
}
