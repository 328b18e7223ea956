// Compiles a query into a test of tasks that also says which term decided. Names and days are resolved once; compile
// again when lists, labels or the day change.
import type { PhraseContext } from '../dates/reader.ts';
import type { Id } from '../ids.ts';
import type { ScalarFields } from '../model.ts';
import { eachScalar, rankOf, scalarField } from '../task-fields.ts';
import { isDayWhen, momentOf, type When } from '../when.ts';
import { daysOf, type Days } from './days.ts';
import { fold } from './fold.ts';
import {
  compares,
  type DateField,
  type DateTest,
  type Expression,
  type Possession,
  type Query,
  type Term,
  type Trait,
} from './query.ts';

/** A task as a query sees it. */
export interface Subject {
  readonly id: Id;
  /** Folded (fold.ts). */
  readonly title: string;
  readonly notes: string;
  /** Milliseconds, or null while it is open. */
  readonly completedAt: number | null;
  readonly isCleared: boolean;
  readonly due: When | null;
  readonly start: When | null;
  readonly snooze: When | null;
  /** Starts of its undone time blocks, the earliest first. */
  readonly blocks: readonly When[];
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Its registers, of which the scalar ones are read. */
  readonly scalars: ScalarFields;
  readonly isRepeating: boolean;
  readonly isBookmarked: boolean;
  readonly isShared: boolean;
  readonly isEmailed: boolean;
  /** In an archived list. */
  readonly isArchived: boolean;
  readonly isNested: boolean;
  readonly hasChildren: boolean;
  readonly hasAttachment: boolean;
  readonly hasComment: boolean;
  /** Account number; null: nobody. */
  readonly assignee: number | null;
  readonly labels: readonly Id[];
  readonly metadata: ReadonlyMap<string, string>;
  /** Whether one of these lists, folders or tasks is above it. */
  isUnder(ids: ReadonlySet<Id>): boolean;
}

/** Resolves the names in a query. Implemented over the replica (sync/query/names.ts). */
export interface Names {
  /** Lists, folders and tasks of this name, path or id; empty when there is none. */
  places(kind: 'in' | 'list' | 'folder', name: string): ReadonlySet<Id>;
  labels(name: string): ReadonlySet<Id>;
  /** Labels of the groups of this name. */
  groupLabels(name: string): ReadonlySet<Id>;
  /** Account numbers of the people whose names begin like this, or of oneself for `me`. */
  people(name: string): ReadonlySet<number>;
}

/** The input of a query besides its text: the names, and the person's time and habits. */
export interface Moment {
  readonly names: Names;
  readonly context: PhraseContext;
}

/** A compiled query. Holds for the moment it was compiled for. */
export interface Question {
  matches(subject: Subject): boolean;
  /** The terms that decided, with their positions in the query: why the task matches, or why not. */
  reasons(subject: Subject): readonly Reason[];
  /** Names in the query that do not exist. */
  readonly unknown: readonly { readonly term: Term; readonly start: number; readonly end: number }[];
  /** Whether the answer may change with time alone. */
  readonly dependsOnTime: boolean;
}

/** A term that decided about a task, with its offsets in the query. */
export interface Reason {
  readonly term: Term;
  readonly start: number;
  readonly end: number;
  /** Whether the task has what the term asks for. */
  readonly holds: boolean;
}

type Test = (subject: Subject) => boolean;

interface Compiled {
  readonly test: Test;
  readonly reasons: (subject: Subject) => readonly Reason[];
}

/** Compiles a query to test one task after another. Its words for days are resolved once, from `moment`. */
export function compileQuery(query: Query, moment: Moment): Question {
  const unknown: { term: Term; start: number; end: number }[] = [];
  let dependsOnTime = false;

  function leaf(term: Term, span: { start: number; end: number }): Compiled {
    if (term.type === 'date' || (term.type === 'is' && TIMED.has(term.trait))) dependsOnTime = true;
    const { test, isUnknown } = testOf(term, moment);
    const place = { term, start: span.start, end: span.end };
    if (isUnknown) unknown.push(place);
    return { test, reasons: (subject) => [{ ...place, holds: test(subject) }] };
  }

  function compile(expression: Expression): Compiled {
    switch (expression.type) {
      case 'all':
        return { test: () => true, reasons: () => [] };
      case 'none':
        return { test: () => false, reasons: () => [] };
      case 'term':
        return leaf(expression.term, expression.span);
      case 'not': {
        const inner = compile(expression.part);
        return { test: (subject) => !inner.test(subject), reasons: inner.reasons };
      }
      case 'and': {
        const parts = expression.parts.map(compile);
        return { test: every(parts), reasons: (subject) => decisive(parts, subject, false) };
      }
      case 'or': {
        const parts = expression.parts.map(compile);
        return { test: some(parts), reasons: (subject) => decisive(parts, subject, true) };
      }
    }
  }

  const compiled = compile(query.expression);
  return { matches: compiled.test, reasons: compiled.reasons, unknown, dependsOnTime };
}

