// How often somebody is told of the same task outside the app: what happens sooner waits, and the last of it is told.

/** Between two messages about a task, milliseconds. */
export const NOTICE_PACE_MS = 5 * 60_000;
