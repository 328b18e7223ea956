// Which hours of the calendar are in sight: only what is in them is drawn. Pure but for what it measures.
import { DAY_MINUTES, STEP_MINUTES, type Stretch } from '#client/calendar/clock.ts';

/** By so many minutes what is drawn changes. */
const STEP = 30;
/** So many minutes beyond what is seen are drawn, for the time until scrolling is heard of. */
const MARGIN = 30;
/** Of an hour, and of what stands above and below the grid; pixels at the usual size of text. */
const HOUR_PX = 52;
const AROUND_PX = 150;

function around(from: number, to: number): Stretch {
  return {
    from: Math.max(0, Math.floor((from - MARGIN) / STEP) * STEP),
    to: Math.min(DAY_MINUTES, Math.ceil((to + MARGIN) / STEP) * STEP),
  };
}

/** A guess before anything is measured: the slot will stand at a third of the height. */
export function firstSight(minute: number): Stretch {
  const minutes = Math.min(DAY_MINUTES, ((innerHeight - AROUND_PX) / HOUR_PX) * 60);
  const from = Math.min(Math.max(0, minute - minutes / 3), DAY_MINUTES - minutes);
  return around(from, from + minutes);
}

/** What is in sight of a grid whose last child is as tall as a day; `before` if that is the same. */
export function sightOf(grid: HTMLElement, before: Stretch): Stretch {
  const day = grid.lastElementChild;
  if (!(day instanceof HTMLElement) || day.offsetHeight === 0) return before;
  const minutes = DAY_MINUTES / day.offsetHeight;
  const { from, to } = around(grid.scrollTop * minutes, (grid.scrollTop + grid.clientHeight) * minutes);
  return from === before.from && to === before.to ? before : { from, to };
}

/** Whether something of a day is in sight. What is short is as tall as a row. */
export function isInSight({ from, to }: Stretch, sight: Stretch): boolean {
  return from < sight.to && Math.max(to, from + STEP_MINUTES) > sight.from;
}
