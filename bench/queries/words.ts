// Dates and repeats in words: what reading one costs, and finding the occurrence that follows.
import { plainContext } from '#core/dates/plain-context.ts';
import { readDate } from '#core/dates/phrase.ts';
import { readRepeat } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import type { RepeatRule } from '#core/model.ts';
import { nextOccurrence } from '#core/repeat.ts';
import { parseQuery } from '#core/search/parse.ts';
import { type Distribution, distributionOf } from '../statistics.ts';

const PHRASES = [
  'tod',
  'tomorrow',
  'tonight',
  'eod',
  'eom',
  'mon',
  'next friday',
  'last friday',
  'in 3d',
  'in 90 min',
  '+5',
  '15th',
  '27 nov',
  'nov 27 2027',
  '27/11',
  '2026-11-27',
  'first monday of december',
  'day after tomorrow',
  'two weeks from tomorrow',
  'next week',
  'weekend',
  'noon',
  '5pm',
  'fri 17:00',
  '9-10am',
  'tomorrow 9am for 45m',
  'none',
  'monitor',
];

const rule = (said: Partial<RepeatRule>): RepeatRule => ({
  value: 1,
  unit: 'days',
  metadata: null,
  from: 'due date',
  missed: 'skip',
  anchorDay: null,
  ...said,
});

/** What is completed today although it was due in 1970, and what was due last week. */
const RULES: readonly (readonly [name: string, rule: RepeatRule, from: string])[] = [
  ['every minute since 1970', rule({ unit: 'minutes' }), '1970-01-01T00:00'],
  ['every 7 minutes since 1970', rule({ unit: 'minutes', value: 7 }), '1970-01-01T00:00'],
  ['every day', rule({}), '2026-11-20T09:00'],
  ['every day since 1970', rule({}), '1970-01-01T09:00'],
  ['weekdays', rule({ unit: 'weeks', metadata: { weekdays: ['Mon', 'Wed', 'Fri'] } }), '2026-11-20T09:00'],
  ['the 31st', rule({ unit: 'months', anchorDay: 31 }), '2026-10-31T09:00'],
  [
    'every month since 1970',
    rule({ unit: 'months', metadata: { monthDays: [15, 'last day'] } }),
    '1970-01-15T09:00',
  ],
  ['February 29', rule({ unit: 'years', anchorDay: 29 }), '2024-02-29T09:00'],
  [
    'last Friday',
    rule({ unit: 'nth-weekday', value: -1, metadata: { weekdays: ['Fri'] } }),
    '2026-10-30T09:00',
  ],
  ['10th business day', rule({ unit: 'nth-business-day-of-month', value: 10 }), '2026-11-13T09:00'],
  [
    'last business day since 1970',
    rule({ unit: 'nth-business-day-of-month', value: -1 }),
    '1970-01-30T09:00',
  ],
  ['first weekend day', rule({ unit: 'nth-weekend-day-of-month' }), '2026-11-01T09:00'],
];

/** Microseconds a call. */
function timed(calls: readonly (() => unknown)[], rounds: number): Distribution {
  const spent: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const call of calls) {
      const startedAt = performance.now();
      call();
      if (round >= rounds / 4) spent.push((performance.now() - startedAt) * 1_000);
    }
  }
  return distributionOf(spent);
}

const NOW = Date.UTC(2026, 10, 27, 10);

export function timeWords(rounds: number): ReadonlyMap<string, Distribution> {
  const context = plainContext(NOW, 'Europe/Berlin');
  const options = { vocabulary: english };
  const next = RULES.map(([, said, from]) => {
    const at = Temporal.PlainDateTime.from(from).toZonedDateTime('Europe/Berlin').epochMilliseconds;
    const due = { at, zone: 'Europe/Berlin' };
    return () => nextOccurrence(said, { due, start: null }, NOW, 'Europe/Berlin');
  });
  const repeats = [
    'every day',
    'every mon wed fri',
    'every month on the last day',
    '2nd and last friday',
    'every!',
  ];
  const queries = [
    'is:due -is:snoozed sort:due-date',
    'in:Work (label:High OR due:<="next week") -has:notes',
  ];
  return new Map([
    [
      'read a date',
      timed(
        PHRASES.map((text) => () => readDate(text, context, options)),
        rounds,
      ),
    ],
    [
      'read a repeat',
      timed(
        repeats.map((text) => () => readRepeat(text, context, options)),
        rounds,
      ),
    ],
    ['next occurrence', timed(next, rounds)],
    [
      'read a query',
      timed(
        queries.map((text) => () => parseQuery(text)),
        rounds,
      ),
    ],
  ]);
}
