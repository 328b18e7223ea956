// Every smart list, live: their contents and counts follow each change of rows, of names and of time, by looking again only
// at what may have changed. Opened ones are drawn by smart-outline.ts.
import type { PhraseContext } from '#core/dates/reader.ts';
import type { Id } from '#core/ids.ts';
import type { PersistentSort } from '#core/model.ts';
import { daysOf } from '#core/search/days.ts';
import type { Expression } from '#core/search/query.ts';
import { isDayWhen, type When } from '#core/when.ts';
import type { RowChange } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';
import { isTrashed } from '../children.ts';
import { bits } from '#sync/query/task-index.ts';
import type { Asking } from '#sync/query/asking.ts';
import { affectedBy, namesIn } from './changed.ts';
import { LiveList } from './live-list.ts';

/** More changes than this at once, and everything is looked at again. */
const BULK = 2_000;

interface Kept {
  readonly list: LiveList;
  readonly text: string;
  readonly sort: PersistentSort | null | undefined;
  readonly names: ReadonlySet<string>;
  /** What the days in the query are, as text. */
  days: string;
}

export class SmartLists {
  readonly #asking: Asking;
  readonly #kept = new Map<Id, Kept>();
  /** Lists whose lines may differ since asked last. */
  readonly #touched = new Set<Id>();
  #isBegun = false;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** All that there are are known from here on. */
  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    for (const row of this.#asking.world.index.named.values()) this.#keep(row);
  }

  get hasStale(): boolean {
    for (const { list } of this.#kept.values()) if (list.isStale) return true;
    return false;
  }

  /** Looks through one list that needs it. */
  renewOne(): void {
    for (const [id, { list }] of this.#kept) {
      if (!list.isStale) continue;
      list.renew();
      this.#touched.add(id);
      return;
    }
  }

  /** Open tasks in it, as last known. */
  countOf(id: Id): number {
    return this.#kept.get(id)?.list.count ?? 0;
  }

  /** Up to date. */
  list(id: Id): LiveList | null {
    this.begin();
    const kept = this.#kept.get(id);
    if (kept?.list.isStale === true) kept.list.renew();
    return kept?.list ?? null;
  }

  /** Whether the lines of a list may differ from when this was asked last. */
  takeTouched(id: Id): boolean {
    return this.#touched.delete(id);
  }

  apply(changes: readonly RowChange[]): void {
    this.#asking.apply(changes);
    if (!this.#isBegun) return;
    for (const { id, after, before } of changes) {
      if ((after ?? before)?.type !== 'list') continue;
      if (after) this.#keep(after);
      else this.#kept.delete(id);
    }
    if (this.#kept.size === 0) return;
    if (changes.length > BULK) {
      for (const { list } of this.#kept.values()) {
        list.askAgain();
        list.isStale = true;
      }
      return;
    }
    const { tasks, names } = affectedBy(this.#asking.world, changes);
    for (const [id, kept] of this.#kept) {
      if (names.size > 0 && [...kept.names].some((name) => names.has(name))) {
        kept.list.askAgain();
        kept.list.isStale = true;
      }
      this.#look(id, kept, tasks);
    }
  }

  /** Time has passed: days may mean others, and moments have come. */
  tick(): void {
    const context = this.#asking.world.context();
    let timed: ReadonlySet<Id> | null = null;
    for (const [id, kept] of this.#kept) {
      const { list } = kept;
      if (!list.asked.question.dependsOnTime) continue;
      list.askAgain();
      const days = daysIn(list.asked.query.expression, context);
      if (days !== kept.days) list.isStale = true;
      kept.days = days;
      timed ??= this.#timed();
      this.#look(id, kept, timed);
    }
  }

  #look(id: Id, { list }: Kept, tasks: ReadonlySet<Id>): void {
    if (list.isStale) return;
    let isTouched = false;
    for (const task of tasks) if (list.look(task)) isTouched = true;
    if (isTouched) this.#touched.add(id);
  }

  #keep(row: Row): void {
    if (row.fields.listType !== 'smart') return;
    if (isTrashed(row)) {
      this.#kept.delete(row.id);
      return;
    }
    const text = (row.fields.query as string | undefined) ?? '';
    const sort = row.fields.sort as PersistentSort | null | undefined;
    const known = this.#kept.get(row.id);
    if (known && known.text === text && known.sort === sort) return;
    const list = new LiveList(this.#asking, text, sort ?? null);
    const { expression } = list.asked.query;
    const days = daysIn(expression, this.#asking.world.context());
    this.#kept.set(row.id, { list, text, sort, names: new Set(namesIn(expression)), days });
  }

  /** Tasks that a minute can change. */
  #timed(): ReadonlySet<Id> {
    const { index } = this.#asking.world;
    const found = new Set<Id>();
    const isMoment = (when: unknown) => when !== undefined && when !== null && !isDayWhen(when as When);
    for (let slot = 0; slot < index.size; slot += 1) {
      if ((index.bitsAt(slot) & (bits.due | bits.start | bits.snooze)) === 0) continue;
      const row = index.rowAt(slot);
      if (!row) continue;
      const { due, start } = row.fields;
      if (isMoment(due) || isMoment(start) || isMoment(index.mineOf(row.id)?.fields.snooze))
        found.add(row.id);
    }
    return found;
  }
}

/** What the days said in a query are now; "today" is always among them. */
function daysIn(expression: Expression, context: PhraseContext): string {
  const words = new Set(['today']);
  const visit = (part: Expression): void => {
    if (part.type === 'and' || part.type === 'or') part.parts.forEach(visit);
    else if (part.type === 'not') visit(part.part);
    else if (part.type === 'term' && part.term.type === 'date') {
      const { test } = part.term;
      if (test.type === 'compare') words.add(test.words);
      if (test.type === 'range') for (const side of [test.from, test.to]) if (side !== null) words.add(side);
    }
  };
  visit(expression);
  const moments = (['future', 'past'] as const).map((prefers) => ({ ...context, prefers }));
  return JSON.stringify([...words].map((said) => moments.map((moment) => daysOf(said, moment))));
}
