// Whether memory grows over a run: what is held after garbage was collected, compared between its first and its last third.

const MEGABYTE = 1_048_576;
/** Measurements vary by this, and caches fill. */
const ALLOWED = 1.2;
const ALLOWED_BYTES = 8 * MEGABYTE;
/** Fewer say nothing. */
const LEAST = 9;

export interface Growth {
  /** The least that was held in each third, bytes. */
  readonly thirds: readonly number[];
  readonly isGrowing: boolean;
}

/** `samples` in the order they were taken, bytes. Null for a run too short to tell. */
export function growthOf(samples: readonly number[]): Growth | null {
  if (samples.length < LEAST) return null;
  const third = Math.floor(samples.length / 3);
  const thirds = [0, 1, 2].map((part) => Math.min(...samples.slice(part * third, (part + 1) * third)));
  const [first, , last] = thirds as [number, number, number];
  return { thirds, isGrowing: last > first * ALLOWED + ALLOWED_BYTES };
}
