// Writes a person's own plan for other calendars (RFC 5545, VEVENT): their time blocks, and their tasks that are due. The same tasks give the
// same text, on a server and on a device. Not here: which tasks there are (server/calendars/feed-tasks.ts, client/blocks/saving.ts).
import {
  calendarLines,
  calendarProduct,
  calendarText,
  dateValue,
  isWallTime,
  utc,
} from '../formats/export/calendar.ts';
import { zoneLines } from '../formats/export/zones.ts';
import type { Id } from '../ids.ts';
import { DAY_MS } from '../time.ts';
import { isDayWhen, isInstantWhen, momentOf, type When } from '../when.ts';
import { type HeldBlock, whenOf } from './blocks.ts';

/** What of a plan is written. */
export interface FeedChoice {
  readonly hasBlocks: boolean;
  readonly hasDue: boolean;
  /** Whether tasks are named; otherwise they are all called “Busy”. */
  readonly hasNames: boolean;
  /** Whether what is done stays in it. */
  readonly hasDone: boolean;
}

/** A task of a plan. */
export interface FeedTask {
  readonly id: Id;
  readonly title: string;
  readonly due: When | null;
  /** Minutes; null: nobody has said. */
  readonly duration: number | null;
  /** The number of its present occurrence. */
  readonly occ: number;
  readonly isDone: boolean;
  readonly blocks: readonly HeldBlock[];
  /** When it or its blocks last changed, milliseconds. */
  readonly changedAt: number;
}

/** Limits of a plan that is written. */
export const feedLimits = {
  /** Events; the earliest stay. As many as a calendar that is read here may have. */
  events: 5_000,
  /** What ended longer ago is left out. */
  daysBefore: 92,
} as const;

const MINUTE_MS = 60_000;
/** A day differs from that of UTC by less. */
const ZONES_MS = 2 * DAY_MS;
/** After which a calendar program asks again. */
const REFRESH = 'PT15M';

interface FeedEvent {
  readonly uid: string;
  readonly start: When;
  /** Null: it takes no time. */
  readonly end: When | null;
  readonly title: string;
  readonly isBusy: boolean;
  readonly changedAt: number;
}

/** Years have four digits. */
const LAST_MS = Date.UTC(9999, 11, 30);

/** The date `minutes` later: on the clock on the wall for one without a zone, else in time; of a day the next one. Null: calendars can't say it. */
function later(when: When, minutes: number): When | null {
  if (momentOf(when, 'UTC') + minutes * MINUTE_MS > LAST_MS) return null;
  if (isDayWhen(when)) return { on: Temporal.PlainDate.from(when.on).add({ days: 1 }).toString() };
  if (isInstantWhen(when)) return { at: when.at + minutes * MINUTE_MS, zone: when.zone };
  return {
    local: Temporal.PlainDateTime.from(when.local).add({ minutes }).toString({ smallestUnit: 'second' }),
  };
}

function titleOf(
  { title, isDone }: Pick<FeedTask, 'title' | 'isDone'>,
  choice: FeedChoice,
  lead: string,
): string {
  if (!choice.hasNames) return 'Busy';
  return `${isDone ? '✓ ' : ''}${lead}${title === '' ? 'Untitled' : title}`;
}

function blockEvents(task: FeedTask, choice: FeedChoice): readonly FeedEvent[] {
  return task.blocks.flatMap(({ register, block }) => {
    const isDone = task.isDone || block.occ !== task.occ;
    if (isDone && !choice.hasDone) return [];
    const start = whenOf(block);
    return {
      uid: register.replace(':', '-'),
      start,
      end: later(start, block.minutes),
      title: titleOf({ ...task, isDone }, choice, ''),
      isBusy: true,
      changedAt: task.changedAt,
    };
  });
}

function dueEvent(task: FeedTask, choice: FeedChoice): readonly FeedEvent[] {
  const { id, due, duration, occ } = task;
  if (due === null || (task.isDone && !choice.hasDone)) return [];
  const takes = isDayWhen(due) ? 0 : (duration ?? 0);
  return [
    {
      uid: `due-${id}${occ === 0 ? '' : `-${occ}`}`,
      start: due,
      end: isDayWhen(due) || takes > 0 ? later(due, takes) : null,
      // Beside the blocks of a task, so that the two can be told apart.
      title: titleOf(task, choice, choice.hasBlocks ? 'Due: ' : ''),
      isBusy: takes > 0,
      changedAt: task.changedAt,
    },
  ];
}

/** Start and end are of one kind: both on the clock of their zone, or both in UTC. */
function timeLines(start: When, end: When | null): readonly string[] {
  const dates = [start, ...(end === null ? [] : [end])];
  const isPlain = dates.every((when) => !isInstantWhen(when) || isWallTime(when));
  return dates.map((when, at) => {
    const value = isPlain || !isInstantWhen(when) ? dateValue(when) : `:${utc(when.at)}`;
    return `${at === 0 ? 'DTSTART' : 'DTEND'}${value}`;
  });
}

const eventLines = ({ uid, start, end, title, isBusy, changedAt }: FeedEvent): readonly string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  `DTSTAMP:${utc(changedAt)}`,
  `LAST-MODIFIED:${utc(changedAt)}`,
  ...timeLines(start, end),
  `SUMMARY:${calendarText(title)}`,
  `TRANSP:${isBusy ? 'OPAQUE' : 'TRANSPARENT'}`,
  'END:VEVENT',
];

/** The zones that events name, each with the first and the last moment in it. */
function zonesOf(events: readonly FeedEvent[]): readonly string[] {
  const zones = new Map<string, readonly [from: number, to: number]>();
  for (const { start, end } of events)
    for (const when of [start, end]) {
      if (when === null || !isInstantWhen(when) || !isWallTime(when)) continue;
      const [from, to] = zones.get(when.zone) ?? [when.at, when.at];
      zones.set(when.zone, [Math.min(from, when.at), Math.max(to, when.at)]);
    }
  const sorted = [...zones].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([zone, [from, to]]) => zoneLines(zone, from, to));
}

/** The first moment of what is written on the day of `now`, milliseconds: the same all day. */
export const feedBeginning = (now: number): number => now - (now % DAY_MS) - feedLimits.daysBefore * DAY_MS;

/** A calendar of these tasks. `now`: milliseconds. `zone`: where times without one are read by programs that need one; null: nobody knows. */
export function writeFeed(
  tasks: readonly FeedTask[],
  choice: FeedChoice,
  { name, now, zone }: { readonly name: string; readonly now: number; readonly zone: string | null },
): string {
  const from = feedBeginning(now) - ZONES_MS;
  const begins = ({ start }: FeedEvent) => momentOf(start, 'UTC');
  const events = tasks
    .flatMap((task) => [
      ...(choice.hasBlocks ? blockEvents(task, choice) : []),
      ...(choice.hasDue ? dueEvent(task, choice) : []),
    ])
    .filter((event) => momentOf(event.end ?? event.start, 'UTC') >= from)
    .toSorted((a, b) => begins(a) - begins(b) || (a.uid < b.uid ? -1 : 1))
    .slice(0, feedLimits.events);
  return calendarLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${calendarProduct}`,
    'CALSCALE:GREGORIAN',
    `NAME:${calendarText(name)}`,
    `X-WR-CALNAME:${calendarText(name)}`,
    ...(zone === null ? [] : [`X-WR-TIMEZONE:${zone}`]),
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...zonesOf(events),
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ]);
}
