// Makes views of the days of the grid. A day whose view says the same stays the same object, so that only what changed is drawn.
import { personColors } from '#core/people.ts';
import { DAY_MS } from '#core/time.ts';
import { isUndone } from '../blocks/task-blocks.ts';
import type { KeptCalendars } from '../calendar/port.ts';
import { nameOf } from '../outline/row-facts.ts';
import { clockChangeOf, dayOf, type Stretch } from '../calendar/clock.ts';
import { layOut } from '../calendar/layout.ts';
import type { Sayings } from './sayings.ts';
import type { Thing } from '../calendar/things.ts';
import type { ThingView, WeekDayView } from './week-view.ts';

/** What days are drawn from. */
export interface DaysAsked {
  /** Midnight of the first day, on the wall. */
  readonly first: number;
  readonly count: number;
  readonly zone: string;
  readonly today: string;
  readonly sayings: Sayings;
  readonly things: readonly Thing[];
  readonly sources: ReadonlyMap<string, KeptCalendars['sources'][number]>;
  readonly workOf: (day: string) => Stretch | null;
}

function thingView(thing: Thing, { sayings, sources }: DaysAsked): ThingView {
  const { key, kind } = thing;
  const time = sayings.time(thing);
  if (thing.kind === 'block') {
    const title = nameOf(thing.held.task) || 'Untitled';
    return { key, kind, title, time, color: null, isDone: !isUndone(thing.held), isLight: false };
  }
  const { title, isBusy, isTentative } = thing.event;
  const color = sources.get(thing.calendar)?.color ?? personColors[0];
  return {
    key,
    kind,
    title: title || 'Untitled',
    time,
    color,
    isDone: false,
    isLight: !isBusy || isTentative,
  };
}

/** Rows for what has no time: each keeps its own from day to day, and a new one takes the first that is free. */
class Lanes {
  #taken: ReadonlyMap<string, number> = new Map();

  /** Those of the next day, by the order of `keys`. */
  next(keys: readonly string[]): readonly number[] {
    const kept = new Map(
      keys.flatMap((key) => {
        const lane = this.#taken.get(key);
        return lane === undefined ? [] : [[key, lane] as const];
      }),
    );
    const used = new Set(kept.values());
    for (const key of keys) {
      if (kept.has(key)) continue;
      let lane = 0;
      while (used.has(lane)) lane += 1;
      used.add(lane);
      kept.set(key, lane);
    }
    this.#taken = kept;
    return keys.map((key) => kept.get(key) ?? 0);
  }
}

/** The days, each with what stands on it; those of `before` that are still true stay the same objects. */
export function viewDays(asked: DaysAsked, before: readonly WeekDayView[]): readonly WeekDayView[] {
  const { first, count, zone, sayings } = asked;
  const known = new Map(before.map((view) => [view.day, view]));
  const lanes = new Lanes();
  return Array.from({ length: count }, (_, at): WeekDayView => {
    const midnight = first + at * DAY_MS;
    const day = dayOf(midnight);
    const change = clockChangeOf(day, zone);
    const { allDay, placed } = layOut(asked.things, midnight, change);
    const laneOf = lanes.next(allDay.map(({ key }) => key));
    const view: WeekDayView = {
      day,
      name: sayings.name(midnight),
      number: Number(day.slice(8)),
      label: sayings.day(midnight),
      isToday: day === asked.today,
      work: asked.workOf(day),
      ...change,
      allDay: allDay.map((thing, index) => ({
        ...thingView(thing, asked),
        lane: laneOf[index] ?? 0,
        begins: thing.start >= midnight || at === 0,
        ends: thing.end <= midnight + DAY_MS,
      })),
      placed: placed.map(({ thing, ...where }) => ({ ...thingView(thing, asked), ...where })),
    };
    const old = known.get(day);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(view) ? old : view;
  });
}

/** Minutes that are planned for what is not done, of blocks that begin in [from, to). */
export function plannedMinutes(things: readonly Thing[], from: number, to: number): number {
  let minutes = 0;
  for (const thing of things) {
    if (thing.kind !== 'block' || thing.start < from || thing.start >= to) continue;
    if (isUndone(thing.held)) minutes += thing.held.block.minutes;
  }
  return minutes;
}
