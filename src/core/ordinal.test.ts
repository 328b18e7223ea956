// Rules ORD-… of docs/rules/tasks.md.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import {
  compareOrdinals,
  ordinalOf,
  orderIndexOf,
  parseOrdinal,
  placeAfterIndex,
  placeAfterOrdinal,
} from './ordinal.ts';

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** An ordinal's exact value, scaled so that `places` digits of fraction are whole. */
function valueOf(ordinal: string, places: number): bigint {
  const [whole = '', fraction = ''] = ordinal.split('.');
  return [...(whole + fraction.padEnd(places, '0'))].reduce(
    (sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)),
    0n,
  );
}

/** Sibling keys as use leaves them: each made at a random spot between those there. */
const arbitraryKeys = (max: number) =>
  fc.array(fc.nat(1_000), { minLength: 1, maxLength: max }).map((spots) => {
    const keys: string[] = [];
    for (const spot of spots) {
      const at = spot % (keys.length + 1);
      keys.splice(at, 0, generateKeyBetween(keys[at - 1], keys[at]));
    }
    return keys;
  });

/** Paths of a random outline in depth-first order. */
const arbitraryOutline = fc
  .tuple(arbitraryKeys(12), arbitraryKeys(12), fc.array(fc.nat(10), { maxLength: 12 }))
  .map(([tops, inner, shape]) =>
    tops.flatMap((top, i) => {
      const children = inner.slice(0, shape[i] ?? 0);
      return [
        [top],
        ...children.flatMap((child, j) => [
          [top, child],
          ...(j % 2 ? inner.slice(0, 3).map((deep) => [top, child, deep]) : []),
        ]),
      ];
    }),
  );

