// What is drawn of a task being typed: the chips of what was recognised, and the quick entry dialog.
import type { Id } from '#core/ids.ts';

/** A date, a repeat, a length, a label or a list that was recognised while typing. */
export interface TokenView {
  readonly kind: 'due' | 'repeat' | 'duration' | 'label' | 'list';
  /** "due Fri 27 Nov 2026" */
  readonly said: string;
  /** The words of it; empty: it was chosen, no words say it. */
  readonly text: string;
  /** It is set with the task, or only once it is accepted. */
  readonly state: 'counts' | 'suggested';
}

export interface QuickEntryView {
  readonly text: string;
  /** Stands in the empty line: what to type, and what sets its date. */
  readonly example: string;
  readonly caret: number;
  /** Grows when the field has to show `text` anew. */
  readonly put: number;
  readonly tokens: readonly TokenView[];
  /** "#errands": names that what stands before the caret may become. */
  readonly completions: readonly string[];
  /** Tab accepts or completes something; else it moves the focus. */
  readonly tabAccepts: boolean;
  /** With the caret here, Backspace makes words of what was recognised. */
  readonly refusable: readonly number[];
  /** Backspace puts back what was accepted last. */
  readonly restores: boolean;
  readonly notes: string;
  readonly showsNotes: boolean;
  /** Those that the task does not get yet. */
  readonly labels: readonly { readonly id: Id; readonly name: string }[];
  readonly list: Id;
  readonly lists: readonly { readonly id: Id; readonly name: string }[];
  /** The day it is due, `2026-11-27`; empty: on none, or at a time. */
  readonly dueOn: string;
  /** Words of repeats to choose from. */
  readonly repeats: readonly string[];
  readonly stays: boolean;
  readonly answer: string;
}
