// A query as one function of a slot: it reads the columns of the index instead of rows, so that a hundred thousand
// tasks are tested within a few milliseconds. Terms without a column are tested on the task itself
// (core/search/evaluate.ts), which defines the language; test/search compares both.
import { daysOf } from '#core/search/days.ts';
import { compileQuery, type Moment } from '#core/search/evaluate.ts';
import { scalarField } from '#core/task-fields.ts';
import { fold } from '#core/search/fold.ts';
import {
  type Comparison,
  compares,
  type DateField,
  type DateTest,
  type Expression,
  type Possession,
  type Query,
  type Term,
  type Trait,
} from '#core/search/query.ts';
import type { NumberColumn } from './columns.ts';
import { fieldOf } from '../rows/row.ts';
import type { Subjects } from './subjects.ts';
import { bits, scalarBits, type TaskIndex } from './task-index.ts';
import { codeOfDay, isDayCode, ZoneClock } from './when-code.ts';

/** Whether the task of a slot matches. Reads the index as it is at the call. */
export type SlotTest = (slot: number) => boolean;

export interface SlotSource {
  readonly index: TaskIndex;
  readonly subjects: Subjects;
  readonly moment: Moment;
}

export function slotTestOf(expression: Expression, source: SlotSource): SlotTest {
  switch (expression.type) {
    case 'all':
      return () => true;
    case 'none':
      return () => false;
    case 'not': {
      const test = slotTestOf(expression.part, source);
      return (slot) => !test(slot);
    }
    case 'and': {
      const tests = expression.parts.map((part) => slotTestOf(part, source));
      return (slot) => {
        for (const test of tests) if (!test(slot)) return false;
        return true;
      };
    }
    case 'or': {
      const tests = expression.parts.map((part) => slotTestOf(part, source));
      return (slot) => {
        for (const test of tests) if (test(slot)) return true;
        return false;
      };
    }
    case 'term': {
      const test = termTest(expression.term, source);
      if (test !== null) return test;
      const askedTest = asked(expression, source);
      return isOfBlocks(expression.term) ? onlyWithBlocks(askedTest, source.index) : askedTest;
    }
  }
}

/** A day of time blocks, which only a task with blocks can have. */
function isOfBlocks(term: Term): boolean {
  return term.type === 'date' && term.field === 'block' && term.test.type !== 'none';
}

function onlyWithBlocks(test: SlotTest, index: TaskIndex): SlotTest {
  return (slot) => (index.bitsAt(slot) & bits.block) !== 0 && test(slot);
}

/** Tests the task itself, for terms without a column. */
function asked(expression: Expression, { subjects, moment }: SlotSource): SlotTest {
  const directives = { sort: null, limit: null, nested: null, duplicates: null };
  const query: Query = { expression, directives, problems: [] };
  const question = compileQuery(query, moment);
  return (slot) => {
    const subject = subjects.at(slot);
    return subject !== null && question.matches(subject);
  };
}

/** Null: no column can tell. */
function termTest(term: Term, source: SlotSource): SlotTest | null {
  const { index, subjects, moment } = source;
  switch (term.type) {
    case 'text':
      return textTest(index, term.field, fold(term.text));
    case 'place': {
      const isUnder = subjects.under(moment.names.places(term.kind, term.name));
      return (slot) => isUnder(index.parentAt(slot));
    }
    case 'label':
    case 'group': {
      const { names } = moment;
      const ids = term.type === 'label' ? names.labels(term.name) : names.groupLabels(term.name);
      return (slot) => {
        if ((index.bitsAt(slot) & bits.label) === 0) return false;
        for (const label of index.labelsAt(slot)) if (ids.has(label)) return true;
        return index.hasOwnLabel(slot, ids);
      };
    }
    case 'person': {
      const people = moment.names.people(term.name);
      return (slot) => people.has(fieldOf(index.rowAt(slot), 'assignee') ?? 0);
    }
    case 'is':
      return traitTest(term.trait, source);
    case 'has':
      return possessionTest(term.what, index);
    case 'date':
      return dateTest(term.field, term.test, source);
    case 'scalar': {
      const { field, comparison, value } = term;
      const column = index.scalars[field];
      const rank = scalarField(field).rank(value);
      return (slot) => compares(column.at(slot), comparison, rank);
    }
    case 'meta':
      return null;
  }
}

