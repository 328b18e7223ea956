// What a page under test has to offer: where it is, how tasks get into it, and for every interaction the key and the
// sign that its result is on screen.
import type { Page } from 'playwright-core';
import type { Dataset } from '../datasets.ts';
import type { Predicate } from './probe.ts';

export const INTERACTIONS = [
  'move',
  'toggle',
  'type',
  'create',
  'search',
  'palette',
  'indent',
  'move task',
  'undo',
] as const;
export type InteractionName = (typeof INTERACTIONS)[number];

/** One measured keystroke. */
export interface Step {
  /** As Playwright spells it: `Control+k`. */
  readonly key: string;
  /** Name of the predicate that must be false before and true once the result is on screen. */
  readonly expect: string;
  readonly argument: unknown;
}

export interface Interaction {
  /** Everything unmeasured before the n-th keystroke. */
  prepare(page: Page, at: number): Promise<Step>;
  /** Leaves nothing open. */
  finish?(page: Page): Promise<void>;
}

export interface Served {
  /** Address that opens the list. */
  readonly url: string;
  close(): Promise<void>;
}

export interface Subject {
  readonly name: string;
  /** A URL of the same origin where none of the page's own code runs, or the page itself. */
  readonly seedPath: string;
  serve(): Promise<Served>;
  /** Puts the tasks into the page's own storage; the page is closed afterwards. */
  seed(page: Page, dataset: Dataset): Promise<void>;
  /** Functions of the page: sent as text, so they use nothing from outside. */
  readonly predicates: Readonly<Record<string, Predicate>> & {
    /** The list is on screen and takes keys. */
    readonly ready: Predicate;
    /** All of it is in memory; gets the number of tasks of the open list. */
    readonly complete: Predicate;
    /** Which row is selected. */
    readonly position: Predicate;
  };
  /** The keyboard on the list, nothing open. */
  focus(page: Page): Promise<void>;
  interactions(dataset: Dataset): Readonly<Record<InteractionName, Interaction>>;
}
