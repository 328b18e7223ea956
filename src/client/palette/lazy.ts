// The palette for the rest of the app, loaded or not: until then it is closed. It works in palette.ts.
import type { ArgumentValues } from '../commands/command.ts';
import type { Command } from '../commands/define.ts';
import type { MonthStep } from '../pickers/month.ts';
import type { PaletteActions } from './palette-actions.ts';
import { createSignal } from '../app/signal.ts';
import type { PaletteView } from './palette-view.ts';
import type { Palette } from './palette.ts';

/** Delegates to the palette once it is loaded. Before that, its actions do nothing. */
export class LazyPalette implements PaletteActions {
  readonly view = createSignal<PaletteView | null>(null);
  readonly #make: () => Palette | null;
  #made: Palette | null = null;

  /** `make`: returns null until the palette is loaded. */
  constructor(make: () => Palette | null) {
    this.#make = make;
  }

  get #palette(): Palette | null {
    return (this.#made ??= this.#make());
  }

  get isOpen(): boolean {
    return this.view.get() !== null;
  }

  open(prefix: string | null): void {
    this.#palette?.open(prefix);
  }

  ask(command: Command, values: ArgumentValues): void {
    this.#palette?.ask(command, values);
  }

  close(): void {
    this.#palette?.close();
  }

  input(query: string): void {
    if (this.isOpen) this.#palette?.input(query);
  }

  move(step: number): void {
    this.#palette?.move(step);
  }

  accept(): void {
    this.#palette?.accept();
  }

  acceptAndStay(): boolean {
    return this.#palette?.acceptAndStay() ?? false;
  }

  second(): boolean {
    return this.#palette?.second() ?? false;
  }

  refine(): void {
    this.#palette?.refine();
  }

  press(index: number): void {
    this.#palette?.press(index);
  }

  back(): boolean {
    return this.#palette?.back() ?? false;
  }

  titleOf(item: string): string {
    return this.#palette?.titleOf(item) ?? item;
  }

  get isInMonth(): boolean {
    return this.view.get()?.month?.isFocused === true;
  }

  focusMonth(on: boolean): boolean {
    return this.#palette?.focusMonth(on) ?? false;
  }

  stepInMonth(step: MonthStep): void {
    this.#palette?.stepInMonth(step);
  }

  chooseDay(day: string): void {
    this.#palette?.chooseDay(day);
  }
}
