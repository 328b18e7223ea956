// Lengths of time.

/** A day of 24 hours, milliseconds. Calendar days may be longer or shorter: those are Temporal's. */
export const DAY_MS = 86_400_000;
