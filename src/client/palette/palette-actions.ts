// What commands may do with the palette, loaded or not; implemented by palette.ts.
import type { MonthStep } from '../pickers/month.ts';
import type { Signal } from '../app/signal.ts';
import type { PaletteView } from './palette-view.ts';

/** Implemented by the palette and by its lazy stand-in, for which everything is a no-op until loaded. */
export interface PaletteActions {
  readonly view: Signal<PaletteView | null>;
  readonly isOpen: boolean;
  /**
   * `prefix` narrows it: `>` commands, `@` places, `#` labels, `/` a search. Null: what can be done with the task at the
   * cursor or the selected ones; everything where there is none.
   */
  open(prefix: string | null): void;
  close(): void;
  input(query: string): void;
  move(step: number): void;
  accept(): void;
  /** Accepts and asks again. False if no picker is asking. */
  acceptAndStay(): boolean;
  /** The other action on the active item. False when there is none. */
  second(): boolean;
  /** Goes into the active item, or completes the field with it. */
  refine(): void;
  /** One step back. False when there is none. */
  back(): boolean;
  /** Keys move in the month beside a date. */
  readonly isInMonth: boolean;
  /** The current title of an item. */
  titleOf(item: string): string;
  /** False: there is none. */
  focusMonth(on: boolean): boolean;
  stepInMonth(step: MonthStep): void;
  /** `day`: 2026-11-27 */
  chooseDay(day: string): void;
}
