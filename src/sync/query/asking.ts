// Asks a query of all tasks: the words in it narrow by the text index, the rest is tested task by task.
import type { Id } from '#core/ids.ts';
import { compileQuery, type Question, type Reason } from '#core/search/evaluate.ts';
import { fold } from '#core/search/fold.ts';
import { parseQuery } from '#core/search/parse.ts';
import type { Expression, Query, Term } from '#core/search/query.ts';
import type { RowChange } from '../replica-types.ts';
import { placeOf } from '../row-reading.ts';
import { bits } from './task-index.ts';
import { ReplicaNames } from './names.ts';
import { type Narrowing, narrowingOf } from './narrowing.ts';
import { sorterOf } from './order.ts';
import { Subjects } from './subjects.ts';
import type { World } from './world.ts';

export interface Asked {
  readonly text: string;
  readonly query: Query;
  readonly question: Question;
  /** Folded words that every match contains. */
  readonly words: readonly string[];
  /** It asks about completion, so that what was cleared away counts as well. */
  readonly withCleared: boolean;
  readonly narrowing: Narrowing;
}

export class Asking {
  readonly world: World;
  readonly subjects: Subjects;
  readonly names: ReplicaNames;

  constructor(world: World) {
    this.world = world;
    this.subjects = new Subjects(world);
    this.names = new ReplicaNames(world);
  }

  /** Takes over changes of rows; the index and the children have. */
  apply(changes: readonly RowChange[]): void {
    if (changes.some(moves)) this.subjects.forget();
  }

  /** Reads a query for this moment: names and days are those of now. */
  ask(text: string): Asked {
    const query = parseQuery(text);
    this.world.index.readSome(Number.MAX_SAFE_INTEGER);
    const moment = { names: this.names, context: this.world.context() };
    const withCleared = someTerm(query.expression, asksAboutCompletion);
    const { set, clear } = narrowingOf(query.expression);
    return {
      text,
      query,
      question: compileQuery(query, moment),
      words: wordsIn(query.expression),
      withCleared,
      narrowing: { set: set | (withCleared ? bits.here : bits.shown), clear },
    };
  }

  /** Whether a task is among what the query asks for, now. */
  matches(asked: Asked, slot: number): boolean {
    const { index, facts } = this.world;
    const has = index.bitsAt(slot);
    const { set, clear } = asked.narrowing;
    if ((has & set) !== set || (has & clear) !== 0) return false;
    const subject = this.subjects.at(slot);
    return subject !== null && asked.question.matches(subject) && !facts.isHidden(subject.id);
  }

  /** Slots of everything that matches, in no order that matters. */
  slots(asked: Asked): number[] {
    const { index } = this.world;
    const found: number[] = [];
    if (asked.words.length > 0) {
      for (const slot of index.slotsWith(asked.words)) if (this.matches(asked, slot)) found.push(slot);
      return found;
    }
    for (let slot = 0; slot < index.size; slot += 1) if (this.matches(asked, slot)) found.push(slot);
    return found;
  }

  /** Matches in the order asked for; without one, open tasks before completed ones. */
  find(asked: Asked): Id[] {
    const { index } = this.world;
    const { sort, limit } = asked.query.directives;
    const slots = this.slots(asked);
    const ids: Id[] = [];
    const done: Id[] = [];
    for (const slot of slots) {
      const id = index.idAt(slot);
      if (id !== undefined) (sort === null && (index.bitsAt(slot) & bits.done) !== 0 ? done : ids).push(id);
    }
    for (const id of done) ids.push(id);
    if (sort !== null) return sorterOf(this.world, sort).sorted(ids, limit);
    return limit === null ? ids : ids.slice(0, limit);
  }

  /** The terms that decide about a task; null when there is no such task. */
  reasons(asked: Asked, id: Id): { readonly isIn: boolean; readonly reasons: readonly Reason[] } | null {
    const slot = this.world.index.slotOf(id);
    const subject = slot === undefined ? null : this.subjects.at(slot);
    if (!subject) return null;
    return { isIn: asked.question.matches(subject), reasons: asked.question.reasons(subject) };
  }
}

/** Words that must be there whatever else is. */
function wordsIn(expression: Expression): readonly string[] {
  if (expression.type === 'and') return expression.parts.flatMap(wordsIn);
  if (expression.type !== 'term' || expression.term.type !== 'text') return [];
  return [fold(expression.term.text)];
}

/** Whether some term of the query is such a one. */
export function someTerm(expression: Expression, holds: (term: Term) => boolean): boolean {
  switch (expression.type) {
    case 'all':
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

/** Words of titles that a result shows as found. */
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

function moves({ before, after }: RowChange): boolean {
  if (before === undefined || after === undefined) return before?.type !== 'task' || after?.type === 'task';
  return (
    placeOf(before)?.parent !== placeOf(after)?.parent || before.fields.archivedAt !== after.fields.archivedAt
  );
}
