// What the calendar beside the outline draws. A day is a new object exactly when something in it changed.
import type { Stretch } from '../calendar/clock.ts';

/** How many days are shown. */
export type WeekMode = 1 | 3 | 7;

/** A block or an event. */
export interface ThingView {
  /** Names it among all that are shown. */
  readonly key: string;
  readonly kind: 'block' | 'event';
  readonly title: string;
  /** "9:00–11:00"; "All day". */
  readonly time: string;
  /** Of its calendar, `#rrggbb`; null: a block. */
  readonly color: string | null;
  /** Its task is done, or the occurrence that it was for. */
  readonly isDone: boolean;
  /** An event that takes no time, or is not settled. */
  readonly isLight: boolean;
}

/** One that has no time, above the hours. */
export interface AllDayView extends ThingView {
  /** From 0: the same on all its days. */
  readonly lane: number;
  /** It begins, or ends, on this day. */
  readonly begins: boolean;
  readonly ends: boolean;
}

/** One of them in the grid of its day. */
export interface PlacedView extends ThingView {
  /** Minutes of the day, [from, to). */
  readonly from: number;
  readonly to: number;
  /** From 0, of `columns` that share the width. */
  readonly column: number;
  readonly columns: number;
  readonly begins: boolean;
  readonly ends: boolean;
}

/** A day of the grid. */
export interface WeekDayView {
  /** `2026-11-30`. */
  readonly day: string;
  /** "Mon". */
  readonly name: string;
  readonly number: number;
  /** "Monday, November 30". */
  readonly label: string;
  readonly isToday: boolean;
  readonly work: Stretch | null;
  readonly skipped: Stretch | null;
  readonly twice: Stretch | null;
  readonly allDay: readonly AllDayView[];
  readonly placed: readonly PlacedView[];
}

/** The calendar beside the outline. */
export interface WeekView {
  /** What was chosen; fewer days are shown where there is no room for so many. */
  readonly mode: WeekMode;
  /** "November 2026". */
  readonly title: string;
  /** "Week 48". */
  readonly week: string;
  /** "11 h 15 min planned"; empty: nothing is. */
  readonly planned: string;
  /** Why events may be missing; empty: they are here. */
  readonly state: string;
  readonly days: readonly WeekDayView[];
  /** 24 of them: "9 AM". */
  readonly hours: readonly string[];
}

/** The slot that keys are about. */
export interface SlotView {
  /** Its day among those that are shown, from 0. */
  readonly day: number;
  /** Minutes of the day. */
  readonly minute: number;
  /** "9:15 AM". */
  readonly time: string;
  /** "Tuesday, November 24, 9:15 AM: Review plan until 10:00 AM". */
  readonly label: string;
  /** What stands there and keys are about; null: nothing. */
  readonly key: string | null;
}

/** Where the present moment is. */
export interface NowView {
  /** Its day among those that are shown, from 0. */
  readonly day: number;
  readonly minute: number;
}
