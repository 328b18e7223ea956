// Runs a query over all tasks: resolves it for this moment, tests each slot, and sorts the matches. All at once here; a
// running app does the same in portions (scan.ts, slot-order.ts).
import type { Id } from '#core/ids.ts';
import { compileQuery, type Question, type Reason } from '#core/search/evaluate.ts';
import { fold } from '#core/search/fold.ts';
import { parseQuery } from '#core/search/parse.ts';
import type { Expression, Query, Term } from '#core/search/query.ts';
import type { RowChange } from '../replica/replica-types.ts';
import { placeOf } from '../rows/row-reading.ts';
import { ReplicaNames } from './names.ts';
import { narrowingOf } from './narrowing.ts';
import { orderOf } from './order.ts';
import { atLeisure, Scan } from './scan.ts';
import { FirstSlots, SlotSort } from './slot-order.ts';
import { type SlotTest, slotTestOf, TimeLine } from './slot-test.ts';
import { Subjects } from './subjects.ts';
import { bits } from './task-index.ts';
import type { World } from './world.ts';
import { fieldOf } from '../rows/row.ts';

/** A query resolved for one moment, ready to test tasks. Ask again when names, the day or the snoozed tasks change. */
export interface Asked {
  readonly text: string;
  readonly query: Query;
  readonly question: Question;
  /** The query asks about completion, so cleared tasks count as well. */
  readonly withCleared: boolean;
  /** Snoozed tasks are left out until they wake. */
  readonly withoutSnoozed: boolean;
  /** Whether the answer may change with time alone. */
  readonly dependsOnTime: boolean;
  /** Whether the task of a slot matches now. */
  readonly matches: SlotTest;
}

export interface AskOptions {
  /** Leaves out snoozed tasks, unless the query asks for them. */
  readonly awakeOnly?: boolean;
}

/** A larger limit sorts everything instead of picking the first ones. */
const FEW = 2_000;

/** Answers queries over the rows of a query context. Keep it up to date with `apply`, after the index. */
export class Asking {
  readonly world: World;
  readonly subjects: Subjects;
  readonly names: ReplicaNames;

  constructor(world: World) {
    this.world = world;
    this.subjects = new Subjects(world);
    this.names = new ReplicaNames(world);
  }

  /** Takes in changes of rows that the index has already taken in. */
  apply(changes: readonly RowChange[]): void {
    if (changes.some(moves)) this.subjects.forget();
    this.names.apply(changes);
  }

  /** Resolves a query for this moment, with the names and days of now. */
  ask(text: string, options: AskOptions = {}): Asked {
    return this.askQuery(text, parseQuery(text), options);
  }

  /** As `ask`, for a query that is already parsed. */
  askQuery(text: string, query: Query, { awakeOnly = false }: AskOptions = {}): Asked {
    this.world.index.readSome(Number.MAX_SAFE_INTEGER);
    const moment = { names: this.names, context: this.world.context() };
    const withCleared = someTerm(query.expression, asksAboutCompletion);
    const withoutSnoozed = awakeOnly && !someTerm(query.expression, asksAboutSnoozing);
    const question = compileQuery(query, moment);
    return {
      text,
      query,
      question,
      withCleared,
      withoutSnoozed,
      dependsOnTime: question.dependsOnTime || withoutSnoozed,
      matches: this.#testOf(query.expression, { withCleared, withoutSnoozed }, moment),
    };
  }

