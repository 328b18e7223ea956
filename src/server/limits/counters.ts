// Counters that several processes of one installation share, so that a limit holds over all of them. Whoever implements it keeps
// the keys only as long as they count. Not here: the limits (rates.ts), and what holds while they can't be reached
// (shared-limits.ts).
import type { Refused, Taken, Window } from './window.ts';

/** What is counted of whom. The key is a digest: it says nothing to who reads it. */
export interface Counted {
  readonly rate: string;
  readonly key: string;
}

/** Places of one account that this process gives away. */
export interface Seats {
  readonly account: number;
  readonly node: string;
  /** How many this process has given away, with the one that is asked for. */
  readonly count: number;
  /** Of all processes. */
  readonly most: number;
  /** The processes that are there; places of others are free. */
  readonly nodes: readonly string[];
}

/** Each call is one step that no other process comes between. Time is the counter's own: clocks of processes differ. */
export interface Counters {
  /** Counts one call unless a window is full; refused calls are not counted. */
  take(counted: Counted, windows: readonly Window[]): Promise<Taken | Refused>;
  /** Takes back the newest call, which turned out not to count. */
  giveBack(counted: Counted): Promise<void>;
  /** Counts a try that may be a guess (guesses.ts), unless it has to wait: so many milliseconds, or 0. */
  guess(counted: Counted): Promise<number>;
  /** Forgets everything that was counted. */
  forget(counted: Counted): Promise<void>;
  /** Notes the places that a process gives away, unless all together are too many. */
  sit(seats: Seats): Promise<boolean>;
  /** Removes what counts no longer. */
  sweep(): Promise<void>;
}