function every(parts: readonly Compiled[]): Test {
  return (subject) => {
    for (const part of parts) if (!part.test(subject)) return false;
    return true;
  };
}

function some(parts: readonly Compiled[]): Test {
  return (subject) => {
    for (const part of parts) if (part.test(subject)) return true;
    return false;
  };
}

/** The reasons of the parts that gave `answer`; if there are none, all parts decided. */
function decisive(parts: readonly Compiled[], subject: Subject, answer: boolean): readonly Reason[] {
  const deciding = parts.filter((part) => part.test(subject) === answer);
  return (deciding.length > 0 ? deciding : parts).flatMap((part) => part.reasons(subject));
}

const TIMED: ReadonlySet<Trait> = new Set(['overdue', 'due', 'started', 'future', 'snoozed']);
const LINK = /https?:\/\/\S/;

function testOf(term: Term, moment: Moment): { readonly test: Test; readonly isUnknown?: boolean } {
  switch (term.type) {
    case 'text':
      return { test: textTest(term.field, fold(term.text)) };
    case 'place': {
      const ids = moment.names.places(term.kind, term.name);
      return { test: (subject) => subject.isUnder(ids), isUnknown: ids.size === 0 };
    }
    case 'label':
    case 'group': {
      const { names } = moment;
      const ids = term.type === 'label' ? names.labels(term.name) : names.groupLabels(term.name);
      return { test: (subject) => subject.labels.some((label) => ids.has(label)), isUnknown: ids.size === 0 };
    }
    case 'person': {
      const people = moment.names.people(term.name);
      const test: Test = ({ assignee }) => assignee !== null && people.has(assignee);
      return { test, isUnknown: people.size === 0 };
    }
    case 'is':
      return { test: traitTest(term.trait, moment.context) };
    case 'has':
      return { test: HAS[term.what] };
    case 'date':
      return { test: dateTest(term.field, term.test, moment.context) };
    case 'scalar': {
      const { field, comparison, value } = term;
      const rank = scalarField(field).rank(value);
      return { test: (subject) => compares(rankOf(subject.scalars, field), comparison, rank) };
    }
    case 'meta':
      return {
        test: ({ metadata }) =>
          term.value === null ? metadata.has(term.key) : metadata.get(term.key) === term.value,
      };
  }
}

function textTest(field: 'any' | 'title' | 'notes', text: string): Test {
  if (field === 'title') return ({ title }) => title.includes(text);
  if (field === 'notes') return ({ notes }) => notes.includes(text);
  return ({ title, notes }) => title.includes(text) || notes.includes(text);
}

const HAS: Readonly<Record<Possession, Test>> = {
  due: ({ due }) => due !== null,
  start: ({ start }) => start !== null,
  snooze: ({ snooze }) => snooze !== null,
  notes: ({ notes }) => notes !== '',
  label: ({ labels }) => labels.length > 0,
  ...eachScalar(
    (name) =>
      ({ scalars }: Subject) =>
        (scalars[name] ?? null) !== null,
  ),
  block: ({ blocks }) => blocks.length > 0,
  attachment: ({ hasAttachment }) => hasAttachment,
  assignee: ({ assignee }) => assignee !== null,
  comment: ({ hasComment }) => hasComment,
  link: ({ title, notes }) => LINK.test(title) || LINK.test(notes),
  children: ({ hasChildren }) => hasChildren,
  metadata: ({ metadata }) => metadata.size > 0,
};

