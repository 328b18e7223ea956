// Find and replace in one title.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { patternOf, replaceIn, type ReplacePattern } from './replace.ts';

const plain: ReplacePattern = {
  find: '',
  replacement: '',
  isRegex: false,
  matchCase: false,
  wholeWords: false,
};

function replaced(title: string, said: Partial<ReplacePattern>): string | null {
  const pattern = { ...plain, ...said };
  const read = patternOf(pattern);
  assert.ok(read.ok, JSON.stringify(read));
  return replaceIn(title, read.value, pattern)?.text ?? null;
}

describe('find and replace', () => {
  test('[REPLACE-1] plain text is taken as it stands, on both sides', () => {
    assert.equal(replaced('Costs (2.50 $)', { find: '(2.50 $)', replacement: '$& [$1]' }), 'Costs $& [$1]');
    assert.equal(replaced('a.c abc', { find: 'a.c', replacement: 'x' }), 'x abc');
    assert.equal(replaced('Café café', { find: 'CAFÉ', replacement: 'tea' }), 'tea tea');
    assert.equal(replaced('Café café', { find: 'café', replacement: 'tea', matchCase: true }), 'Café tea');
    assert.equal(replaced('nothing here', { find: 'zebra' }), null);
    for (const sign of String.raw`\^$.*+?()[]{}|/-`)
      assert.equal(replaced(`1${sign}2`, { find: sign, replacement: '~' }), '1~2', sign);
  });

  test('[REPLACE-1] whole words, of any script', () => {
    const words = { find: 'art', replacement: 'craft', wholeWords: true };
    assert.equal(replaced('art, party art_1 ART', words), 'craft, party art_1 craft');
    assert.equal(replaced('Über über', { find: 'ber', replacement: 'x', wholeWords: true }), null);
    assert.equal(
      replaced('a|b ab', { find: 'a|b', isRegex: true, replacement: 'x', wholeWords: true }),
      'x|x ab',
    );
  });

  test('[REPLACE-2] expressions with groups, names and places between characters', () => {
    const regex = { isRegex: true };
    assert.equal(
      replaced('Doe, Jane', { ...regex, find: String.raw`(\w+), (\w+)`, replacement: '$2 $1' }),
      'Jane Doe',
    );
    assert.equal(
      replaced('10 20', { ...regex, find: String.raw`(?<n>\d+)`, replacement: '<$<n>>' }),
      '<10> <20>',
    );
    assert.equal(replaced('milk', { ...regex, find: '^', replacement: 'Buy ' }), 'Buy milk');
    assert.equal(replaced('😀😀', { ...regex, find: '.', replacement: 'x' }), 'xx');
  });

  test('[REPLACE-4] what is put in is known by its place', () => {
    const put = (title: string, said: Partial<ReplacePattern>) => {
      const pattern = { ...plain, ...said };
      const read = patternOf(pattern);
      assert.ok(read.ok);
      const { text = '', put: ranges = [] } = replaceIn(title, read.value, pattern) ?? {};
      return ranges.map(([start, end]) => text.slice(start, end));
    };
    assert.deepEqual(put('milk and milk', { find: 'milk', replacement: 'oat' }), ['oat', 'oat']);
    assert.deepEqual(put('milk', { find: 'milk', replacement: '' }), ['']);
    assert.deepEqual(
      put('Doe, Jane', { find: String.raw`(\w+), (\w+)`, replacement: '$2 $1', isRegex: true }),
      ['Jane Doe'],
    );
    assert.deepEqual(put('ab', { find: '', replacement: '-', isRegex: true }), ['-', '-', '-']);
    assert.deepEqual(put('a$', { find: 'a', replacement: '$', isRegex: true }), ['$']);
  });

  test('[REPLACE-2] what cannot be read is said', () => {
    for (const find of ['(', '[a', 'a)', '*', '(?<n>a)(?<n>b)', 'a)|(b', '\\']) {
      const read = patternOf({ ...plain, find, isRegex: true });
      assert.match(read.ok ? '' : read.problem, /^Can’t read this expression: .+\.$/, find);
    }
    assert.ok(patternOf({ ...plain, find: '(' }).ok);
  });

  test('where it was found', () => {
    const pattern = { ...plain, find: 'an', replacement: '' };
    const read = patternOf(pattern);
    assert.ok(read.ok);
    assert.deepEqual(replaceIn('banana', read.value, pattern), {
      text: 'ba',
      ranges: [
        [1, 3],
        [3, 5],
      ],
      put: [
        [1, 1],
        [1, 1],
      ],
    });
  });
});
