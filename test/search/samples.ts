// Random queries and tasks for the tests of the search language, and an evaluator that does the same the plainest way.
import fc from 'fast-check';
import type { PhraseContext } from '#core/dates/reader.ts';
import type { Id } from '#core/ids.ts';
import type { Subject } from '#core/search/evaluate.ts';
import { dateFields, possessions, traits } from '#core/search/operators.ts';
import { isScalar, rankOf, scalarField } from '#core/task-fields.ts';
import type { DateTest, Expression, Possession, Term, Trait } from '#core/search/query.ts';
import type { When } from '#core/when.ts';
import { type Days, daysOf } from '#core/search/days.ts';

export const ids = ['a', 'b', 'c', 'd', 'e'].map(
  (letter) => `00000000-0000-7000-8000-00000000000${letter}` as Id,
);

const word = fc.constantFrom(
  'rent',
  'caffe',
  'plan',
  'a',
  'two words',
  'x:y',
  '-minus',
  'OR',
  '"',
  '\\',
  '(',
  'über',
);
const dayWords = fc.constantFrom(
  'today',
  'tomorrow',
  'yesterday',
  'this week',
  'next week',
  'last month',
  'nov',
  '2026',
  '2026-11',
  'fri',
  '3d',
  '15',
  'last 7 days',
  '5pm',
  '2026-11-27 09:00',
  'eom',
);
const comparison = fc.constantFrom('=', '<', '<=', '>', '>=');

const dateTests: fc.Arbitrary<DateTest> = fc.oneof(
  fc.record({ type: fc.constant('compare' as const), comparison, words: dayWords }) as fc.Arbitrary<DateTest>,
  fc
    .tuple(fc.option(dayWords), fc.option(dayWords))
    .filter(([from, to]) => from !== null || to !== null)
    .map(([from, to]) => ({ type: 'range', from, to }) as const),
  fc.constantFrom({ type: 'none' } as const, { type: 'any' } as const),
);

export const terms: fc.Arbitrary<Term> = fc.oneof(
  fc.record({
    type: fc.constant('text' as const),
    field: fc.constantFrom('any', 'title', 'notes'),
    text: word,
  }),
  fc.record({
    type: fc.constant('place' as const),
    kind: fc.constantFrom('in', 'list', 'folder'),
    name: word,
  }),
  fc.record({ type: fc.constant('person' as const), name: fc.oneof(word, fc.constantFrom('none', 'me')) }),
  fc.record({ type: fc.constant('label' as const), name: fc.oneof(word, fc.constantFrom('none', 'Any')) }),
  fc.record({ type: fc.constant('group' as const), name: word }),
  fc.constantFrom(...(Object.keys(traits) as Trait[])).map((trait) => ({ type: 'is', trait }) as const),
  fc
    .constantFrom(...(Object.keys(possessions) as Possession[]))
    .map((what) => ({ type: 'has', what }) as const),
  fc.record({ type: fc.constant('date' as const), field: fc.constantFrom(...dateFields), test: dateTests }),
  fc.record({
    type: fc.constant('scalar' as const),
    field: fc.constant('duration' as const),
    comparison,
    value: fc.integer({ min: 1, max: 600 }),
  }),
  fc.record({
    type: fc.constant('meta' as const),
    key: fc.constantFrom('ticket', 'a b'),
    value: fc.option(fc.constantFrom('42', 'x y', 'a=b')),
  }),
) as fc.Arbitrary<Term>;

export const expressions: fc.Arbitrary<Expression> = fc.letrec<{ node: Expression }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'query' },
    terms.map((term) => ({ type: 'term', term, span: { start: 0, end: 0 } }) as const),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((parts) => ({ type: 'and', parts }) as const),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((parts) => ({ type: 'or', parts }) as const),
    tie('node').map((part) => ({ type: 'not', part }) as const),
  ),
})).node;

/** The same without what the parser joins: parts inside parts of their kind, and double negation. */
export function normal(expression: Expression): Expression {
  if (expression.type === 'not') {
    const part = normal(expression.part);
    return part.type === 'not' ? part.part : { type: 'not', part };
  }
  if (expression.type !== 'and' && expression.type !== 'or') return expression;
  const parts = expression.parts
    .map(normal)
    .flatMap((part) => (part.type === expression.type ? part.parts : [part]));
  return { type: expression.type, parts };
}

/** Without the places, which a printed query has elsewhere. */
export function placeless(expression: Expression): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key, value: unknown) => (key === 'span' ? undefined : value)),
  );
}

