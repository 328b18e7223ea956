// What the lesson draws.

/** What is learnt just now, by doing it. */
export interface LessonView {
  /** Number of the step, from 1. */
  readonly at: number;
  readonly total: number;
  readonly title: string;
  /** What comes after the key; empty: nothing. */
  readonly after: string;
  /** Commands whose keys do it. */
  readonly keys: readonly string[];
  /** How a finger does it. */
  readonly touch: string;
  /** What has just been reached. */
  readonly praise: string | null;
  readonly isOver: boolean;
  /** Another place is open. */
  readonly isElsewhere: boolean;
}
