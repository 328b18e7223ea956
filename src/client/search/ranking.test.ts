// Ranking of the palette: the kinds of matches in their order, ranges, and free order of words.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { prepare, rank } from './ranking.ts';

const candidate = (title: string, ...aliases: string[]) => prepare({ title, aliases });
const score = (query: string, title: string, ...aliases: string[]) =>
  rank(query, candidate(title, ...aliases))?.score ?? null;

describe('ranking', () => {
  test('[FIND-4] [PAL-7] kinds of matches in their order', () => {
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

  test('[PAL-11] letters that follow each other count, and beginnings of words run together', () => {
    assert.deepEqual(rank('ooz', candidate('Snooze task'))?.matches, [[2, 5]]);
    assert.deepEqual(rank('setdue', candidate('Set due date'))?.matches, [
      [0, 3],
      [4, 7],
    ]);
    // The longest first piece need not be the right one.
    assert.deepEqual(rank('startask', candidate('Start task now'))?.matches, [
      [0, 4],
      [6, 10],
    ]);
    assert.ok((score('setdate', 'Set due date') ?? 0) > (score('sduda', 'Set due date') ?? 0));
    assert.equal(score('dueset', 'Set due date'), null);
    assert.equal(score('aaaaaaaaaaaaaaaaaaaaaaab', 'aaa aaa aaa aaa aaa aaa aaa aaa aaa aaa'), null);
  });

  test('the dots of what asks are no part of its name, and a word counts where it fits best', () => {
    assert.ok((score('snooze', 'Snooze…') ?? 0) > 990);
    assert.deepEqual(rank('task', candidate('Do tasks of a task'))?.matches, [[14, 18]]);
  });

  test('a title whose letters fold to more than one is found without ranges', () => {
    assert.deepEqual(rank('한', candidate('한국어'))?.matches, []);
  });

  test('[PAL-10] names above count less than the title, in their order', () => {
    const place = prepare({ title: 'Invoices', aliases: [], path: ['Work', 'Money'] });
    assert.ok((rank('invoices', place)?.score ?? 0) > (rank('work', place)?.score ?? 0));
    for (const query of ['work/inv', 'w/m/i', 'money / invoices', 'work inv'])
      assert.notEqual(rank(query, place), null, query);
    for (const query of ['money/work/inv', 'inv/work', 'home/inv'])
      assert.equal(rank(query, place), null, query);
  });

  test('[PAL-13] an alias of one’s own is as good as the title', () => {
    const place = prepare({ title: 'Invoices', aliases: [], own: ['the dough'] });
    assert.ok((rank('the dough', place)?.score ?? 0) > 990);
    assert.ok((rank('dough', place)?.score ?? 0) === 0 || rank('dough', place) === null);
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