function textTest(index: TaskIndex, field: 'any' | 'title' | 'notes', text: string): SlotTest | null {
  // Title and notes form one text with a line break between them.
  if (text.includes('\n')) return null;
  if (field === 'any') return (slot) => index.textAt(slot).includes(text);
  if (field === 'title')
    return (slot) => {
      const whole = index.textAt(slot);
      const at = whole.indexOf(text);
      if (at < 0 || (index.bitsAt(slot) & bits.notes) === 0) return at >= 0;
      return at + text.length <= whole.indexOf('\n');
    };
  return (slot) => {
    if ((index.bitsAt(slot) & bits.notes) === 0) return text === '';
    const whole = index.textAt(slot);
    return whole.includes(text, whole.indexOf('\n') + 1);
  };
}

function bitTest(index: TaskIndex, set: number, clear = 0): SlotTest {
  return (slot) => {
    const has = index.bitsAt(slot);
    return (has & set) === set && (has & clear) === 0;
  };
}

function traitTest(trait: Trait, source: SlotSource): SlotTest | null {
  const { index, subjects, moment } = source;
  const line = new TimeLine(moment);
  switch (trait) {
    case 'complete':
      return bitTest(index, bits.done);
    case 'incomplete':
      return bitTest(index, 0, bits.done);
    case 'cleared':
      return bitTest(index, bits.cleared);
    case 'uncleared':
      return bitTest(index, bits.done, bits.cleared);
    case 'overdue':
      return (slot) => (index.bitsAt(slot) & bits.done) === 0 && line.isPast(index.due.at(slot));
    case 'due':
      return (slot) => (index.bitsAt(slot) & bits.done) === 0 && line.isByToday(index.due.at(slot));
    case 'started':
      return (slot) => !line.isAhead(index.start.at(slot));
    case 'future':
      return (slot) => line.isAhead(index.start.at(slot));
    case 'snoozed':
      return (slot) => line.isAhead(index.snooze.at(slot));
    case 'repeating':
      return bitTest(index, bits.repeat);
    case 'bookmarked':
      return bitTest(index, bits.bookmark);
    case 'emailed':
      return bitTest(index, bits.origin);
    case 'nested':
      return (slot) => subjects.isNested(index.parentAt(slot));
    case 'archived':
      return (slot) => subjects.isArchived(index.parentAt(slot));
    case 'parent':
    case 'leaf': {
      const wanted = trait === 'parent';
      return (slot) => index.hasChildrenAt(slot) === wanted;
    }
    case 'shared':
      return null;
  }
}

function possessionTest(what: Possession, index: TaskIndex): SlotTest | null {
  switch (what) {
    case 'due':
      return bitTest(index, bits.due);
    case 'start':
      return bitTest(index, bits.start);
    case 'snooze':
      return bitTest(index, bits.snooze);
    case 'notes':
      return bitTest(index, bits.notes);
    case 'label':
      return bitTest(index, bits.label);
    case 'metadata':
      return bitTest(index, bits.metadata);
    case 'children':
      return (slot) => index.hasChildrenAt(slot);
    case 'link':
      return (slot) => {
        const text = index.textAt(slot);
        return text.includes('http') && /https?:\/\/\S/.test(text);
      };
    case 'assignee':
      return (slot) => fieldOf(index.rowAt(slot), 'assignee') !== undefined;
    case 'block':
      return bitTest(index, bits.block);
    case 'attachment':
    case 'comment':
      return null;
    default:
      return bitTest(index, scalarBits[what]);
  }
}

/** Compares date codes with a moment and its day. */
export class TimeLine {
  readonly #clock: ZoneClock;
  readonly #now: number;
  readonly #today: number;
  readonly #endOfToday: number;

