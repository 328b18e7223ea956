// The only way to follow parents upwards. It ends on any data: a tree from a damaged disk, a file or another server may
// contain a cycle, and a loop without a guard would hang the app for good.

/**
 * `start` and everything above it, nearest first. `next` gives the parent; undefined ends the walk. In a cycle the walk
 * ends too, after naming its members at least once and at most three times. Costs one comparison a step and no memory
 * (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980).
 */
export function* walkUp<T>(
  start: T | undefined,
  next: (at: T) => T | undefined,
): Generator<T, void, undefined> {
  let mark: T | undefined;
  let steps = 0;
  let markAt = 1;
  for (let at = start; at !== undefined; at = next(at)) {
    if (at === mark) return;
    yield at;
    steps += 1;
    if (steps === markAt) {
      mark = at;
      markAt *= 2;
    }
  }
}
