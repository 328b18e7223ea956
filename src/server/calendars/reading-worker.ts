// Reads calendar files, and answers of CalDAV servers, in a thread of its own: they can only use up this thread's time and memory.
import { parentPort } from 'node:worker_threads';
import type { CalendarEvent, CalendarWindow, ReadCalendar } from '#core/calendar/events.ts';
import { type CalendarProblem, readCalendar } from '#core/calendar/read-calendar.ts';
import { ok, type Result } from '#core/result.ts';
import { type DavAnswer, type DavResponse, readMultistatus } from './dav/multistatus.ts';

/** A file, and of when its events are wanted. */
export interface Asked {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly window: CalendarWindow;
}

/** An answer of a CalDAV server, and of when its events are wanted. */
export interface AskedDav extends Asked {
  readonly isDav: true;
}

/** What was read. */
export type Said = Result<ReadCalendar, CalendarProblem>;

/** A resource, with the events of its file; null: the answer has no file of it. */
export interface ReadResponse extends DavResponse {
  readonly events: readonly CalendarEvent[] | null;
  /** Entries that could not be read. */
  readonly unread: number;
  readonly isCut: boolean;
}

/** An answer with the events of its files. */
export interface ReadAnswer extends DavAnswer {
  readonly responses: readonly ReadResponse[];
}

/** What was read of an answer. */
export type SaidOfDav = Result<ReadAnswer, 'not_dav'>;

function responseOf(response: DavResponse, window: CalendarWindow): ReadResponse {
  const { data, ...properties } = response.properties;
  const plain = { ...response, properties };
  if (data === undefined) return { ...plain, events: null, unread: 0, isCut: false };
  const read = readCalendar(data, window);
  if (!read.ok) return { ...plain, events: [], unread: 1, isCut: false };
  const { events, unread, isCut } = read.value;
  return { ...plain, events, unread, isCut };
}

function readDav(text: string, window: CalendarWindow): SaidOfDav {
  const answer = readMultistatus(text);
  if (!answer.ok) return answer;
  const { responses, syncToken } = answer.value;
  return ok({ syncToken, responses: responses.map((response) => responseOf(response, window)) });
}

parentPort?.on('message', (asked: Asked | AskedDav) => {
  const text = new TextDecoder().decode(asked.bytes);
  const said: Said | SaidOfDav =
    'isDav' in asked ? readDav(text, asked.window) : readCalendar(text, asked.window);
  parentPort?.postMessage(said);
});
