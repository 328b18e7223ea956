// Texts with one piece between them: where it is, and what becomes of a caret and of a change made beside another.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { carryOver, placeAfter, spliceOf, withSplices } from './text-change.ts';

describe('where two texts differ', () => {
  test('is one piece, and putting it in makes the one text of the other', () => {
    const texts = [
      '',
      'a',
      'aa',
      'aba',
      'one two',
      'one  two',
      'two three two three',
      'two three two',
      'three two three',
      'aab aab',
      '😀',
      '😁',
      '😁😀',
      '😀😁',
      'é',
      'e\u0301',
    ];
    for (const from of texts)
      for (const to of texts) {
        const splice = spliceOf(from, to);
        assert.equal(splice === null ? from : withSplices(from, [splice]), to);
      }
    assert.deepEqual(spliceOf('same', 'same'), null);
    assert.deepEqual(spliceOf('one three', 'one two three'), { at: 4, remove: 0, insert: 'two ' });
  });

  test('never splits a character', () => {
    // U+1F600 and U+1F601 share their first half, U+1F600 and U+1FA00 their second.
    assert.deepEqual(spliceOf('😀', '😁'), { at: 0, remove: 2, insert: '😁' });
    assert.deepEqual(spliceOf('😀', '🨀'), { at: 0, remove: 2, insert: '🨀' });
    assert.deepEqual(spliceOf('😁', '😀😁'), { at: 0, remove: 0, insert: '😀' });
  });

  test('moves a caret with the words around it', () => {
    const splices = [{ at: 2, remove: 3, insert: 'xxxx' }];
    assert.deepEqual(
      [0, 2, 3, 5, 9].map((place) => placeAfter(splices, place)),
      [0, 2, 2, 6, 10],
    );
    const put = [{ at: 2, remove: 0, insert: 'xx' }];
    assert.deepEqual([placeAfter(put, 2), placeAfter(put, 2, true), placeAfter(put, 3)], [2, 4, 5]);
  });
});

describe('a change carried over to what else became of a text', () => {
  const cases: readonly (readonly [from: string, to: string, onto: string, together: string])[] = [
    ['abc', 'abc', 'xabc', 'xabc'],
    ['abc', 'abcd', 'abc', 'abcd'],
    ['one two', 'one two!', 'zero one two', 'zero one two!'],
    ['one two', 'zero one two', 'one two!', 'zero one two!'],
    ['one two', 'two', 'one two!', 'two!'],
    ['one two three', 'one three', 'one two and three', 'one and three'],
    ['', 'mine', 'theirs', 'minetheirs'],
    ['a long text', 'a text', 'a longer text', 'a ertext'],
  ];
  for (const [from, to, onto, together] of cases)
    test(`${JSON.stringify(from)} to ${JSON.stringify(to)} and ${JSON.stringify(onto)}`, () =>
      assert.equal(carryOver(from, to, onto), together));
});
