// What the status line says about what just happened, and what screen readers say. One message at a time; it fades,
// because undo stays in the key and in the history.
import type { Id } from '#core/ids.ts';
import { createSignal, type Signal } from './signal.ts';
import type { StatusView } from './view.ts';

const SHOWN_MS = 8_000;
const DAY_MS = 86_400_000;

export type Message = NonNullable<StatusView['message']>;
/** What keeps a message: it is pointed at or has the focus, nobody sees it, or a dialog lies over it. */
export type MessageHold = 'pointer' | 'focus' | 'hidden' | 'dialog';
/** So many tasks were done so with, for what is done several times in a row. */
export interface Tally {
  /** Past tense: "completed". */
  readonly verb: string;
  readonly count: number;
}

export interface MessageOptions {
  /** Answers a command, and goes with the next one. */
  readonly brief?: boolean;
  /** The undo group that its offer to undo takes back. */
  readonly undoes?: Id | null;
  /** Screen readers are spared it. */
  readonly silent?: boolean;
  readonly shownMs?: number;
  readonly tally?: Tally | undefined;
  /** The undo group before that one: what it offers to take back is counted with this. */
  readonly follows?: Id | undefined;
}

export interface SayOptions {
  /** Offers to take back the newest change. */
  readonly undo?: boolean;
  readonly error?: boolean;
  /** It answers a command and goes with the next one. */
  readonly brief?: boolean;
  readonly tally?: Tally | undefined;
  /** The keys pressed are not bound. */
  readonly isMiss?: true;
}

export class Messages {
  readonly #after: (delayMs: number, work: () => void) => () => void;
  readonly #onChange: () => void;
  readonly #announcement = createSignal<{ readonly text: string; readonly n: number }>({ text: '', n: 0 });
  #message: Message | null = null;
  #cancel: (() => void) | null = null;
  #isBrief = false;
  #undoes: Id | null = null;
  #tally: Tally | null = null;
  #shownMs = SHOWN_MS;
  readonly #holds = new Set<MessageHold>();

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
    const { tally = null, follows = null } = options;
    const isNext = follows !== null && follows === this.#undoes && this.#tally?.verb === tally?.verb;
    const before = isNext ? (this.#tally?.count ?? 0) : 0;
    this.#tally = tally === null ? null : { ...tally, count: tally.count + before };
    const counted = before > 0 && this.#tally ? { tally: `${this.#tally.count} ${this.#tally.verb}` } : {};
    this.#message = { ...message, ...counted };
    this.#isBrief = options.brief ?? false;
    this.#undoes = options.undoes ?? null;
    if (options.silent !== true) this.announce(message.text);
    this.#shownMs = options.shownMs ?? SHOWN_MS;
    this.#wait();
    this.#onChange();
  }

  /** Keeps what is shown, or lets it go on fading: from the beginning, as who looked away may look again. */
  hold(why: MessageHold, isHeld: boolean): void {
    if (this.#holds.has(why) === isHeld) return;
    if (isHeld) this.#holds.add(why);
    else this.#holds.delete(why);
    if (this.#message !== null) this.#wait();
  }

  #wait(): void {
    this.#cancel?.();
    this.#cancel = this.#holds.size > 0 ? null : this.#after(this.#shownMs, () => this.#fade());
  }

  #fade(): void {
    this.#tally = null;
    this.clear();
  }

  /** Says what is being waited for, until whoever waits clears it. */
  await(text: string): void {
    this.show({ text, undo: false, tone: 'info' }, { shownMs: DAY_MS });
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