function traitTest(trait: Trait, context: PhraseContext): Test {
  const today = daysOf('today', context);
  const line = {
    now: context.now,
    zone: context.zone,
    today: today?.first ?? '',
    endOfToday: today?.to ?? 0,
  };
  switch (trait) {
    case 'complete':
      return ({ completedAt }) => completedAt !== null;
    case 'incomplete':
      return ({ completedAt }) => completedAt === null;
    case 'cleared':
      return ({ isCleared }) => isCleared;
    case 'uncleared':
      return ({ completedAt, isCleared }) => completedAt !== null && !isCleared;
    case 'overdue':
      return ({ due, completedAt }) => due !== null && completedAt === null && isPast(due, line);
    case 'due':
      return ({ due, completedAt }) => due !== null && completedAt === null && !isAfterToday(due, line);
    case 'started':
      return ({ start }) => start === null || !isAhead(start, line);
    case 'future':
      return ({ start }) => start !== null && isAhead(start, line);
    case 'snoozed':
      return ({ snooze }) => snooze !== null && isAhead(snooze, line);
    case 'repeating':
      return ({ isRepeating }) => isRepeating;
    case 'bookmarked':
      return ({ isBookmarked }) => isBookmarked;
    case 'shared':
      return ({ isShared }) => isShared;
    case 'nested':
      return ({ isNested }) => isNested;
    case 'parent':
      return ({ hasChildren }) => hasChildren;
    case 'leaf':
      return ({ hasChildren }) => !hasChildren;
    case 'emailed':
      return ({ isEmailed }) => isEmailed;
    case 'archived':
      return ({ isArchived }) => isArchived;
  }
}

interface Line {
  readonly now: number;
  readonly zone: string;
  /** ISO day. */
  readonly today: string;
  readonly endOfToday: number;
}

/** A day is past when it is over, a moment when it has come. */
function isPast(when: When, { now, zone, today }: Line): boolean {
  return isDayWhen(when) ? when.on < today : momentOf(when, zone) <= now;
}

function isAfterToday(when: When, { zone, today, endOfToday }: Line): boolean {
  return isDayWhen(when) ? when.on > today : momentOf(when, zone) > endOfToday;
}

function isAhead(when: When, { now, zone, today }: Line): boolean {
  return isDayWhen(when) ? when.on > today : momentOf(when, zone) > now;
}

/** Days as days, moments as moments: a task due "on Friday" is not due before Friday noon. */
function dateTest(field: DateField, test: DateTest, context: PhraseContext): Test {
  if (field === 'block') {
    if (test.type === 'none') return ({ blocks }) => blocks.length === 0;
    if (test.type === 'any') return ({ blocks }) => blocks.length > 0;
    const lies = valueTest(field, test, context);
    return ({ blocks }) => blocks.some(lies);
  }
  const value = VALUES[field];
  if (test.type === 'none') return (subject) => value(subject) === null;
  if (test.type === 'any') return (subject) => value(subject) !== null;
  const lies = valueTest(field, test, context);
  return (subject) => {
    const at = value(subject);
    return at !== null && lies(at);
  };
}

/** Whether one date lies where it is asked for. */
function valueTest(
  field: DateField,
  test: Extract<DateTest, { readonly type: 'range' | 'compare' }>,
  context: PhraseContext,
): (at: When | number) => boolean {
  const isPastField = field === 'completed' || field === 'created' || field === 'updated';
  const said: PhraseContext = { ...context, current: null, prefers: isPastField ? 'past' : 'future' };
  if (test.type === 'range') {
    const from = test.from === null ? null : daysOf(test.from, said);
    const to = test.to === null ? null : daysOf(test.to, said);
    // Words that stand for no day in this year ("fri 27 nov") match nothing.
    if ((test.from !== null && from === null) || (test.to !== null && to === null)) return () => false;
    return (at) =>
      (from === null || !isBefore(at, from, said.zone)) && (to === null || !isAfter(at, to, said.zone));
  }
  const days = daysOf(test.words, said);
  if (days === null) return () => false;
  const { comparison } = test;
  return (at) => {
    const before = isBefore(at, days, said.zone);
    const after = isAfter(at, days, said.zone);
    switch (comparison) {
      case '=':
        return !before && !after;
      case '<':
        return before;
      case '<=':
        return !after;
      case '>':
        return after;
      case '>=':
        return !before;
    }
  };
}

const VALUES: Readonly<Record<Exclude<DateField, 'block'>, (subject: Subject) => When | number | null>> = {
  due: ({ due }) => due,
  start: ({ start }) => start,
  snoozed: ({ snooze }) => snooze,
  completed: ({ completedAt }) => completedAt,
  created: ({ createdAt }) => createdAt,
  updated: ({ updatedAt }) => updatedAt,
};

function isBefore(value: When | number, { first, from }: Days, zone: string): boolean {
  if (typeof value === 'number') return value < from;
  return isDayWhen(value) ? value.on < first : momentOf(value, zone) < from;
}

function isAfter(value: When | number, { last, to }: Days, zone: string): boolean {
  if (typeof value === 'number') return value > to;
  return isDayWhen(value) ? value.on > last : momentOf(value, zone) > to;
}
