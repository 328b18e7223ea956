// Views of a task being typed: chips of its tokens, and the quick entry dialog.
import type { Id } from '#core/ids.ts';
import type { When } from '#core/when.ts';
import type { ListMove } from '../dialogs/list-cursor.ts';
import type { PaletteItemView } from '../palette/palette-view.ts';
import type { MonthStep, MonthView } from '../pickers/month.ts';

/** A date, start, snooze, repeat, duration, label or list recognized while typing. */
export interface TokenView {
  readonly kind: 'due' | 'start' | 'snooze' | 'repeat' | 'duration' | 'label' | 'list';
  /** "due Fri 27 Nov 2026" */
  readonly said: string;
  /** What of it an icon says as well, at its beginning: "due ", "#"; empty: nothing. */
  readonly lead: string;
  /** What pressing it does, "Keep “friday” as words", or that it is an offer, "Suggested: #errands". */
  readonly act: string;
  /** Of a label: its color. */
  readonly color?: string;
  /** Its words in the line; empty: it was chosen, or taken out of the line. */
  readonly text: string;
  /** Where its words begin in the line, UTF-16; null when they do not stand there. */
  readonly at: number | null;
  /** Whether it is set with the task, or only once accepted. */
  readonly state: 'counts' | 'suggested';
}

/** What is chosen by hand in quick entry, instead of typed. */
export type EntryQuestion = 'due' | 'label' | 'list' | 'repeat';

/** A question of quick entry, with its answers. */
export interface EntryQuestionView {
  readonly what: EntryQuestion;
  /** "Due" */
  readonly title: string;
  readonly prompt: string;
  readonly query: string;
  readonly items: readonly PaletteItemView[];
  /** Index of the active item; −1: there is none. */
  readonly active: number;
  /** A note on the active item; null: none. */
  readonly note: string | null;
  /** Beside a question about a day. */
  readonly month: MonthView | null;
}

/** The list a task goes to. */
export interface EntryListView {
  readonly id: Id;
  readonly name: string;
  readonly isInbox: boolean;
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
  /** Where it goes; null: the person has to choose a list first. */
  readonly list: EntryListView | null;
  /** What is being chosen by hand; null: nothing. */
  readonly question: EntryQuestionView | null;
  readonly answer: string;
  /** Why the text could not be added where it was meant to go; empty: it was not refused. */
  readonly reason: string;
}

/** An action on the line of quick entry, or its notes. */
export type EntryLineAction =
  | { readonly action: 'type'; readonly text: string; readonly caret: number }
  /** Accepts the first suggestion or completion. */
  | { readonly action: 'tab' }
  /** `index`: among the tokens. */
  | { readonly action: 'accept' | 'refuse'; readonly index: number }
  /** `index`: among the completions. */
  | { readonly action: 'complete'; readonly index: number }
  /** Backspace. */
  | { readonly action: 'back'; readonly caret: number }
  | { readonly action: 'notes'; readonly text: string };

/** An action on what is chosen by hand in quick entry. */
export type EntryQuestionAction =
  | { readonly action: 'ask'; readonly what: EntryQuestion }
  /** Text typed into the field of the question. */
  | { readonly action: 'filter'; readonly text: string }
  | { readonly action: 'move'; readonly to: ListMove }
  /** Answers with the active item, or the one at `index`. */
  | { readonly action: 'pick'; readonly index?: number }
  /** Answers with that day, or goes to another one in the month. */
  | { readonly action: 'day'; readonly day: string }
  | { readonly action: 'step'; readonly step: MonthStep }
  | { readonly action: 'leaveQuestion' };

/** An action in the quick entry dialog. */
export type QuickEntryAction =
  | EntryLineAction
  | EntryQuestionAction
  /** `staysOpen`: the next one is asked for, whatever the setting says. */
  | { readonly action: 'save'; readonly staysOpen?: boolean };

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
