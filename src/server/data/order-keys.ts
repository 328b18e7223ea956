// The order key of a row between two others. Where rows were put one after the other, the next one most likely follows: its key is the one
// beside the key that was made last, so that the gap stays as wide as it was. Keys in the middle of a gap halve it each time, and a run of some
// 150 rows used up what a key may be long (docs/decisions/0006).
import { generateKeyBetween } from 'fractional-indexing';
import { limits } from '#core/model.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const [SMALLEST, GREATEST] = ['1', 'z'];

interface Placed {
  readonly key: string;
  /** When it was placed, or changed since. */
  readonly version: number;
}

/** How many characters of a key count like a whole number: `a` and one digit, `b` and two; `Z` and one, `Y` and two. */
function wholeLength(key: string): number {
  const first = key.charCodeAt(0);
  return first >= 97 ? first - 95 : 92 - first;
}

const shifted = (digit: string, by: 1 | -1) => DIGITS.charAt(DIGITS.indexOf(digit) + by);

/** Where the digits of a key begin that can count without leaving the gap. */
function tailStart(key: string, other: string): number {
  let at = 0;
  while (at < key.length && key[at] === other[at]) at += 1;
  return Math.max(at + 1, wholeLength(key));
}

/** A tail counted up by one in its last digit. Used up, it goes on with as many digits again. */
function above(tail: string): string {
  const at = tail.length - 1 - (/z*$/.exec(tail)?.[0].length ?? 0);
  if (at < 0) return tail + SMALLEST.repeat(tail.length);
  const carried = tail.length - 1 - at;
  const end = carried === 0 ? '' : '0'.repeat(carried - 1) + SMALLEST;
  return tail.slice(0, at) + shifted(tail.charAt(at), 1) + end;
}

/** A tail counted down by one. No key ends with 0. */
function below(tail: string): string {
  const last = tail.length - 1;
  if (tail.charAt(last) > SMALLEST) return tail.slice(0, last) + shifted(tail.charAt(last), -1);
  const at = last - 1 - (/0*$/.exec(tail.slice(0, last))?.[0].length ?? 0);
  if (at < 0) return '0'.repeat(tail.length) + GREATEST.repeat(tail.length);
  return tail.slice(0, at) + shifted(tail.charAt(at), -1) + GREATEST.repeat(last - at);
}

/** A key between two neighbors; undefined: there is none on that side. Equal versions: in the middle. */
export function keyBetween(low: Placed | undefined, high: Placed | undefined): string {
  const middle = generateKeyBetween(low?.key ?? null, high?.key ?? null);
  if (low === undefined || high === undefined || low.version === high.version) return middle;
  const isRising = low.version > high.version;
  const [near, far] = isRising ? [low.key, high.key] : [high.key, low.key];
  const from = tailStart(near, far);
  // Between two whole numbers there is another, or the gap is still wide.
  if (near.length <= from || middle.length <= wholeLength(middle)) return middle;
  const key = near.slice(0, from) + (isRising ? above : below)(near.slice(from));
  return key.length > limits.keyCharacters ? middle : key;
}
