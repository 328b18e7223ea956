// Messages of the status line and announcements for screen readers. One message at a time; it fades, because undo stays
// available by its key and in the history.
import { DAY_MS } from '#core/time.ts';
import type { Id } from '#core/ids.ts';
import { createSignal, type Signal } from './signal.ts';
import type { StatusView } from './view.ts';

const SHOWN_MS = 8_000;
/** Quiet time before screen readers hear the outcome of a series of keys. */
const TOLD_MS = 300;

export type Message = NonNullable<StatusView['message']>;
/** Why a message is held: the pointer or the focus is on it, nobody can see it, or a dialog covers it. */
export type MessageHold = 'pointer' | 'focus' | 'hidden' | 'dialog';
/** How many tasks a command handled, for repeating it several times in a row. */
export interface Tally {
  /** Past tense: "completed". */
  readonly verb: string;
  readonly count: number;
}

export interface MessageOptions {
  /** It answers a command and goes with the next one. */
  readonly brief?: boolean;
  /** The undo group that its undo offer takes back. */
  readonly undoes?: Id | null;
  /** Not announced to screen readers. */
  readonly silent?: boolean;
  readonly shownMs?: number;
  readonly tally?: Tally | undefined;
  /** The undo group before that one: a tally of that group is counted into this one. */
  readonly follows?: Id | undefined;
}

export interface SayOptions {
  /** Offers to undo the newest change. */
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
  #stopTelling: (() => void) | null = null;
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

  /** Holds the message, or restarts its fading in full: the person may look again. */
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

  /** Says what the app is waiting for, until cleared. */
  await(text: string): void {
    this.show({ text, undo: false, tone: 'info' }, { shownMs: DAY_MS });
  }

  /** Adds a sentence to the message. */
  amend(text: string): void {
    if (this.#message === null) return;
    this.#message = { ...this.#message, text: `${this.#message.text} ${text}` };
    // What was announced just before may not have been read yet: it is replaced by all of it.
    this.announce(this.#message.text);
    this.#onChange();
  }

  /** Shows the key of the command that just ran: beside its message, else alone and for a moment. */
  teach(keys: readonly string[], shownMs: number): void {
    const alone = { text: '', undo: false, tone: 'info', keys } as const;
    const said = this.#message?.text ?? '';
    if (this.#message === null) this.show(alone, { shownMs, brief: true, silent: true });
    else this.#message = { ...this.#message, keys };
    this.announce(`${said} Next time: ${keys.join(' ')}`.trim());
    this.#onChange();
  }

  /** A new command begins: the brief answer to the one before goes, unless it offers undo. */
  clearAnswer(): void {
    if (this.#isBrief && this.#message?.undo !== true) this.clear();
  }

  /** Something else was changed since: the undo offer goes, as it would take back the newer change. */
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

  /**
   * Announces the outcome of a series of keys to screen readers alone, once no other key follows; null: it no longer
   * applies. A newer announcement replaces it.
   */
  tell(words: () => string | null, settledMs: number = TOLD_MS): void {
    this.#stopTelling?.();
    this.#stopTelling = this.#after(settledMs, () => {
      const text = words();
      if (text !== null) this.announce(text);
    });
  }

  announce(text: string): void {
    this.#stopTelling?.();
    this.#stopTelling = null;
    this.#announcement.set({ text, n: this.#announcement.get().n + 1 });
  }
}
