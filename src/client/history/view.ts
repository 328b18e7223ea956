// Views of the history and the time machine; the other views are in app/view.ts.
import type { Id } from '#core/ids.ts';
import type { RowView } from '../app/view.ts';
import type { ListMove } from '../dialogs/list-cursor.ts';

/** A change with its old and new value. */
export interface HistoryDetail {
  readonly name: string;
  /** Null: not known, or empty. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What kind of change it was, for its icon. */
export type HistoryMark =
  | 'added'
  | 'moved'
  | 'deleted'
  | 'restored'
  | 'completed'
  | 'reopened'
  | 'date'
  | 'snooze'
  | 'repeat'
  | 'label'
  | 'reminder'
  | 'notes'
  | 'bookmark'
  | 'setting'
  | 'edited';

/** A piece of a sentence. Spaces between pieces are part of the plain ones; a change brings its own. */
export type Phrase =
  | { readonly kind: 'plain' | 'thing'; readonly text: string }
  | { readonly kind: 'label'; readonly text: string; readonly color: string | null }
  /** Old and new value: `text` is the new one. */
  | { readonly kind: 'change'; readonly before: string; readonly text: string };

/** The changes of one gesture, in words. */
export interface HistoryEntryView {
  readonly id: string;
  /** Entries of one day stand under one heading: "Today", "Monday, November 23". */
  readonly day: { readonly name: string; readonly date: string };
  /** "10:42 AM" */
  readonly time: string;
  /** The device or program; null: this device, and the server has it. */
  readonly where: string | null;
  readonly mark: HistoryMark;
  readonly sentence: readonly Phrase[];
  /** It undid or redid something. */
  readonly isUndo: boolean;
  readonly isWaiting: boolean;
  /** What Enter does with it; null: nothing. */
  readonly back: string | null;
  /** For the active entry: every change of a larger gesture, as a sentence. */
  readonly parts: readonly (readonly Phrase[])[];
  /** For the active entry: old and new values that are too long for its sentence. */
  readonly details: readonly HistoryDetail[];
}

/** A history that can be shown instead of this one. */
export interface HistoryWay {
  readonly command: string;
  readonly name: string;
  readonly isCurrent: boolean;
}

/** The history, drawn as a page: matching entries, newest first. */
export interface HistoryView {
  /** “Winter issue”; of everything: “Everything”. */
  readonly subject: string;
  /** "126 changes since September 2", as far as they were read; empty: none. */
  readonly extent: string;
  readonly ways: readonly HistoryWay[];
  readonly isReading: boolean;
  /** A note about the data: that it is from this device alone, or that the server did not answer. */
  readonly note: string | null;
  readonly canRetry: boolean;
  readonly filter: string;
  readonly entries: readonly HistoryEntryView[];
  readonly active: number;
  readonly hasMore: boolean;
  /** Result of the last action here. */
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
  /** No entries exist, whatever the filter. */
  readonly isEmpty: boolean;
}

/** An action in the history dialog. */
export type HistoryAction =
  | { readonly action: 'move'; readonly to: ListMove }
  | { readonly action: 'choose'; readonly index: number }
  | { readonly action: 'filter'; readonly text: string }
  | { readonly action: 'bringBack' | 'more' | 'retry' }
  /** Opens the outline as it was before the chosen entry. */
  | { readonly action: 'travel' }
  /** Asks what comes of taking back what the author of the chosen entry did since. */
  | { readonly action: 'takeBack' };

/** One line of the past outline, or a later addition. */
export interface TimeLineView {
  readonly id: Id;
  /** `head`: the subject; `line`: a row of the past outline; `later`: a row that did not exist yet. */
  readonly kind: 'head' | 'line' | 'later';
  /** Index among all lines that can be chosen, from 0. */
  readonly index: number;
  /** From 1. */
  readonly level: number;
  /** What it is besides its title, if it is no task. */
  readonly type: string | null;
  readonly title: string;
  readonly isDone: boolean;
  /** A task of the past outline as its row was; null: it is something else, or no line of that outline. */
  readonly row: RowView | null;
  /** It is in the trash now, by itself or with what it is in, or gone. */
  readonly isLost: boolean;
  readonly active: boolean;
  /** Its changes since then, in words; empty: none. */
  readonly since: readonly string[];
  /** For the active line: each of those with old and new value, to be restored by itself. */
  readonly parts: readonly {
    readonly text: string;
    readonly detail: HistoryDetail | null;
    readonly active: boolean;
  }[];
}

/** The days of the known moments as bars, oldest first. */
export interface TimeBarsView {
  readonly bars: readonly {
    /** How much was done, from 0 to 1. */
    readonly height: number;
    /** The moment that it leads to, as in `goTo`. */
    readonly position: number;
    /** Beside the moment that is looked at, or of it. */
    readonly tone: 'before' | 'on' | 'after';
  }[];
  /** Where the moment stands, from 0 to 1. */
  readonly knob: number;
  /** Dates below them. */
  readonly marks: readonly { readonly share: number; readonly text: string }[];
}

/** A task, a list or everything as it was at one moment. */
export interface TimeMachineView {
  readonly title: string;
  readonly isReading: boolean;
  readonly note: string | null;
  readonly canRetry: boolean;
  /** Number of known moments. */
  readonly count: number;
  /** Number of moments between this one and now: 0 is now. */
  readonly position: number;
  readonly hasMore: boolean;
  readonly bars: TimeBarsView;
  /** “Now”, or day and time of the next change. */
  readonly when: string;
  /** The same in short. */
  readonly whenShort: string;
  /** The next change and its author; for now, the last change. */
  readonly next: string;
  readonly summary: string;
  readonly onlyDifferences: boolean;
  /** A window of all lines. */
  readonly lines: readonly TimeLineView[];
  /** Number of lines before and after the window. */
  readonly above: number;
  readonly below: number;
  /** The effect of Enter; null: none. */
  readonly back: string | null;
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
}

/** An action in the time machine. */
export type TimeMachineAction =
  | { readonly action: 'move'; readonly to: ListMove }
  /** `part`: one of the differences under the line. */
  | { readonly action: 'choose'; readonly index: number; readonly part?: number }
  /** Goes back behind that many gestures. */
  | { readonly action: 'goTo'; readonly position: number }
  | { readonly action: 'older' | 'newer' | 'muchOlder' | 'muchNewer' }
  | { readonly action: 'bringBack' | 'differences' | 'more' | 'retry' };
