// Every smart list, live: contents and counts follow each change of rows, names and time by checking only what may be
// affected; full checks run in portions. smart-outline.ts draws opened ones.
import type { PhraseContext } from '#core/dates/reader.ts';
import type { Id } from '#core/ids.ts';
import type { PersistentSort } from '#core/model.ts';
import { daysOf } from '#core/search/days.ts';
import type { Expression } from '#core/search/query.ts';
import type { Asking } from '#sync/query/asking.ts';
import { atLeisure, type IsOver } from '#sync/query/scan.ts';
import { zoneClock } from '#sync/query/slot-test.ts';
import { isDayCode } from '#sync/query/when-code.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { asleepId, lateId, missingBuiltIns } from '../search/built-in.ts';
import { affectedBy, namesIn } from './changed.ts';
import { LiveList } from './live-list.ts';

/** With more changed tasks than this at once, everything is checked again. */
const BULK = 2_000;

const DUE_ID = 'due' as Id;

/** Queries of no list: the numbers on the app's icon, of late tasks beside Today, and of what Today leaves out. */
const ALWAYS = [
  [DUE_ID, 'is:due'],
  [lateId, 'is:overdue'],
  [asleepId, 'is:due is:snoozed'],
] as const;

interface Kept {
  readonly list: LiveList;
  readonly text: string;
  readonly sort: PersistentSort | null | undefined;
  readonly names: ReadonlySet<string>;
  /** The current meaning of the days in the query, as text. */
  days: string;
}

/** Slots of lines that may have changed or moved; null: all of them. */
export type Touched = ReadonlySet<number> | null;

