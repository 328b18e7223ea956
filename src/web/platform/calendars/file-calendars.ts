// Calendars of files on this device: adding, replacing, changing, removing them and bringing them back. Nothing of
// them is sent. Not here: their database (file-store.ts).
import { coversWindow, windowAround } from '#core/calendar/events.ts';
import type { Id } from '#core/ids.ts';
import { personColors } from '#core/people.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { DAY_MS } from '#core/time.ts';
import type { ImportSource } from '#client/importing/port.ts';
import { type CalendarChange, calendarSourceLimits } from '#wire/calendars.ts';
import { newId } from '../world.ts';
import { shown } from './beside-server.ts';
import { readCalendarHere } from './file-reading.ts';
import { dropFile, type FileCalendar, filesOf, keepFile } from './file-store.ts';

const FULL = `This device has ${calendarSourceLimits.sources} calendars of files, and that’s the limit. Remove one first.`;

const windowHere = (now: number) => windowAround(now, Intl.DateTimeFormat().resolvedOptions().timeZone);

const nameOf = (fileName: string) => fileName.replace(/^.*\//, '').replace(/\.ics$/i, '');

/** All that are there, removed ones too; what was removed long ago is deleted. */
export async function fileCalendars(account: number): Promise<readonly FileCalendar[]> {
  const now = Date.now();
  const files = await filesOf(account);
  const isOver = ({ trashedAt }: FileCalendar) =>
    trashedAt !== null && trashedAt <= now - calendarSourceLimits.trashDays * DAY_MS;
  for (const file of files.filter(isOver)) await dropFile(account, file.id);
  return files.filter((file) => !isOver(file));
}

/** Reckons the events of those anew whose days have gone by. True: there were some. */
export async function freshen(account: number, files: readonly FileCalendar[]): Promise<boolean> {
  const now = Date.now();
  const old = shown(files).filter(({ expandedAt }) => !coversWindow(expandedAt, now));
  let has = false;
  for (const file of old) {
    const read = await readCalendarHere(file.text, windowHere(now));
    if (!read.ok) continue;
    const { events, unread, isCut } = read.value.read;
    await keepFile(account, { ...file, events, unread, isCut, expandedAt: now });
    has = true;
  }
  return has;
}

/** Adds the calendar of a file, or puts it in the place of an older one. */
export async function takeFile(
  account: number,
  source: ImportSource,
  place: Id | null,
): Promise<Result<Id, string>> {
  if (source.size > calendarSourceLimits.fileBytes) return failed('The calendar is larger than 20 MB.');
  const files = await filesOf(account);
  const older = files.find(({ id }) => id === place);
  if (older === undefined && shown(files).length >= calendarSourceLimits.sources) return failed(FULL);
  const now = Date.now();
  const found = await readCalendarHere(source.content, windowHere(now));
  if (!found.ok) return found;
  const { text, read } = found.value;
  const taken = new Set(shown(files).map(({ color }) => color));
  const name = (read.name || nameOf(source.name)).slice(0, calendarSourceLimits.nameCharacters);
  const { events, unread, isCut } = read;
  const file: FileCalendar = {
    id: newId(),
    name,
    color: personColors.findLast((color) => !taken.has(color)) ?? personColors[0],
    isHidden: false,
    addedAt: now,
    trashedAt: null,
    // The person's own words for it stay.
    ...older,
    fileName: source.name,
    text,
    events,
    unread,
    isCut,
    readAt: now,
    expandedAt: now,
  };
  await keepFile(account, file);
  return ok(file.id);
}

/** Changes one of a device's files; false: it is none of them. */
export async function changeFile(
  account: number,
  id: Id,
  change: CalendarChange | 'remove' | 'restore',
): Promise<boolean> {
  const file = (await filesOf(account)).find((each) => each.id === id);
  if (file === undefined) return false;
  if (change === 'remove') await keepFile(account, { ...file, trashedAt: Date.now() });
  else if (change === 'restore') await keepFile(account, { ...file, trashedAt: null });
  else
    await keepFile(account, {
      ...file,
      name: change.name ?? file.name,
      color: change.color ?? file.color,
      isHidden: change.isHidden ?? file.isHidden,
    });
  return true;
}
