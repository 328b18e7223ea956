// What the situations of calendar files are written with: entries in short words, and the hour at which most of them are.
import { event, type Window } from '../reading.ts';

export interface Case {
  readonly name: string;
  /** A whole calendar, or entries of one. */
  readonly entries: string;
  /** Lines of reading.ts. */
  readonly expected: readonly string[];
  readonly window?: Window;
}

type Rest = readonly [expected: readonly string[], window?: Window];

/** Entries as they stand. */
export const all = (name: string, entries: string, ...[expected, window = {}]: Rest): Case => ({
  name,
  entries,
  expected,
  window,
});

/** One entry, called x. */
export const one = (name: string, lines: readonly string[], ...rest: Rest): Case =>
  all(name, event('UID:1', 'SUMMARY:x', ...lines), ...rest);

/** A whole calendar. */
export const calendar = (...lines: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\n');

/** Nine o’clock on a Monday. */
export const NINE = '20261102T090000';
/** It, for an hour, in a zone. */
export const atNine = (zone: string) => [`DTSTART;TZID=${zone}:${NINE}`, 'DURATION:PT1H'];
/** How it reads in Berlin. */
export const SAME_HOUR = ['2026-11-02 09:00-10:00 x'];
