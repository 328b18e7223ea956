// How full a day is, in words.
import { sayDuration } from '#core/dates/duration-words.ts';

/** How much is planned of a day, and how much time is left of it. */
export interface Capacity {
  /** Minutes of undone blocks and of tasks with a duration and no block. */
  readonly planned: number;
  /** Minutes of working time that no event takes. */
  readonly free: number;
}

/** Whether more is planned than fits. */
export const isOver = ({ planned, free }: Capacity): boolean => planned > free;

/** "2 h planned of 5 h free", "6 h planned of 5 h free: 1 h too much"; empty: nothing is planned, and no time is left. */
export function sayCapacity({ planned, free }: Capacity): string {
  if (planned === 0) return free === 0 ? '' : `${sayDuration(free)} free`;
  const said = `${sayDuration(planned)} planned`;
  if (free === 0) return `${said}, no working time left`;
  const over = planned > free ? `: ${sayDuration(planned - free)} too much` : '';
  return `${said} of ${sayDuration(free)} free${over}`;
}
