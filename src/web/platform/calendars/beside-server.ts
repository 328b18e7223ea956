// How calendars of files stand beside those of the server: one list, one set of events.
import type { CalendarList, KeptCalendars, KeptSource } from '#client/calendar/port.ts';
import type { FileCalendar } from './file-store.ts';

const sourceOf = (file: FileCalendar): KeptSource => ({
  id: file.id,
  name: file.name,
  host: file.fileName,
  color: file.color,
  isHidden: file.isHidden,
  problem: null,
  readAt: file.readAt,
  nextAt: file.readAt,
  isHere: true,
  ...(file.unread > 0 ? { unread: file.unread } : {}),
  ...(file.isCut ? { isCut: true } : {}),
});

/** What a list of calendars of the server is together with these files. */
export function listWith(list: CalendarList, files: readonly FileCalendar[]): CalendarList {
  const removed = files.flatMap(({ id, name, trashedAt: at }) => (at === null ? [] : [{ id, name, at }]));
  return {
    sources: [...list.sources, ...shown(files).map(sourceOf)],
    removed: [...removed, ...(list.removed ?? [])].toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)),
  };
}

/** Those that were not removed. */
export const shown = (files: readonly FileCalendar[]) => files.filter(({ trashedAt }) => trashedAt === null);

/** What is kept of the server together with these files; null: nothing. */
export function keptWith(kept: KeptCalendars | null, files: readonly FileCalendar[]): KeptCalendars | null {
  if (kept === null && files.length === 0) return null;
  const list = listWith(kept ?? { sources: [] }, files);
  const events = shown(files).flatMap((file) =>
    file.isHidden ? [] : [{ id: file.id, events: [...file.events] }],
  );
  return {
    readAt: kept?.readAt ?? Math.max(...files.map(({ readAt }) => readAt)),
    ...list,
    events: [...(kept?.events ?? []), ...events],
  };
}
