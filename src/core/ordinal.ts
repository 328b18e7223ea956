// The API's `ordinal` and `order_index`: one number per task that sorts a whole list in outline order, derived from
// the order keys on the way down to it; and, read back, the sibling after which a written number places a task.
// Not here: making order keys.
import { assert } from './assert.ts';

/** Digits of an ordinal by value: 0–9, a–z, A–Z. Order keys count differently (bytes: 0–9, A–Z, a–z). */
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const KEY_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62;
/** So many digits of a fraction are an exact double, so that truncating to them never swaps two tasks. */
const INDEX_DIGITS = 8;
const ORDINAL = /^[0-9a-zA-Z]+(?:\.[0-9a-zA-Z]*)?$/;

const digitValues = new Map([...DIGITS].map((digit, value) => [digit, value]));
const encodedKeyDigits = new Map([...KEY_DIGITS].map((digit, value) => [digit, encodeKeyDigit(value)]));

/**
 * The digits 1–61 stand for themselves one lower; the two that no longer fit get a second digit. 0 stays free to end
 * a key, so that a key, then its children, then any longer key that begins with it come in this order.
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

/** Reads a number from outside into its one canonical form: no idle zeros. Null when it is not base 62. */
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
  return digits.slice(from);
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

/** The canonical ordinal as a float. Never out of order, but deep or crowded places share one. */
export function orderIndexOf(ordinal: string): number {
  const [whole = '', fraction = ''] = ordinal.split('.');
  let integer = 0;
  for (let i = 0; i < whole.length; i += 1) integer = integer * BASE + valueAt(whole, i);
  let decimals = 0;
  for (let i = 0; i < INDEX_DIGITS; i += 1)
    decimals = decimals * BASE + (i < fraction.length ? valueAt(fraction, i) : 0);
  return integer + decimals / BASE ** INDEX_DIGITS;
}

export interface OrdinalSibling<T> {
  readonly id: T;
  /** Canonical. */
  readonly ordinal: string;
}

/**
 * The sibling directly after which `written` places a task; null is before all of them. Siblings come in any order and
 * without the task itself. A number inside a sibling's subtree, or its very number, means after that sibling.
 */
export function placeAfterOrdinal<T>(written: string, siblings: readonly OrdinalSibling<T>[]): T | null {
  return lastAtMost(siblings, (sibling) => compareOrdinals(sibling.ordinal, written) <= 0);
}

/** As placeAfterOrdinal, for a written `order_index`; among siblings that share an index, after the last. */
export function placeAfterIndex<T>(written: number, siblings: readonly OrdinalSibling<T>[]): T | null {
  return lastAtMost(siblings, (sibling) => orderIndexOf(sibling.ordinal) <= written);
}

function lastAtMost<T>(
  siblings: readonly OrdinalSibling<T>[],
  isBefore: (sibling: OrdinalSibling<T>) => boolean,
): T | null {
  let last: OrdinalSibling<T> | null = null;
  for (const sibling of siblings) {
    if (isBefore(sibling) && (last === null || compareOrdinals(sibling.ordinal, last.ordinal) > 0))
      last = sibling;
  }
  return last === null ? null : last.id;
}
