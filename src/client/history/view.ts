// What the history and the time machine show; the rest of what is drawn is view.ts.
import type { Id } from '#core/ids.ts';

/** Both sides of one change. */
export interface HistoryDetail {
  readonly name: string;
  /** Null: not known, or there was nothing. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What one gesture did, in words. */
export interface HistoryEntryView {
  readonly id: string;
  readonly ago: string;
  readonly exact: string;
  readonly who: string;
  readonly what: string;
  /** What it was done to, where the history is of more than that. */
  readonly about: string | null;
  /** It took something back, or made it again. */
  readonly isUndo: boolean;
  readonly isWaiting: boolean;
  readonly canBringBack: boolean;
  /** Of the active entry: every change of a larger gesture. */
  readonly parts: readonly string[];
  /** Of the active entry: before and after. */
  readonly details: readonly HistoryDetail[];
}

export interface HistoryView {
  readonly title: string;
  readonly isReading: boolean;
  /** What the person must know about what is shown: that it is this device's alone, that the server did not answer. */
  readonly note: string | null;
  readonly canRetry: boolean;
  readonly filter: string;
  readonly entries: readonly HistoryEntryView[];
  readonly active: number;
  readonly hasMore: boolean;
  /** What came of the last thing done here. */
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
  /** Nothing is known, whatever the filter. */
  readonly isEmpty: boolean;
}

/** One line of the outline as it was, or something that came since. */
export interface TimeLineView {
  readonly id: Id;
  /** What the whole is about, a line of it, or what was not there yet. */
  readonly kind: 'head' | 'line' | 'later';
  /** Among all that can be chosen, from 0. */
  readonly index: number;
  /** From 1. */
  readonly level: number;
  /** Besides its title: what it is, where it is no task. */
  readonly type: string | null;
  readonly title: string;
  readonly isDone: boolean;
  readonly active: boolean;
  /** What happened to it since, in words; empty: nothing. */
  readonly since: readonly string[];
  /** Of the active line: each of those, with both sides, to be brought back by itself. */
  readonly parts: readonly {
    readonly text: string;
    readonly detail: HistoryDetail | null;
    readonly active: boolean;
  }[];
}

/** A task, a list or everything as it was at a moment. */
export interface TimeMachineView {
  readonly title: string;
  readonly isReading: boolean;
  readonly note: string | null;
  readonly canRetry: boolean;
  /** How many moments are known. */
  readonly count: number;
  /** How many of them lie behind: 0 is now. */
  readonly position: number;
  readonly hasMore: boolean;
  /** “Now”, or when it was; short. */
  readonly when: string;
  /** What was done next, by whom; for now, what was done last. */
  readonly next: string;
  readonly summary: string;
  readonly onlyDifferences: boolean;
  /** A window of all lines. */
  readonly lines: readonly TimeLineView[];
  /** How many lie before and after those. */
  readonly above: number;
  readonly below: number;
  /** What Enter does; null: nothing. */
  readonly back: string | null;
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
}