  #testOf(
    expression: Expression,
    { withCleared, withoutSnoozed }: Pick<Asked, 'withCleared' | 'withoutSnoozed'>,
    moment: { readonly names: ReplicaNames; readonly context: ReturnType<World['context']> },
  ): SlotTest {
    const { index, facts } = this.world;
    const narrowing = narrowingOf(expression);
    const set = narrowing.set | (withCleared ? bits.here : bits.shown);
    const mask = set | narrowing.clear;
    const test = slotTestOf(expression, { index, subjects: this.subjects, moment });
    const line = new TimeLine(moment);
    return (slot) => {
      const has = index.bitsAt(slot);
      if ((has & mask) !== set || !test(slot)) return false;
      if (withoutSnoozed && (has & bits.snooze) !== 0 && this.#isAsleep(slot, line)) return false;
      return !facts.isHidden(index.taskAt(slot));
    };
  }

  #isAsleep(slot: number, line: TimeLine): boolean {
    return !this.world.showsSnoozed() && line.isAhead(this.world.index.snooze.at(slot));
  }

  /** Whether a task is left out because it is snoozed. */
  isAway(asked: Asked, id: Id): boolean {
    const slot = this.world.index.slotOf(id);
    const line = new TimeLine({ context: this.world.context() });
    return slot !== undefined && asked.withoutSnoozed && this.#isAsleep(slot, line);
  }

  /** Matches in the requested order; without one, open tasks before completed ones. */
  find({ matches, query: { directives } }: Asked): Id[] {
    const { index } = this.world;
    const scan = new Scan(index, matches);
    scan.run(atLeisure);
    const slots = directives.sort === null ? this.#openFirst(scan) : this.#sorted(scan, directives);
    const limit = Math.min(directives.limit ?? slots.length, slots.length);
    const ids: Id[] = [];
    for (let at = 0; at < limit; at += 1) ids.push(index.idAt(slots[at] as number) as Id);
    return ids;
  }

  #openFirst({ found }: Scan): ArrayLike<number> {
    const { index } = this.world;
    const open: number[] = [];
    const done: number[] = [];
    for (const slot of found.view) ((index.bitsAt(slot) & bits.done) === 0 ? open : done).push(slot);
    return open.concat(done);
  }

  #sorted({ found }: Scan, { sort, limit }: Query['directives']): Int32Array {
    const order = orderOf(this.world, sort);
    const slots = found.view;
    for (const slot of slots) order.learn(slot);
    if (limit !== null && limit < FEW) {
      const first = new FirstSlots(order, limit);
      for (const slot of slots) first.offer(slot);
      return first.sorted();
    }
    const all = new SlotSort(order, slots, true);
    all.run(atLeisure);
    return all.slots;
  }

  /** The terms that decide about a task; null when there is no such task. */
  reasons(asked: Asked, id: Id): { readonly isIn: boolean; readonly reasons: readonly Reason[] } | null {
    const slot = this.world.index.slotOf(id);
    const subject = slot === undefined ? null : this.subjects.at(slot);
    if (!subject) return null;
    return { isIn: asked.question.matches(subject), reasons: asked.question.reasons(subject) };
  }
}

/** Whether any term of the query satisfies the test. */
function someTerm(expression: Expression, holds: (term: Term) => boolean): boolean {
  switch (expression.type) {
    case 'all':
    case 'none':
      return false;
    case 'and':
    case 'or':
      return expression.parts.some((part) => someTerm(part, holds));
    case 'not':
      return someTerm(expression.part, holds);
    case 'term':
      return holds(expression.term);
  }
}

function asksAboutCompletion(term: Term): boolean {
  if (term.type === 'date') return term.field === 'completed';
  return term.type === 'is' && (term.trait === 'complete' || term.trait === 'cleared');
}

function asksAboutSnoozing(term: Term): boolean {
  if (term.type === 'date') return term.field === 'snoozed';
  if (term.type === 'has') return term.what === 'snooze';
  return term.type === 'is' && term.trait === 'snoozed';
}

/** Words of the query that a result highlights in titles. */
export function wordsShown(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'and':
    case 'or':
      return expression.parts.flatMap(wordsShown);
    case 'term':
      return expression.term.type === 'text' && expression.term.field !== 'notes'
        ? [fold(expression.term.text)]
        : [];
    default:
      return [];
  }
}

/** Whether every match of one query also matched the last one, so that searching its matches is enough. */
export function narrows(next: Asked, last: Asked): boolean {
  if (next.withCleared && !last.withCleared) return false;
  const parts = partsOf(next.query.expression);
  return partsOf(last.query.expression).every((wide) => parts.some((part) => implies(part, wide)));
}

function partsOf(expression: Expression): readonly Expression[] {
  if (expression.type === 'all') return [];
  return expression.type === 'and' ? expression.parts : [expression];
}

function implies(part: Expression, wide: Expression): boolean {
  if (part.type === 'term' && wide.type === 'term') {
    const [a, b] = [part.term, wide.term];
    if (a.type === 'text' && b.type === 'text' && (b.field === 'any' || a.field === b.field))
      return fold(a.text).includes(fold(b.text));
  }
  return said(part) === said(wide);
}

/** A query expression as text, without the positions in the query. */
function said(expression: Expression): string {
  return JSON.stringify(expression, (key, value: unknown) => (key === 'span' ? undefined : value));
}

function moves({ before, after }: RowChange): boolean {
  if (before === undefined || after === undefined) return before?.type !== 'task' || after?.type === 'task';
  return (
    placeOf(before)?.parent !== placeOf(after)?.parent ||
    fieldOf(before, 'archivedAt') !== fieldOf(after, 'archivedAt')
  );
}
