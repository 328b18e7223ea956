// What the status line says about what just happened, and what screen readers say. One message at a time; it fades,
// because undo stays in the key and in the history.
import type { Id } from '#core/ids.ts';
import { createSignal, type Signal } from './signal.ts';
import type { StatusView } from './view.ts';

const SHOWN_MS = 8_000;

export type Message = NonNullable<StatusView['message']>;

export interface MessageOptions {
  /** Answers a command, and goes with the next one. */
  readonly brief?: boolean;
  /** The undo group that its offer to undo takes back. */
  readonly undoes?: Id | null;
  /** Screen readers are spared it. */
  readonly silent?: boolean;
  readonly shownMs?: number;
}

export class Messages {
  readonly #after: (delayMs: number, work: () => void) => () => void;
  readonly #onChange: () => void;
  readonly #announcement = createSignal<{ readonly text: string; readonly n: number }>({ text: '', n: 0 });
  #message: Message | null = null;
  #cancel: (() => void) | null = null;
  #isBrief = false;
  #undoes: Id | null = null;

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

  show(message: Message, options: MessageOptions = {}): void {
    this.#cancel?.();
    this.#message = message;
    this.#isBrief = options.brief ?? false;
    this.#undoes = options.undoes ?? null;
    if (options.silent !== true) this.announce(message.text);
    this.#cancel = this.#after(options.shownMs ?? SHOWN_MS, () => this.clear());
    this.#onChange();
  }

  /** Adds a sentence to what is shown. */
  amend(text: string): void {
    if (this.#message === null) return;
    this.#message = { ...this.#message, text: `${this.#message.text} ${text}` };
    this.announce(text);
    this.#onChange();
  }

  /** Shows the key of what was just done: beside what is said of it, else alone and for a moment. */
  teach(keys: readonly string[], shownMs: number): void {
    const alone = { text: '', undo: false, tone: 'info', keys } as const;
    if (this.#message === null) this.show(alone, { shownMs, brief: true, silent: true });
    else this.#message = { ...this.#message, keys };
    this.announce(`Next time: ${keys.join(' ')}`);
    this.#onChange();
  }

  /** The next command begins: the answer to the one before goes, unless it offers undo. */
  clearAnswer(): void {
    if (this.#isBrief && this.#message?.undo !== true) this.clear();
  }

  /** Something else was changed since: an offer to undo goes, as it would take back that. */
  clearOffer(newest: Id | undefined): void {
    if (this.#message?.undo === true && this.#undoes !== newest) this.clear();
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