describe('ordinals', () => {
  test('[ORD-1] is written in base 62 with a fraction', () => {
    assert.match(ordinalOf(['a0']), /^[0-9a-zA-Z]+\.[0-9a-zA-Z]+$/);
    assert.equal(parseOrdinal(ordinalOf(['a0', 'Zz', 'a0V'])), ordinalOf(['a0', 'Zz', 'a0V']));
  });

  test('[ORD-2] the numbers of a list are distinct and in outline order', () => {
    fc.assert(
      fc.property(arbitraryOutline, (paths) => {
        const ordinals = paths.map(ordinalOf);
        const places = Math.max(...ordinals.map((ordinal) => ordinal.length));
        const values = ordinals.map((ordinal) => valueOf(ordinal, places));
        for (let i = 1; i < values.length; i += 1) {
          assert.ok(values[i - 1]! < values[i]!, `${String(paths[i - 1])} before ${String(paths[i])}`);
        }
      }),
      { seed: 12 },
    );
  });

  test('[ORD-2] holds for every pair of keys in base 62, also when one begins with the other', () => {
    const key = fc.string({ unit: fc.constantFrom(...DIGITS), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(key, { minLength: 1, maxLength: 4 }),
        fc.array(key, { minLength: 1, maxLength: 4 }),
        (a, b) => {
          const isPrefix = (short: string[], long: string[]) => short.every((part, i) => part === long[i]);
          const at = a.findIndex((part, i) => part !== b[i]);
          const expected = at === -1 || at >= b.length ? a.length - b.length : a[at]! < b[at]! ? -1 : 1;
          assert.equal(Math.sign(compareOrdinals(ordinalOf(a), ordinalOf(b))), Math.sign(expected));
          assert.equal(ordinalOf(a) === ordinalOf(b), isPrefix(a, b) && isPrefix(b, a));
        },
      ),
      { numRuns: 2_000, seed: 13 },
    );
  });

  test('[ORD-2] comparing agrees with the exact values', () => {
    const number = fc
      .tuple(
        fc.string({ unit: fc.constantFrom(...DIGITS), minLength: 1, maxLength: 4 }),
        fc.string({ unit: fc.constantFrom(...DIGITS), maxLength: 4 }),
      )
      .map(([whole, fraction]) => `${whole}.${fraction}`);
    fc.assert(
      fc.property(number, number, (a, b) => {
        const left = parseOrdinal(a)!;
        const right = parseOrdinal(b)!;
        const difference = valueOf(left, 8) - valueOf(right, 8);
        assert.equal(Math.sign(compareOrdinals(left, right)), difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
      { seed: 14 },
    );
  });

  test('[ORD-3] reads a number into its canonical form and refuses what is none', () => {
    assert.equal(parseOrdinal('0010.500'), '10.5');
    assert.equal(parseOrdinal('7.'), '7');
    assert.equal(parseOrdinal('000'), '0');
    for (const text of ['', '.', '.5', '1.2.3', '-1', '1e+3', ' 1', 'ä', '1,5'])
      assert.equal(parseOrdinal(text), null);
  });

  test('[ORD-4] the index never contradicts the ordinal', () => {
    fc.assert(
      fc.property(arbitraryOutline, (paths) => {
        const indexes = paths.map((path) => orderIndexOf(ordinalOf(path)));
        assert.deepEqual(
          indexes,
          indexes.toSorted((a, b) => a - b),
        );
      }),
      { seed: 15 },
    );
    assert.equal(orderIndexOf('10.v'), 62.5);
  });

  test('[ORD-4] the index tells the tasks of the upper levels apart', () => {
    const keys = generateNKeysBetween(null, null, 60);
    const indexes = keys.flatMap((top) => keys.map((child) => orderIndexOf(ordinalOf([top, child]))));
    assert.equal(new Set(indexes).size, 3_600);
  });
});

describe('placing by a written number', () => {
  const siblingsOf = (parent: string[], keys: string[]) =>
    keys.map((key) => ({ id: key, ordinal: ordinalOf([...parent, key]) }));

  test('[ORD-5] a number between two siblings places after the first, whatever order they are given in', () => {
    fc.assert(
      fc.property(arbitraryKeys(20), fc.nat(100), fc.integer(), (keys, pick, seed) => {
        const at = pick % keys.length;
        const between = generateKeyBetween(keys[at], keys[at + 1]);
        const siblings = siblingsOf(['a1'], keys);
        const given = seed % 2 === 0 ? siblings : siblings.toReversed();
        assert.equal(placeAfterOrdinal(ordinalOf(['a1', between]), given), keys[at]);
      }),
      { seed: 16 },
    );
  });

  test('[ORD-5] before all of them is null, beyond them the last', () => {
    const siblings = siblingsOf([], ['a0', 'a1', 'a2']);
    assert.equal(placeAfterOrdinal('0', siblings), null);
    assert.equal(placeAfterOrdinal('Z', siblings), 'a2');
    assert.equal(placeAfterOrdinal('Z', []), null);
  });

  test('[ORD-6] the number of a sibling, or of a task beneath it, places after that sibling', () => {
    fc.assert(
      fc.property(arbitraryKeys(20), arbitraryKeys(3), fc.nat(100), (keys, inner, pick) => {
        const at = pick % keys.length;
        const siblings = siblingsOf([], keys);
        assert.equal(placeAfterOrdinal(siblings[at]!.ordinal, siblings), keys[at]);
        assert.equal(placeAfterOrdinal(ordinalOf([keys[at]!, ...inner]), siblings), keys[at]);
      }),
      { seed: 17 },
    );
  });

  test('[ORD-7] an index places after the last sibling that is not beyond it', () => {
    const keys = generateNKeysBetween(null, null, 30);
    const siblings = siblingsOf([], keys);
    const index = (at: number) => orderIndexOf(siblings[at]!.ordinal);
    assert.equal(placeAfterIndex((index(4) + index(5)) / 2, siblings), keys[4]);
    assert.equal(placeAfterIndex(index(7), siblings), keys[7]);
    assert.equal(placeAfterIndex(-1, siblings), null);
    assert.equal(placeAfterIndex(0, siblings), null);
    assert.equal(placeAfterIndex(1, siblings), keys[29]);
  });
});
