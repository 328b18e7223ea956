// Checks for what cannot happen. Expected errors are values; these are for defects.

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Impossible: ${message}`);
}

/** The value, which must be there. */
export function must<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new Error(`Impossible: ${message}`);
  return value;
}

/** Marks a switch as exhaustive: the compiler refuses a forgotten case. */
export function unreachable(value: never): never {
  throw new Error(`Impossible: unexpected ${JSON.stringify(value)}`);
}
