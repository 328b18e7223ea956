// Checks for impossible states. Expected errors are values; these are for defects.

/**
 * Throws unless the condition holds: a defect in the program, never an expected error. `message` names what should
 * hold.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Impossible: ${message}`);
}

/** The value, which must be present; throws when it is null or undefined. */
export function must<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new Error(`Impossible: ${message}`);
  return value;
}

/** Marks a switch as exhaustive: the compiler refuses a forgotten case. */
export function unreachable(value: never): never {
  throw new Error(`Impossible: unexpected ${JSON.stringify(value)}`);
}
