// Rules ORD-… of docs/rules/tasks.md.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import { compareOrdinals, ordinalOf, orderIndexOf, parseOrdinal } from './ordinal.ts';

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
    assert.equal(parseOrdinal('.B1V'), '0.B1V');
    for (const text of ['', '.', '1.2.3', '-1', '1e+3', ' 1', 'ä', '1,5'])
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
  });

  test('[ORD-4] the index never contradicts the ordinal, for any two numbers', () => {
    const digits = fc.string({ unit: fc.constantFrom(...DIGITS), maxLength: 14 });
    const number = fc.tuple(fc.constantFrom('0', '1', '10'), digits);
    fc.assert(
      fc.property(number, number, fc.nat(14), (a, b, shared) => {
        const [left, right] = [a, [b[0], a[1].slice(0, shared) + b[1]]].map(([whole, fraction]) =>
          parseOrdinal(`${whole}.${fraction}`)!,
        );
        const difference = orderIndexOf(left!) - orderIndexOf(right!);
        assert.ok(difference * compareOrdinals(left!, right!) >= 0, `${left} ${right}`);
        assert.equal(Math.floor(orderIndexOf(left!)), Number.parseInt(a[0] === '10' ? '62' : a[0], 10));
      }),
      { numRuns: 4_000, seed: 18 },
    );
  });

  test('[ORD-4] the index tells the tasks of the upper levels apart', () => {
    const keys = generateNKeysBetween(null, null, 60);
    const indexes = keys.flatMap((top) => keys.map((child) => orderIndexOf(ordinalOf([top, child]))));
    assert.equal(new Set(indexes).size, 3_600);
  });

  test('[ORD-4] the index tells tasks apart down to the level promised', () => {
    const outline = (keys: readonly (readonly string[])[]) =>
      keys
        .reduce<string[][]>(
          (above, siblings) => [
            ...above,
            ...above
              .filter((path) => path.length === above.at(-1)!.length)
              .flatMap((path) => siblings.map((key) => [...path, key])),
          ],
          [[]],
        )
        .slice(1);
    const few = generateNKeysBetween(null, null, 5);
    const dozens = generateNKeysBetween(null, null, 40);
    const hundreds = generateNKeysBetween(null, null, 200);
    // As when each is put before the one made last.
    const upwards = few.reduce<string[]>((keys) => [generateKeyBetween(null, keys[0] ?? null), ...keys], []);
    for (const levels of [
      [few, few, few, few, few, few, few],
      [hundreds, few, few, few],
      [dozens, upwards, few],
    ]) {
      const indexes = outline(levels).map((path) => orderIndexOf(ordinalOf(path)));
      assert.equal(new Set(indexes).size, indexes.length, `${levels.length} levels`);
    }
  });
});