const whens: fc.Arbitrary<When | null> = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -40, max: 60 }).map((days) => ({
    on: Temporal.PlainDate.from('2026-11-20').add({ days }).toString(),
  })),
  fc.integer({ min: -60_000, max: 90_000 }).map((minutes) => ({
    at: Date.UTC(2026, 10, 20, 13, 30) + minutes * 60_000,
    zone: 'Asia/Kathmandu',
  })),
  fc.integer({ min: -40, max: 60 }).map((days) => ({
    local: `${Temporal.PlainDate.from('2026-11-20').add({ days }).toString()}T14:30`,
  })),
);
const moments = fc
  .integer({ min: -60_000, max: 0 })
  .map((minutes) => Date.UTC(2026, 10, 20, 13, 30) + minutes * 60_000);

export interface Sample extends Subject {
  readonly above: readonly Id[];
}

export const subjects: fc.Arbitrary<Sample> = fc
  .record({
    id: fc.constantFrom(...ids),
    title: fc.constantFrom('', 'pay rent', 'caffe', 'plan two words', 'https://a.example x:y'),
    notes: fc.constantFrom('', 'rent', 'see http://b.example', 'uber -minus'),
    completedAt: fc.option(moments),
    wasCleared: fc.boolean(),
    due: whens,
    start: whens,
    snooze: whens,
    blocks: fc.array(whens.filter((when) => when !== null && !('on' in when)) as fc.Arbitrary<When>, {
      maxLength: 3,
    }),
    createdAt: moments,
    updatedAt: moments,
    scalars: fc.record({ duration: fc.option(fc.integer({ min: 1, max: 600 })) }),
    isRepeating: fc.boolean(),
    isBookmarked: fc.boolean(),
    isShared: fc.boolean(),
    isEmailed: fc.boolean(),
    isArchived: fc.boolean(),
    isNested: fc.boolean(),
    hasChildren: fc.boolean(),
    hasAttachment: fc.boolean(),
    hasComment: fc.boolean(),
    assignee: fc.constantFrom(null, 1, 2),
    labels: fc.subarray(ids),
    metadata: fc.constantFrom(new Map(), new Map([['ticket', '42']]), new Map([['a b', 'a=b']])),
    above: fc.subarray(ids),
  })
  .map(({ wasCleared, ...rest }) => ({
    ...rest,
    blocks: rest.completedAt === null ? rest.blocks : [],
    isCleared: wasCleared && rest.completedAt !== null,
    isUnder: (wanted: ReadonlySet<Id>) => rest.above.some((id) => wanted.has(id)),
  }));

/** Names of the tests: every name stands for the ids of its first letter. */
export function idsNamed(name: string): ReadonlySet<Id> {
  return new Set(ids.filter((id) => id.endsWith(name.toLowerCase().slice(0, 1))));
}

/** Answers a query the plainest way: one text date against another, written out to the second. */
export function naive(expression: Expression, subject: Sample, context: PhraseContext): boolean {
  switch (expression.type) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return expression.parts.map((part) => naive(part, subject, context)).reduce((a, b) => a && b, true);
    case 'or':
      return expression.parts.map((part) => naive(part, subject, context)).reduce((a, b) => a || b, false);
    case 'not':
      return !naive(expression.part, subject, context);
    case 'term':
      return naiveTerm(expression.term, subject, context);
  }
}

/** Words are read once for each moment: most of the time of a naive answer goes there. */
const read = new WeakMap<PhraseContext, Map<string, Days | null>>();

function daysAt(words: string, prefers: 'past' | 'future', context: PhraseContext): Days | null {
  let known = read.get(context);
  if (!known) read.set(context, (known = new Map()));
  const key = `${prefers} ${words}`;
  let days = known.get(key);
  if (days === undefined) known.set(key, (days = daysOf(words, { ...context, prefers })));
  return days;
}

const stripped = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function naiveTerm(term: Term, subject: Sample, context: PhraseContext): boolean {
  if (term.type === 'text') {
    const places = term.field === 'any' ? [subject.title, subject.notes] : [subject[term.field]];
    return places.some((place) => place.split(stripped(term.text)).length > 1);
  }
  if (term.type === 'place') return [...idsNamed(term.name)].some((id) => subject.above.includes(id));
  if (term.type === 'label' || term.type === 'group')
    return [...idsNamed(term.name)].some((id) => subject.labels.includes(id));
  if (term.type === 'scalar') {
    const rank = rankOf(subject.scalars, term.field);
    const sign = Number.isNaN(rank) ? null : Math.sign(rank - scalarField(term.field).rank(term.value));
    return (
      sign !== null &&
      { '=': [0], '<': [-1], '<=': [-1, 0], '>': [1], '>=': [0, 1] }[term.comparison].includes(sign)
    );
  }
  if (term.type === 'meta')
    return [...subject.metadata].some(([key, value]) => key === term.key && (term.value ?? value) === value);
  if (term.type === 'is') return naiveTrait(term.trait, subject, context);
  if (term.type === 'has') return naiveHas(term.what, subject);
  // In these worlds nobody has a name.
  if (term.type === 'person') return false;
  if (term.field === 'block') {
    const { blocks } = subject;
    if (term.test.type === 'none') return blocks.length === 0;
    return blocks.some((block) => naiveDate(block, term, context));
  }
  const value = {
    due: subject.due,
    start: subject.start,
    snoozed: subject.snooze,
    completed: subject.completedAt,
    created: subject.createdAt,
    updated: subject.updatedAt,
  }[term.field];
  return naiveDate(value, term, context);
}

