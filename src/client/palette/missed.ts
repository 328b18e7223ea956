// Palette queries without a result, so that a missing word can be reported to us. Stored on this device alone; nobody
// else sees them unless the person copies and sends them.
import { readJson } from '#core/json.ts';
import type { Platform } from '../app/app.ts';

const KEY = 'palette.missed';
const MOST = 50;

export interface Missed {
  readonly query: string;
  readonly times: number;
}

export function missedQueries(preferences: Platform['preferences']): readonly Missed[] {
  const read = readJson(preferences.get(KEY));
  if (!Array.isArray(read)) return [];
  return read.filter(
    (one: Partial<Missed> | null): one is Missed =>
      typeof one?.query === 'string' && typeof one.times === 'number',
  );
}

/** Newest first. */
export function noteMissed(preferences: Platform['preferences'], query: string): void {
  const before = missedQueries(preferences);
  const times = before.find((one) => one.query === query)?.times ?? 0;
  const others = before.filter((one) => one.query !== query);
  preferences.set(KEY, JSON.stringify([{ query, times: times + 1 }, ...others].slice(0, MOST)));
}

export function forgetMissed(preferences: Platform['preferences']): void {
  preferences.set(KEY, '');
}

/** As lines to send. */
export function writeMissed(missed: readonly Missed[]): string {
  return missed.map(({ query, times }) => (times > 1 ? `${query} (${times}×)` : query)).join('\n');
}
