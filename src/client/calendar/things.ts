// What stands in the days of the grid: a person's blocks, and the events of their calendars.
import { endIn, startIn } from '#core/calendar/blocks.ts';
import type { CalendarEvent, EventTime } from '#core/calendar/events.ts';
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import type { TaskBlock } from '../blocks/task-blocks.ts';
import type { KeptCalendars } from './port.ts';
import type { Spanning } from './layout.ts';

/** A block of a task. */
export interface BlockThing extends Spanning {
  readonly kind: 'block';
  /** Names it for as long as it exists. */
  readonly key: string;
  readonly held: TaskBlock;
}

/** An event of a calendar. */
export interface EventThing extends Spanning {
  readonly kind: 'event';
  /** Names it, also when its calendar was read again and has others before it. */
  readonly key: string;
  readonly calendar: Id;
  readonly event: CalendarEvent;
}

/** What stands in days. */
export type Thing = BlockThing | EventThing;

/** A block as it stands for somebody in `zone`. */
export function blockThing(held: TaskBlock, zone: string): BlockThing {
  const start = startIn(held.block, zone);
  return {
    kind: 'block',
    key: held.register,
    held,
    start,
    end: endIn(held.block, zone),
    isAllDay: false,
    isOverChange: false,
  };
}

interface Wall {
  readonly at: number;
  /** Minutes between this clock and UTC; null: the time is the same everywhere. */
  readonly offset: number | null;
}

function wallAt(time: EventTime, zone: string): Wall {
  if (time.type === 'day') return { at: Date.parse(time.day), offset: null };
  if (time.type === 'floating') return { at: Date.parse(`${time.local}Z`), offset: null };
  const there = Temporal.Instant.fromEpochMilliseconds(time.at).toZonedDateTimeISO(zone);
  const offset = there.offsetNanoseconds / 60_000_000_000;
  return { at: time.at + offset * 60_000, offset };
}

/** A time that is at most a day and a bit away from that on the wall: what is far needs no zone. */
const roughly = (time: EventTime): number =>
  time.type === 'moment' ? time.at : Date.parse(time.type === 'day' ? time.day : `${time.local}Z`);

interface Rough {
  readonly calendar: Id;
  readonly event: CalendarEvent;
  readonly start: number;
  readonly end: number;
}

/** A calendar may have an event twice: then the second is another. */
function keysFor(): (of: Rough) => string {
  const seen = new Map<string, number>();
  return ({ calendar, event, start }) => {
    const key = [calendar, event.uid, event.occurrence ?? '', start].join(' ');
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 1 ? key : `${key} ${times}`;
  };
}

/** The events that were read, so that those of a few days are found without looking at the zones of all others. */
export class EventBook {
  readonly #all: readonly Rough[];

  constructor(calendars: KeptCalendars['events']) {
    this.#all = calendars.flatMap(({ id, events }) =>
      events.map((event): Rough => ({
        calendar: id,
        event,
        start: roughly(event.start),
        end: roughly(event.end),
      })),
    );
  }

  /** The events that touch [from, to) on the wall in `zone`, some beside it perhaps; whole days first, then by start. */
  between(from: number, to: number, zone: string): readonly EventThing[] {
    const near = this.#all.filter(({ start, end }) => start < to + DAY_MS && end > from - DAY_MS);
    const keyOf = keysFor();
    const things = near.map((rough): EventThing => {
      const { calendar, event } = rough;
      const start = wallAt(event.start, zone);
      const end = wallAt(event.end, zone);
      const isOverChange = start.offset !== null && end.offset !== null && end.offset < start.offset;
      const isAllDay = event.start.type === 'day';
      const when = { start: start.at, end: end.at, isAllDay, isOverChange };
      return { kind: 'event', key: keyOf(rough), calendar, event, ...when };
    });
    return things.toSorted((a, b) => Number(b.isAllDay) - Number(a.isAllDay) || a.start - b.start);
  }
}
