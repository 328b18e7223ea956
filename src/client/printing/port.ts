// What is printed, and what prints it: the views draw it (web/views/paper).
import type { RowView } from '../app/view.ts';

/** One line on paper. */
export interface PaperLine {
  readonly line: string;
  /** What stands above it; null: it is under the one before it. */
  readonly heading: string | null;
  /** From 1. */
  readonly level: number;
  readonly kind: RowView['kind'];
  readonly isDone: boolean;
  readonly title: string;
  /** "due tomorrow, label Work"; empty: nothing. */
  readonly details: string;
  /** Empty: none, or they are not wanted. */
  readonly notes: string;
}

/** A place as it is printed. */
export interface Paper {
  readonly title: string;
  /** "12 tasks, 3 completed · Monday, 30 November 2026". */
  readonly about: string;
  readonly notes: string;
  readonly lines: readonly PaperLine[];
  /** How many further lines there are no room for. */
  readonly left: number;
}

/** What prints: the page of the browser, in which `make` says what is on paper; null from it: what is on screen. */
export interface PaperPort {
  /** `make` is asked whenever something is printed, by whichever menu. */
  follow(make: () => Paper | null): void;
  /** Opens the system's dialog; returns once it is closed where the browser waits for that. */
  print(): void;
}