  constructor({ context }: Pick<Moment, 'context'>) {
    this.#clock = zoneClock(context.zone);
    this.#now = context.now;
    const today = daysOf('today', context);
    this.#today = today === null ? Number.NaN : codeOfDay(today.first);
    this.#endOfToday = today?.to ?? Number.NaN;
  }

  /** A day is past when it is over, a moment when it has come. */
  isPast(code: number): boolean {
    if (isDayCode(code)) return code < this.#today;
    return this.#clock.momentOfCode(code) <= this.#now;
  }

  isByToday(code: number): boolean {
    if (isDayCode(code)) return code <= this.#today;
    return this.#clock.momentOfCode(code) <= this.#endOfToday;
  }

  isAhead(code: number): boolean {
    if (isDayCode(code)) return code > this.#today;
    return this.#clock.momentOfCode(code) > this.#now;
  }
}

let lastClock = new ZoneClock('UTC');

/** Caches the answers of the last zone. */
export function zoneClock(zone: string): ZoneClock {
  if (lastClock.zone !== zone) lastClock = new ZoneClock(zone);
  return lastClock;
}

interface Bounds {
  /** Codes of the first and the last day, and the moments of their start and end. */
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

const BEFORE_ALL: Bounds = {
  first: Number.NEGATIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
  from: Number.NEGATIVE_INFINITY,
  to: Number.NEGATIVE_INFINITY,
};
const AFTER_ALL: Bounds = {
  first: Number.POSITIVE_INFINITY,
  last: Number.POSITIVE_INFINITY,
  from: Number.POSITIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
};

function columnOf(index: TaskIndex, field: DateField): NumberColumn | null {
  switch (field) {
    case 'due':
      return index.due;
    case 'start':
      return index.start;
    case 'snoozed':
      return index.snooze;
    case 'completed':
      return index.done;
    case 'created':
      return index.created;
    case 'updated':
    case 'block':
      return null;
  }
}

function dateTest(field: DateField, test: DateTest, { index, moment }: SlotSource): SlotTest | null {
  const column = columnOf(index, field);
  if (column === null) return null;
  if (test.type === 'none') return (slot) => Number.isNaN(column.at(slot));
  if (test.type === 'any') return (slot) => !Number.isNaN(column.at(slot));
  const { context } = moment;
  const prefers = field === 'completed' || field === 'created' ? 'past' : 'future';
  const boundsOf = (words: string): Bounds | null => {
    const days = daysOf(words, { ...context, current: null, prefers });
    if (days === null) return null;
    return { first: codeOfDay(days.first), last: codeOfDay(days.last), from: days.from, to: days.to };
  };
  const clock = zoneClock(context.zone);
  if (test.type === 'range') {
    const from = test.from === null ? BEFORE_ALL : boundsOf(test.from);
    const to = test.to === null ? AFTER_ALL : boundsOf(test.to);
    if (from === null || to === null) return () => false;
    return (slot) => {
      const code = column.at(slot);
      if (isDayCode(code)) return code >= from.first && code <= to.last;
      const at = clock.momentOfCode(code);
      return at >= from.from && at <= to.to;
    };
  }
  const bounds = boundsOf(test.words);
  return bounds === null ? () => false : comparisonTest(column, clock, test.comparison, bounds);
}

function comparisonTest(
  column: NumberColumn,
  clock: ZoneClock,
  comparison: Comparison,
  { first, last, from, to }: Bounds,
): SlotTest {
  /** From the lower bound to the upper one, both included; days as days, moments as moments. */
  const within =
    (low: number, high: number, lowAt: number, highAt: number): SlotTest =>
    (slot) => {
      const code = column.at(slot);
      if (isDayCode(code)) return code >= low && code <= high;
      const at = clock.momentOfCode(code);
      return at >= lowAt && at <= highAt;
    };
  const least = Number.NEGATIVE_INFINITY;
  const most = Number.POSITIVE_INFINITY;
  switch (comparison) {
    case '=':
      return within(first, last, from, to);
    case '<':
      return within(least, first - 1, least, from - 1);
    case '<=':
      return within(least, last, least, to);
    case '>':
      return within(last + 1, most, to + 1, most);
    case '>=':
      return within(first, most, from, most);
  }
}
