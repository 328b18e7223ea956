// What reading costs grows with the length of the text, whatever is typed: dates, repeats and queries count their steps.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readDate } from '#core/dates/phrase.ts';
import { findDate } from '#core/titles/dates.ts';
import { readRepeat } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { parseQuery } from '#core/search/parse.ts';
import { saidAt } from '../dates/said-at.ts';

/** Twice the text may take so many times the steps. */
const MOST = 2.6;
const context = saidAt('Europe/Berlin');

type Read = (text: string, steps: { count: number }) => void;

function grows(read: Read, shapes: readonly string[], lengths: readonly number[]): void {
  for (const shape of shapes) {
    for (const length of lengths) {
      const stepsOf = (characters: number) => {
        const steps = { count: 0 };
        read(shape.repeat(Math.ceil(characters / shape.length)).slice(0, characters), steps);
        return steps.count;
      };
      const [once, twice] = [stepsOf(length), stepsOf(2 * length)];
      assert.ok(twice <= MOST * once + 20, `${shape} × ${length}: ${once}, then ${twice} steps`);
    }
  }
}

const DATES = [
  'in 3 days ',
  'next ',
  'first monday of ',
  'a ',
  '1 ',
  '1/',
  '1-',
  'mon ',
  'mon, ',
  'two weeks from ',
  'day after ',
  'last of the ',
  '9-10am ',
  'for 45m ',
  '5pm ',
  'nov 27 ',
  'end of ',
  '+5 ',
  'an hour and a half ',
  '-',
  '.',
  '@',
  'every ',
];
const REPEATS = [
  ...DATES,
  'every mon wed ',
  'every 2nd and last ',
  '2nd, 3rd, ',
  'and ',
  'every other ',
  'after 3 days ',
  'every! ',
  'on the ',
];
const QUERIES = [
  '(',
  ')',
  '-',
  '-(',
  '"',
  '"a ',
  '\\"',
  'a:',
  'OR ',
  'a OR (',
  'NOT ',
  'due:',
  'due:<',
  'due:today ',
  'due:a..b',
  'due:"next ',
  'due:"first monday of december".."eom" ',
  'is:x ',
  'isx:y ',
  'duration:1h30',
  'meta:=',
  'in:a/',
  'sort:due-',
  '“',
];

describe('reading never takes long', () => {
  const options = { vocabulary: english };

  test('[SEARCH-5] of queries', () => {
    grows((text, steps) => void parseQuery(text, steps), QUERIES, [50, 200, 500, 1_000]);
  });

  test('[SEARCH-5] of dates, as the whole text and inside of one', () => {
    // A longer text is no date.
    grows((text, steps) => void readDate(text, context, { ...options, steps }), DATES, [25, 50, 100]);
    grows((text, steps) => void findDate(text, context, { ...options, steps }), DATES, [50, 200, 800]);
  });

  test('[SEARCH-5] of repeats', () => {
    grows((text, steps) => void readRepeat(text, context, { ...options, steps }), REPEATS, [25, 50, 100]);
  });

  test('and the steps are those that are taken', () => {
    const steps = { count: 0 };
    parseQuery('due:tomorrow rent', steps);
    assert.ok(steps.count > 'due:tomorrow rent'.length);
    const before = steps.count;
    readDate('in 3 days', context, { ...options, steps });
    assert.ok(steps.count > before);
  });
});
