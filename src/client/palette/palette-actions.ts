// What commands may do with the palette (palette.ts does it), open or still being loaded.
import type { MonthStep } from '../pickers/month.ts';
import type { Signal } from '../signal.ts';
import type { PaletteView } from './palette-view.ts';

export interface PaletteActions {
  readonly view: Signal<PaletteView | null>;
  readonly isOpen: boolean;
  /** `prefix` narrows it: `>` commands, `@` places, `#` labels, `/` a search. */
  open(prefix: string): void;
  close(): void;
  input(query: string): void;
  move(step: number): void;
  accept(): void;
  /** Accepts and asks again. False where no picker asks. */
  acceptAndStay(): boolean;
  /** The other thing that can be done with the active item. False when there is none. */
  second(): boolean;
  /** Goes into the active item, or writes it into the field. */
  refine(): void;
  /** One step back. False when there is none. */
  back(): boolean;
  /** Keys move in the month beside a date. */
  readonly isInMonth: boolean;
  /** What an item is called now. */
  titleOf(item: string): string;
  /** False: there is none. */
  focusMonth(on: boolean): boolean;
  stepInMonth(step: MonthStep): void;
  /** `day`: 2026-11-27 */
  chooseDay(day: string): void;
}
