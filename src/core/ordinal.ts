// The API's `ordinal` and `order_index`: one number per task that sorts a whole list in outline order, derived from the
// order keys on the path to the task. Not here: making order keys, and where a given number places a task
// (api/outline.ts).
import { assert } from './assert.ts';

/** Digits of an ordinal by value: 0–9, a–z, A–Z. Order keys count differently (bytes: 0–9, A–Z, a–z). */
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const KEY_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62;
/** A double holds this many bits of a fraction exactly, so truncating to them never swaps two tasks. */
const INDEX_BITS = 53;
const ORDINAL = /^(?:[0-9a-zA-Z]+(?:\.[0-9a-zA-Z]*)?|\.[0-9a-zA-Z]+)$/;

const digitValues = new Map([...DIGITS].map((digit, value) => [digit, value]));
const encodedKeyDigits = new Map([...KEY_DIGITS].map((digit, value) => [digit, encodeKeyDigit(value)]));

/**
 * Each digit is written one higher; the two highest take two digits. 0 stays free to end a key, so that a key, then its
 * children, then any longer key that begins with it come in this order.
 */
function encodeKeyDigit(value: number): string {
  const digit = (at: number) => DIGITS.charAt(at);
  return value < BASE - 2 ? digit(value + 1) : digit(BASE - 1) + digit(value - BASE + 3);
}

/**
 * The ordinal of the task reached by `path`: the order keys from the list's child down to the task itself. Compared as
 * numbers (compareOrdinals), the ordinals of a list's tasks are distinct and in outline order. Canonical form.
 */
export function ordinalOf(path: readonly string[]): string {
  assert(path.length > 0, 'a task has a place');
  const keys = path.map((key) => {
    assert(key.length > 0, 'an order key is not empty');
    let encoded = '';
    for (const digit of key) {
      const part = encodedKeyDigits.get(digit);
      assert(part !== undefined, 'an order key is written in base 62');
      encoded += part;
    }
    return encoded;
  });
  return `0.${keys.join('0')}`;
}

/**
 * Reads a number from outside into its one canonical form, without idle zeros. `.a` is `0.a`. Null when it is not base
 * 62.
 */
export function parseOrdinal(text: string): string | null {
  if (!ORDINAL.test(text)) return null;
  const [whole = '', fraction = ''] = text.split('.');
  const integer = withoutLeadingZeros(whole);
  const decimals = withoutTrailingZeros(fraction);
  return decimals === '' ? integer : `${integer}.${decimals}`;
}

function withoutLeadingZeros(digits: string): string {
  let from = 0;
  while (from < digits.length - 1 && digits[from] === '0') from += 1;
  return digits.slice(from) || '0';
}

function withoutTrailingZeros(digits: string): string {
  let to = digits.length;
  while (to > 0 && digits[to - 1] === '0') to -= 1;
  return digits.slice(0, to);
}

/** Compares canonical ordinals as base-62 numbers: negative, zero or positive. */
export function compareOrdinals(a: string, b: string): number {
  const [wholeA = '', fractionA = ''] = a.split('.');
  const [wholeB = '', fractionB = ''] = b.split('.');
  return (
    wholeA.length - wholeB.length || compareDigits(wholeA, wholeB) || compareDigits(fractionA, fractionB)
  );
}

function compareDigits(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    if (a[i] !== b[i]) return valueAt(a, i) - valueAt(b, i);
  }
  return a.length - b.length;
}

function valueAt(digits: string, at: number): number {
  return digitValues.get(digits.charAt(at)) ?? 0;
}

/** The role of a digit in the fraction of an ordinal made here. Any other number is read in the same way. */
type DigitKind = 'head' | 'whole' | 'wholeBefore' | 'second' | 'rest';

/** A run of digits whose codes begin alike: the digits from this value on, their common prefix, and bits to tell them apart. */
type Run = readonly [from: number, prefix: string, bits: number];

/**
 * Codes of digits by role: shorter for common digits of order keys, in the order of the digits, and prefix-free. So the
 * codes of two ordinals, one digit after the other, compare as the ordinals do. Zero, which also follows the end, is
 * all zeros.
 */
const codes: Readonly<Record<DigitKind, readonly string[]>> = {
  // How many digits the whole part of a key has: a one, b two, c three; Z one and Y two, before a.
  head: codesOf([
    [0, '000', 6],
    [35, '001', 0],
    [36, '01', 0],
    [37, '10', 0],
    [38, '110', 0],
    [39, '1110', 0],
    [40, '1111', 5],
  ]),
  // Counts up from the first sibling.
  whole: codesOf([
    [0, '0', 3],
    [8, '10', 4],
    [24, '11', 6],
  ]),
  // Counts down, for keys before the first sibling.
  wholeBefore: codesOf([
    [0, '00', 6],
    [54, '01', 3],
    [61, '1', 0],
  ]),
  second: codesOf([
    [0, '0', 0],
    [1, '10', 0],
    [2, '110', 0],
    [3, '111', 6],
  ]),
  // After the whole part, zero leads to the children and anything else is a place between two keys.
  rest: codesOf([
    [0, '0', 0],
    [1, '1', 6],
  ]),
};

function codesOf(runs: readonly Run[]): readonly string[] {
  return [...DIGITS].map((_, value) => {
    const [from, prefix, bits] = runs.findLast(([first]) => first <= value) ?? [0, '', 0];
    return bits === 0 ? prefix : prefix + (value - from).toString(2).padStart(bits, '0');
  });
}

/** Length of the whole part of a key by its first digit; 0 when no key begins so. */
function wholeDigits(head: number): number {
  if (head >= 37) return head - 36;
  return head >= 11 ? 37 - head : 0;
}

/**
 * The canonical ordinal as a float, below 1 for those made here. It never changes the order. Tasks seven levels deep, a
 * few per parent, get distinct values; deeper or more crowded ones may share one.
 */
export function orderIndexOf(ordinal: string): number {
  const [whole = '', fraction = ''] = ordinal.split('.');
  let integer = 0;
  for (let i = 0; i < whole.length; i += 1) integer = integer * BASE + valueAt(whole, i);
  let code = '';
  let kind: DigitKind = 'head';
  let left = 0;
  let isBefore = false;
  for (let i = 0; i < fraction.length && code.length < INDEX_BITS; i += 1) {
    const value = valueAt(fraction, i);
    code += codes[kind][value] ?? '';
    // The two highest digits of a key take two digits here.
    if (kind !== 'second' && value === BASE - 1) {
      kind = 'second';
      continue;
    }
    if (kind === 'head') {
      left = wholeDigits(value);
      isBefore = value < 37;
    } else if (left > 0) left -= 1;
    else if (value === 0) {
      kind = 'head';
      continue;
    }
    kind = left === 0 ? 'rest' : isBefore ? 'wholeBefore' : 'whole';
  }
  return integer + Number.parseInt(code.slice(0, INDEX_BITS).padEnd(INDEX_BITS, '0'), 2) / 2 ** INDEX_BITS;
}