export class SmartLists {
  readonly #asking: Asking;
  readonly #kept = new Map<Id, Kept>();
  /** Lists whose lines may have changed since the last request, and which lines. */
  readonly #touched = new Map<Id, Set<number> | null>();
  /** Lists that are known but not read yet, because reading takes time too. */
  readonly #waiting = new Map<Id, Row>();
  #isBegun = false;
  /** The moment up to which the passing of time was processed. */
  #seenTo = Number.NEGATIVE_INFINITY;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Starts with all existing lists. */
  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#seenTo = this.#asking.world.context().now;
    for (const row of this.#asking.world.index.named.values())
      if (fieldOf(row, 'listType') === 'smart') this.#waiting.set(row.id, row);
    for (const row of missingBuiltIns(this.#asking.world.replica)) this.#waiting.set(row.id, row);
    for (const [id, text] of ALWAYS) {
      const list = new LiveList(this.#asking, text, null);
      const days = daysIn(list.asked.query.expression, this.#asking.world.context());
      this.#kept.set(id, { list, text, sort: null, names: new Set(), days });
    }
  }

  /** Open tasks due today or earlier; null until counted. */
  get dueCount(): number | null {
    const list = this.#kept.get(DUE_ID)?.list;
    return list === undefined || list.isStale ? null : list.count;
  }

  /** Some list is out of date; `renew` updates it. */
  get needsWork(): boolean {
    if (this.#waiting.size > 0) return true;
    for (const { list } of this.#kept.values()) if (list.needsWork) return true;
    return false;
  }

  /** Updates lists as far as the time allows, `first` before the others. True when all are done. */
  renew(isOver: IsOver = atLeisure, first: Id | null = null): boolean {
    if (first !== null) this.#take(first);
    for (const id of this.#waiting.keys()) {
      this.#take(id);
      if (isOver()) return false;
    }
    const kept = first === null ? undefined : this.#kept.get(first);
    if (first !== null && kept?.list.needsWork === true && !this.#renewOne(first, kept, isOver)) return false;
    for (const [id, one] of this.#kept) {
      if (!one.list.needsWork) continue;
      if (!this.#renewOne(id, one, isOver)) return false;
      if (isOver()) return !this.needsWork;
    }
    return true;
  }

  /** Reads a list that was only known. */
  #take(id: Id): void {
    const row = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (row) this.#keep(row);
  }

  #renewOne(id: Id, { list }: Kept, isOver: IsOver): boolean {
    if (!list.renew(isOver)) return false;
    this.#touched.set(id, null);
    return true;
  }

  /** Last known number of open tasks; null until counted for the first time. */
  countOf(id: Id): number | null {
    const kept = this.#kept.get(id);
    if (kept) return kept.list.count;
    return this.#isBegun && !this.#waiting.has(id) ? 0 : null;
  }

  /** As far as it is known; `needsWork` tells whether that is all. */
  list(id: Id): LiveList | null {
    this.begin();
    this.#take(id);
    return this.#kept.get(id)?.list ?? null;
  }

  /** The lines of a list that may have changed since the last call; undefined: none. */
  takeTouched(id: Id): Touched | undefined {
    const touched = this.#touched.get(id);
    this.#touched.delete(id);
    return touched;
  }

  apply(changes: readonly RowChange[]): void {
    this.#asking.apply(changes);
    if (!this.#isBegun) return;
    for (const { id, after, before } of changes) {
      if ((after ?? before)?.type !== 'list') continue;
      this.#waiting.delete(id);
      if (after) this.#keep(after);
      else this.#kept.delete(id);
    }
    if (this.#kept.size === 0) return;
    const affected = changes.length > BULK ? null : affectedBy(this.#asking.world, changes);
    if (affected === null || affected.tasks.size > BULK) {
      for (const { list } of this.#kept.values()) {
        list.askAgain();
        list.spoil();
      }
      return;
    }
    const { tasks, names } = affected;
    const slots = this.#slotsOf(tasks);
    for (const [id, kept] of this.#kept) {
      if (names.size > 0 && speaksOf(kept, names)) {
        kept.list.askAgain();
        kept.list.spoil();
      }
      this.#look(id, kept, slots);
    }
  }

  #slotsOf(tasks: Iterable<Id>): readonly number[] {
    const slots: number[] = [];
    for (const id of tasks) {
      const slot = this.#asking.world.index.slotOf(id);
      if (slot !== undefined) slots.push(slot);
    }
    return slots;
  }

  /** Time has passed: words for days may mean other days, and moments have come. */
  tick(): void {
    const context = this.#asking.world.context();
    const since = this.#seenTo;
    this.#seenTo = context.now;
    let passed: readonly number[] | null = null;
    for (const [id, kept] of this.#kept) {
      const { list } = kept;
      if (!list.asked.dependsOnTime) continue;
      list.askAgain();
      const days = daysIn(list.asked.query.expression, context);
      // Another day, or a clock that was set back.
      if (days !== kept.days || context.now < since) list.spoil();
      kept.days = days;
      passed ??= this.#passed(since, context);
      this.#look(id, kept, passed);
    }
  }

  #look(id: Id, { list }: Kept, slots: readonly number[]): void {
    const touched = list.look(slots);
    if (touched.length === 0) return;
    const known = this.#touched.get(id);
    if (known === null) return;
    const all = known ?? new Set();
    for (const slot of touched) all.add(slot);
    this.#touched.set(id, all);
  }

  #keep(row: Row): void {
    if (fieldOf(row, 'listType') !== 'smart') return;
    if (isTrashed(row)) {
      this.#kept.delete(row.id);
      return;
    }
    const text = fieldOf(row, 'query') ?? '';
    const sort = fieldOf(row, 'sort');
    const known = this.#kept.get(row.id);
    if (known && known.text === text && known.sort === sort) return;
    const list = new LiveList(this.#asking, text, sort ?? null);
    const { expression } = list.asked.query;
    const days = daysIn(expression, this.#asking.world.context());
    this.#kept.set(row.id, { list, text, sort, names: new Set(namesIn(expression)), days });
  }

  /** Tasks with a moment that has come since then. */
  #passed(since: number, { now, zone }: PhraseContext): readonly number[] {
    const { index } = this.#asking.world;
    const clock = zoneClock(zone);
    const found: number[] = [];
    const hasCome = (code: number) => {
      if (Number.isNaN(code) || isDayCode(code)) return false;
      const at = clock.momentOfCode(code);
      return at > since && at <= now;
    };
    for (let slot = 0; slot < index.size; slot += 1) {
      if (hasCome(index.due.at(slot)) || hasCome(index.start.at(slot)) || hasCome(index.snooze.at(slot)))
        found.push(slot);
    }
    return found;
  }
}

function speaksOf({ names }: Kept, changed: ReadonlySet<string>): boolean {
  for (const name of names) if (changed.has(name)) return true;
  return false;
}

/** The current meaning of the days in a query; "today" is always included. */
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
