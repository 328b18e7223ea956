// Repeats in words, held to the table of docs/rules/dates.md, and printed rules read back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { RepeatRule, Weekday } from '#core/model.ts';
import { readRepeat } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import { sayRepeat } from '#core/dates/words.ts';
import { readDuration } from '#core/dates/phrase.ts';
import { saidAt, tableRows, written, zones } from './said-at.ts';

const options = { vocabulary: english };

describe('repeats in words', () => {
  for (const zone of zones) {
    test(`[DATE-10] every repeat of the table in ${zone}`, () => {
      const rows = tableRows(/^### Repeats/);
      assert.ok(rows.length >= 40, `${rows.length} repeats`);
      for (const [phrase, expected] of rows) {
        const readings = readRepeat(phrase, saidAt(zone), options).map(
          ({ rule, first }) => `${sayRepeat(rule)}${first === null ? '' : ` from ${written(first)}`}`,
        );
        assert.equal(readings.length === 0 ? '–' : readings.join(' · '), expected, phrase);
      }
    });
  }

  const weekdays = fc
    .uniqueArray(fc.constantFrom<Weekday>('Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'), {
      minLength: 1,
      maxLength: 7,
    })
    .map((days) => days.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  const order: readonly Weekday[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  const shape = fc.oneof(
    fc.record({
      unit: fc.constantFrom('minutes', 'hours', 'days', 'years'),
      value: fc.integer({ min: 1, max: 999 }),
    }),
    fc.record({
      unit: fc.constant('weeks'),
      value: fc.integer({ min: 1, max: 60 }),
      metadata: fc.option(weekdays.map((days) => ({ weekdays: days }))),
    }),
    fc.record({
      unit: fc.constant('months'),
      value: fc.integer({ min: 1, max: 60 }),
      metadata: fc.option(
        fc
          .uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 4 })
          .map((days) => ({ monthDays: days.toSorted((a, b) => a - b) })),
      ),
    }),
    fc.record({
      unit: fc.constant('nth-weekday'),
      value: fc.constantFrom(1, 2, 3, 4, 5, -1),
      metadata: weekdays.map((days) => ({ weekdays: days })),
    }),
    fc.record({
      unit: fc.constantFrom('nth-business-day-of-month', 'nth-weekend-day-of-month'),
      value: fc.constantFrom(1, 2, 3, 7, -1),
    }),
  );

  test('[DATE-11] what is printed reads back', () => {
    const rule = fc
      .tuple(shape, fc.constantFrom('due date', 'completion'))
      .map(
        ([parts, from]) =>
          ({ metadata: null, missed: 'skip', anchorDay: null, ...parts, from }) as RepeatRule,
      );
    fc.assert(
      fc.property(rule, (wanted) => {
        const [read] = readRepeat(sayRepeat(wanted), saidAt('Europe/Berlin'), options);
        assert.deepEqual(read?.rule, wanted, sayRepeat(wanted));
      }),
      { numRuns: 5_000, seed: 3 },
    );
  });

  test('[DATE-12] every word of an accepted repeat counts', () => {
    // Words that make a phrase sound right, or say again what the days behind them say: "every week on mon".
    const silent = new Set('the on and of at from week weeks month months year'.split(' '));
    const words =
      `day days 2 3 week weeks month months year other weekday weekend mon thu fri first 4th last 15th of the on and business jan feb 29 27 at 9
      17:00 noon starting from mar 5 tomorrow after completion for 45m until 2028 times twice ! quarter not maybe`.split(
        /\s+/,
      );
    const phrases = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 });
    let accepted = 0;
    const read = (parts: readonly string[]) =>
      JSON.stringify(readRepeat(`every ${parts.join(' ')}`, saidAt('UTC'), options));
    fc.assert(
      fc.property(phrases, (parts) => {
        const whole = read(parts);
        if (whole === '[]') return;
        accepted += 1;
        // A first day is read as dates are ("from mon mar 1"); what counts from completion may say so twice.
        const from = parts.findIndex((word) => word === 'starting' || word === 'from');
        for (const [at, word] of parts.entries()) {
          if ((from >= 0 && at > from) || (word === '!' && parts.includes('completion'))) continue;
          if (silent.has(word) || parts.indexOf(word) !== at || parts.lastIndexOf(word) !== at) continue;
          const without = read(parts.filter((_, index) => index !== at));
          assert.notEqual(without, whole, `“${word}” of “every ${parts.join(' ')}”`);
        }
      }),
      { numRuns: 10_000, seed: 11 },
    );
    assert.ok(accepted > 80, `${accepted} phrases`);
  });

  test('lengths read back too', () => {
    for (let minutes = 1; minutes < 3_000; minutes += 7)
      assert.equal(readDuration(sayDuration(minutes), options), minutes, sayDuration(minutes));
  });

  test('[DATE-9] hostile repeats give readings or none', () => {
    const words = [
      'every',
      'every!',
      'other',
      'day',
      'weeks',
      'on',
      'the',
      'mon',
      'first',
      'last',
      '15th',
      'of',
      'month',
      '!',
      'after',
      'completion',
      'business',
      'at',
      '9',
      'starting',
      'feb',
      '29',
    ];
    const text = fc
      .array(fc.constantFrom(...words), { maxLength: 14 })
      .map((parts) => `every ${parts.join(' ')}`);
    fc.assert(
      fc.property(text, (phrase) => {
        readRepeat(phrase, saidAt('UTC'), options);
      }),
      { numRuns: 20_000, seed: 4 },
    );
  });
});
