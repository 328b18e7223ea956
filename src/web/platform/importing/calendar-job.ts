// Reads a calendar file into events, inside the import worker. Loaded with the first one.
import type { CalendarWindow, ReadCalendar } from '#core/calendar/events.ts';
import { readCalendar } from '#core/calendar/read-calendar.ts';
import { decodeText } from '#core/formats/decode-text.ts';
import { failed, ok, type Result } from '#core/result.ts';

/** A file that was read, with its text: its events are reckoned again when days have gone by. */
export interface ReadFile {
  readonly text: string;
  readonly read: ReadCalendar;
}

const PROBLEMS = {
  not_calendar: 'This is no calendar. Choose a file that ends in .ics.',
  too_large: 'The calendar is larger than 20 MB.',
} as const;

/** `given`: the bytes of a file, or its text from before. */
export async function readCalendarFile(
  given: Uint8Array | string,
  window: CalendarWindow,
): Promise<Result<ReadFile, string>> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  const decoded = typeof given === 'string' ? ok({ text: given }) : decodeText(given);
  if (!decoded.ok) return failed(PROBLEMS.not_calendar);
  const { text } = decoded.value;
  const read = readCalendar(text, window);
  return read.ok ? ok({ text, read: read.value }) : failed(PROBLEMS[read.problem]);
}
