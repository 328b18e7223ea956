// View of the lesson.

/** The current step of the lesson. */
export interface LessonView {
  /** Number of the step, from 1. */
  readonly at: number;
  readonly total: number;
  readonly title: string;
  /** The text after the key; empty: none. */
  readonly after: string;
  /** Commands whose keys do it. */
  readonly keys: readonly string[];
  /** The touch gesture that does it. */
  readonly touch: string;
  readonly isOver: boolean;
  /** The words of all steps for a finger: the strip keeps the height of the longest. */
  readonly all: readonly { readonly title: string; readonly touch: string }[];
}