function naiveDate(
  value: When | number | null,
  term: Extract<Term, { type: 'date' }>,
  context: PhraseContext,
): boolean {
  const { test } = term;
  if (test.type === 'none') return value === null;
  if (value === null) return false;
  if (test.type === 'any') return true;
  const isPast = ['completed', 'created', 'updated'].includes(term.field);
  const bounds = (words: string): [string, string] | null => {
    const days = daysAt(words, isPast ? 'past' : 'future', context);
    if (days === null) return null;
    const isDay = typeof value !== 'number' && 'on' in value;
    return isDay ? [days.first, days.last] : [stamp(days.from, context), stamp(days.to, context)];
  };
  const at = typeof value === 'number' ? stamp(value, context) : text(value, context);
  if (test.type === 'range') {
    const from = test.from === null ? null : bounds(test.from);
    const to = test.to === null ? null : bounds(test.to);
    if ((test.from !== null && !from) || (test.to !== null && !to)) return false;
    return (from === null || at >= from[0]) && (to === null || at <= to[1]);
  }
  const range = bounds(test.words);
  if (range === null) return false;
  const [first, last] = range;
  return {
    '=': at >= first && at <= last,
    '<': at < first,
    '<=': at <= last,
    '>': at > last,
    '>=': at >= first,
  }[test.comparison];
}

/** UTC to the millisecond: texts that sort like the moments. */
function stamp(ms: number, _context: PhraseContext): string {
  return new Date(ms).toISOString();
}

function text(when: When, context: PhraseContext): string {
  if ('on' in when) return when.on;
  if ('at' in when) return stamp(when.at, context);
  return stamp(
    Temporal.PlainDateTime.from(when.local).toZonedDateTime(context.zone).epochMilliseconds,
    context,
  );
}

function naiveTrait(trait: Trait, subject: Sample, context: PhraseContext): boolean {
  const today = daysAt('today', context.prefers, context)?.first ?? '';
  const now = stamp(context.now, context);
  const isOver = (when: When) => ('on' in when ? when.on < today : text(when, context) <= now);
  const isComing = (when: When | null) =>
    when !== null && ('on' in when ? when.on > today : text(when, context) > now);
  const endOfToday = stamp(daysAt('today', context.prefers, context)?.to ?? 0, context);
  switch (trait) {
    case 'complete':
      return subject.completedAt !== null;
    case 'incomplete':
      return subject.completedAt === null;
    case 'cleared':
      return subject.isCleared;
    case 'uncleared':
      return subject.completedAt !== null && !subject.isCleared;
    case 'overdue':
      return subject.completedAt === null && subject.due !== null && isOver(subject.due);
    case 'due':
      return (
        subject.completedAt === null &&
        subject.due !== null &&
        ('on' in subject.due ? subject.due.on <= today : text(subject.due, context) <= endOfToday)
      );
    case 'started':
      return !isComing(subject.start);
    case 'future':
      return isComing(subject.start);
    case 'snoozed':
      return isComing(subject.snooze);
    case 'repeating':
      return subject.isRepeating;
    case 'bookmarked':
      return subject.isBookmarked;
    case 'shared':
      return subject.isShared;
    case 'nested':
      return subject.isNested;
    case 'parent':
      return subject.hasChildren;
    case 'leaf':
      return !subject.hasChildren;
    case 'emailed':
      return subject.isEmailed;
    case 'archived':
      return subject.isArchived;
  }
}

function naiveHas(what: Possession, subject: Sample): boolean {
  if (isScalar(what)) return (subject.scalars[what] ?? null) !== null;
  switch (what) {
    case 'due':
    case 'start':
    case 'snooze':
      return subject[what] !== null;
    case 'notes':
      return subject.notes.length > 0;
    case 'label':
      return subject.labels.length > 0;
    case 'block':
      return subject.blocks.length > 0;
    case 'attachment':
      return subject.hasAttachment;
    case 'assignee':
      return subject.assignee !== null;
    case 'comment':
      return subject.hasComment;
    case 'link':
      return `${subject.title} ${subject.notes}`.includes('http');
    case 'children':
      return subject.hasChildren;
    case 'metadata':
      return [...subject.metadata.keys()].length > 0;
  }
}
