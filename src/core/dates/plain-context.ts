// The context for dates in words when a person's habits are unknown: day before month, weeks from Monday.
import type { PhraseContext } from './reader.ts';

/** The default context. `now` in milliseconds, `zone` an IANA name. */
export function plainContext(now: number, zone: string): PhraseContext {
  return {
    now,
    zone,
    order: 'dmy',
    hour12: false,
    dayStart: 0,
    weekStart: 1,
    nextWeek: 'first day',
    prefers: 'future',
    current: null,
    hours: { morning: 9, afternoon: 15, evening: 18, night: 20 },
  };
}
