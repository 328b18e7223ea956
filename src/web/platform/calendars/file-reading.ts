// Has calendar files read in the import worker, so that the page answers keys meanwhile, and a file that never ends is given up.
import type { CalendarWindow } from '#core/calendar/events.ts';
import { failed, type Result } from '#core/result.ts';
import { BoundedWorker } from '../bounded-worker.ts';
import type { ReadFile } from '../importing/calendar-job.ts';
import type { ImportAnswer, ImportJob } from '../importing/import-worker.ts';
import { IMPORT_WORKER } from '../script-url.ts';

const READ_MS = 60_000;
const MISSING =
  'The file can’t be read now, because part of the app is missing. Check your connection, and try again.';
const SLOW = 'The calendar takes too long to read.';

/** `content`: a Blob, bytes, or the text of a file from before. */
export async function readCalendarHere(
  content: unknown,
  window: CalendarWindow,
): Promise<Result<ReadFile, string>> {
  const worker = new BoundedWorker<ImportJob, ImportAnswer, number>(IMPORT_WORKER, 'calendar');
  try {
    if (!(await worker.ready)) return failed(MISSING);
    const end = await worker.run({ do: 'calendar', content, window }, READ_MS);
    if (typeof end !== 'object') return failed(end === 'slow' ? SLOW : MISSING);
    return end.answer.did === 'calendar' ? end.answer.answer : failed(MISSING);
  } finally {
    worker.end();
  }
}
