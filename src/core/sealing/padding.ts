// How long a sealed content becomes, so that its length says little: PADMÉ (Nikitin and others, PETS 2019). The length keeps only
// its highest bits, so it grows by at most 12 %, and short contents are all alike.

/** The binary logarithm without what is after the point, of a number below 2^32. */
const bitsBelow = (value: number) => 31 - Math.clz32(value);

/** Shorter contents become this long. */
const SHORTEST = 32;

/** The length that a content of `length` bytes has with its padding. */
export function paddedLength(length: number): number {
  if (length <= SHORTEST) return SHORTEST;
  const exponent = bitsBelow(length);
  const kept = bitsBelow(exponent) + 1;
  const step = 2 ** (exponent - kept);
  return Math.ceil(length / step) * step;
}
