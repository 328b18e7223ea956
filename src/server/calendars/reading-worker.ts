// Reads calendar files in a thread of its own: a file can only use up this thread's time and memory.
import { parentPort } from 'node:worker_threads';
import type { CalendarWindow, ReadCalendar } from '#core/calendar/events.ts';
import { type CalendarProblem, readCalendar } from '#core/calendar/read-calendar.ts';
import type { Result } from '#core/result.ts';

/** A file, and of when its events are wanted. */
export interface Asked {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly window: CalendarWindow;
}

/** What was read. */
export type Said = Result<ReadCalendar, CalendarProblem>;

parentPort?.on('message', ({ bytes, window }: Asked) => {
  const said: Said = readCalendar(new TextDecoder().decode(bytes), window);
  parentPort?.postMessage(said);
});
