// What the status line says about what just happened, and what screen readers say. One message at a time; it fades,
// because undo stays in the key and in the history.
import { createSignal, type Signal } from './signal.ts';
import type { StatusView } from './view.ts';

const SHOWN_MS = 8_000;

export type Message = NonNullable<StatusView['message']>;

export class Messages {
  readonly #after: (delayMs: number, work: () => void) => () => void;
  readonly #onChange: () => void;
  readonly #announcement = createSignal<{ readonly text: string; readonly n: number }>({ text: '', n: 0 });
  #message: Message | null = null;
  #cancel: (() => void) | null = null;

  constructor(after: (delayMs: number, work: () => void) => () => void, onChange: () => void) {
    this.#after = after;
    this.#onChange = onChange;
  }

  get current(): Message | null {
    return this.#message;
  }

  get announcement(): Signal<{ readonly text: string; readonly n: number }> {
    return this.#announcement;
  }

  show(message: Message): void {
    this.#cancel?.();
    this.#message = message;
    this.announce(message.text);
    this.#cancel = this.#after(SHOWN_MS, () => this.clear());
    this.#onChange();
  }

  clear(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#message === null) return;
    this.#message = null;
    this.#onChange();
  }

  announce(text: string): void {
    this.#announcement.set({ text, n: this.#announcement.get().n + 1 });
  }
}
