// The tables of docs/ that are made from code say what the code says.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readDate } from '#core/dates/phrase.ts';
import { plainContext } from '#core/dates/plain-context.ts';
import { english } from '#core/dates/vocabulary.ts';
import { operators } from '#core/search/operators.ts';
import { dateWords, drifted, searchOperators } from '../scripts/tables.ts';

describe('tables made from code', () => {
  test('are up to date; `npm run docs` makes them anew', () => {
    assert.deepEqual(drifted(), []);
  });

  test('every operator and alias stands in them, and every word that is a date by itself', () => {
    const said = searchOperators();
    for (const { name, aliases } of operators)
      for (const each of [name, ...aliases]) assert.ok(said.includes(`\`${each}:\``), each);
    const words = dateWords();
    const context = plainContext(Date.UTC(2026, 10, 20, 12), 'UTC');
    for (const word of [
      ...english.weekdays.keys(),
      ...english.namedDays.keys(),
      ...english.periodEnds.keys(),
    ]) {
      assert.ok(words.includes(`\`${word}\``), word);
      assert.ok(readDate(word, context, { vocabulary: english }).length > 0, word);
    }
  });
});
