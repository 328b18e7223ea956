// What was looked for in the palette and not found, so that a missing word can be told to us. Kept on this device alone;
// nobody else learns of it unless the person copies it and sends it.
import { readJson } from '#core/json.ts';
import type { Platform } from '../app.ts';

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

/** The newest first. */
export function noteMissed(preferences: Platform['preferences'], query: string): void {
  const before = missedQueries(preferences);
  const times = before.find((one) => one.query === query)?.times ?? 0;
  const others = before.filter((one) => one.query !== query);
  preferences.set(KEY, JSON.stringify([{ query, times: times + 1 }, ...others].slice(0, MOST)));
}

export function forgetMissed(preferences: Platform['preferences']): void {
  preferences.set(KEY, '');
}

/** As lines to be sent. */
export function writeMissed(missed: readonly Missed[]): string {
  return missed.map(({ query, times }) => (times > 1 ? `${query} (${times}×)` : query)).join('\n');
}
