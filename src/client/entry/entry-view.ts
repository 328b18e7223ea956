// Views of a task being typed: chips of its tokens, and the quick entry dialog.
import type { Id } from '#core/ids.ts';
import type { When } from '#core/when.ts';

/** A date, start, snooze, repeat, duration, label or list recognized while typing. */
export interface TokenView {
  readonly kind: 'due' | 'start' | 'snooze' | 'repeat' | 'duration' | 'label' | 'list';
  /** "due Fri 27 Nov 2026" */
  readonly said: string;
  /** "Take the date: due Fri 27 Nov 2026": what pressing it does. */
  readonly act: string;
  /** Its words in the line; empty: it was chosen, or taken out of the line. */
  readonly text: string;
  /** Where its words begin in the line, UTF-16; null when they do not stand there. */
  readonly at: number | null;
  /** Whether it is set with the task, or only once accepted. */
  readonly state: 'counts' | 'suggested';
}

/** The quick entry dialog. */
export interface QuickEntryView {
  readonly text: string;
  /** Placeholder of the empty line: what to type, with an example date. */
  readonly example: string;
  readonly caret: number;
  /** Grows when the field has to show `text` again. */
  readonly put: number;
  readonly tokens: readonly TokenView[];
  /** "#errands", "New label #shop": completions of the name before the caret. */
  readonly completions: readonly string[];
  /** Tab accepts or completes something; else it moves the focus. */
  readonly tabAccepts: boolean;
  /** Caret positions at which Backspace turns a token back into words. */
  readonly refusable: readonly number[];
  /** Backspace undoes the last acceptance. */
  readonly restores: boolean;
  readonly notes: string;
  readonly showsNotes: boolean;
  /** Labels that the task does not have yet. */
  readonly labels: readonly { readonly id: Id; readonly name: string }[];
  /** Null: the person has to choose one first. */
  readonly list: Id | null;
  readonly lists: readonly { readonly id: Id; readonly name: string }[];
  /** The due day, `2026-11-27`; empty: none, or due at a time. */
  readonly dueOn: string;
  /** Phrases of common repeats to choose from. */
  readonly repeats: readonly string[];
  readonly stays: boolean;
  readonly answer: string;
  /** Why the text could not be added where it was meant to go; empty: it was not refused. */
  readonly reason: string;
}

/** An action in the quick entry dialog. */
export type QuickEntryAction =
  | { readonly action: 'type'; readonly text: string; readonly caret: number }
  /** Accepts the first suggestion or completion. */
  | { readonly action: 'tab' }
  /** `index`: among the tokens. */
  | { readonly action: 'accept' | 'refuse'; readonly index: number }
  /** `index`: among the completions. */
  | { readonly action: 'complete'; readonly index: number }
  /** Backspace. */
  | { readonly action: 'back'; readonly caret: number }
  /** Phrase of a date or repeat chosen by hand. */
  | { readonly action: 'words'; readonly text: string }
  | { readonly action: 'notes'; readonly text: string }
  | { readonly action: 'label' | 'list'; readonly id: Id }
  | { readonly action: 'stays'; readonly checked: boolean }
  | { readonly action: 'save' };

/** Initial content of quick entry: text that came from elsewhere. */
export interface OfferedEntry {
  readonly text: string;
  readonly notes: string;
  /** Written by somebody else: dates in it are suggested at most. */
  readonly isQuoted?: boolean;
  /** Why it was not added where it was meant to go: shown until it is added or left. */
  readonly reason?: string;
  /** It was meant for another place than the Inbox: nothing is added before a list is chosen. */
  readonly asksForList?: boolean;
  readonly list?: Id | null;
  /** Values given besides the text. */
  readonly due?: When | null;
  readonly durationMinutes?: number | null;
  readonly labels?: readonly { readonly id: Id; readonly name: string }[];
}
