// The place for the one dialog there may be: what it shows, and its controller where it has state of its own.
import { createSignal, type Signal } from '../app/signal.ts';
import type { DialogView } from './dialog-view.ts';
import type { OpenDialog } from './open-dialog.ts';

/** Holds at most one dialog. Opening another leaves the one before it; null: none is open. */
export class DialogSlot implements Signal<DialogView | null> {
  readonly #view = createSignal<DialogView | null>(null);
  #controller: OpenDialog | null = null;

  /** What is shown; null: no dialog. */
  readonly get: () => DialogView | null = () => this.#view.get();
  readonly subscribe: Signal<DialogView | null>['subscribe'] = (listener) => this.#view.subscribe(listener);

  /** The controller of the dialog on screen; null where that has none, or has not drawn itself yet. */
  get controller(): OpenDialog | null {
    return this.#controller?.type === this.get()?.type ? this.#controller : null;
  }

  /** Whether this controller has the dialog, drawn or not. One that has not must not draw. */
  isOf(controller: OpenDialog): boolean {
    return this.#controller === controller;
  }

  /** Gives the dialog to a controller, which draws itself. The one before it is left. */
  open(controller: OpenDialog): void {
    this.#leave();
    this.#controller = controller;
    controller.refresh();
  }

  /** Shows a dialog, or draws it anew. A controller of another type is left. */
  show(view: DialogView): void {
    if (this.#controller !== null && this.#controller.type !== view.type) this.#leave();
    this.#view.set(view);
  }

  /** What it shows may have changed. */
  refresh(): void {
    this.#controller?.refresh();
  }

  close(): void {
    this.#leave();
    this.#view.set(null);
  }

  #leave(): void {
    const controller = this.#controller;
    this.#controller = null;
    controller?.leave();
  }
}
