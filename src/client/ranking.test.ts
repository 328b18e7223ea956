// Ranking of the palette: the kinds of matches in their order, ranges, and free order of words.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { prepare, rank } from './ranking.ts';

const candidate = (title: string, ...aliases: string[]) => prepare({ title, aliases });
const score = (query: string, title: string, ...aliases: string[]) =>
  rank(query, candidate(title, ...aliases))?.score ?? null;

describe('ranking', () => {
  test('[FIND-4] kinds of matches in their order', () => {
    const scores = [
      score('snooze', 'Snooze'),
      score('snooz', 'Snooze task'),
      score('task', 'Snooze task'),
      score('defer', 'Snooze task', 'defer'),
      score('st', 'Snooze task'),
      score('def', 'Snooze task', 'defer'),
      score('ooze', 'Snooze task'),
      score('snotas', 'Snooze task'),
      score('sxzo', 'Snooze task'),
      score('snoxze', 'Snooze task'),
    ];
    const found = scores.filter((value) => value !== null);
    assert.equal(scores[8], null);
    assert.deepEqual(
      found,
      found.toSorted((a, b) => b - a),
    );
  });

  test('every word must match, in any order, without case and accents', () => {
    assert.notEqual(score('task snooze', 'Snooze task'), null);
    assert.equal(score('task plan', 'Snooze task'), null);
    assert.notEqual(score('CAFE', 'Le Café'), null);
    assert.notEqual(score('list new', 'New list…'), null);
  });

  test('aliases match without their spaces', () => {
    assert.notEqual(score('signup', 'Create an account', 'sign up'), null);
  });

  test('ranges of the title are those that matched', () => {
    assert.deepEqual(rank('mo li', candidate('Move to list'))?.matches, [
      [0, 2],
      [8, 10],
    ]);
    assert.deepEqual(rank('mtl', candidate('Move to list'))?.matches, [
      [0, 1],
      [5, 6],
      [8, 9],
    ]);
    assert.deepEqual(rank('move to', candidate('Move to list'))?.matches, [[0, 7]]);
    assert.deepEqual(rank('defer', candidate('Snooze', 'defer'))?.matches, []);
  });

  test('one letter wrong, missing, too many or swapped', () => {
    for (const typo of ['indnet', 'inent', 'inddent', 'indemt'])
      assert.notEqual(score(typo, 'Indent task'), null, typo);
    assert.equal(score('idn', 'Indent task'), null);
  });

  test('an empty query matches everything', () => {
    assert.deepEqual(rank('  ', candidate('Anything')), { score: 0, matches: [] });
  });
});
