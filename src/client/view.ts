// What the user interface draws: plain snapshots behind signals. web/ reads these and calls App; it decides nothing.
import type { Id } from '#core/ids.ts';
import type { SyncState } from '#sync/replica-types.ts';
import type { DialogView } from './dialog-view.ts';
import type { TokenView } from './entry/entry-view.ts';
import type { PaletteView } from './palette/palette-view.ts';
import type { Signal } from './signal.ts';
import type { LessonView } from './teaching/lesson-view.ts';

/** One visible line of the outline. A new object exactly when something in it changed. */
export interface RowView {
  readonly id: Id;
  /** Tells this line from others of the same task; mostly the id. */
  readonly line: string;
  /** Position in the visible outline, from 0. */
  readonly index: number;
  /** 1 for the outline's top level. */
  readonly level: number;
  /** The trash shows lists and folders too. */
  readonly kind: 'task' | 'list' | 'folder';
  readonly title: string;
  /** Ranges of the title that were searched for, [start, end). */
  readonly found: readonly (readonly [number, number])[];
  readonly done: boolean;
  /** Carries the cursor; exactly one row does when there are rows. */
  readonly cursor: boolean;
  readonly selected: boolean;
  readonly editing: boolean;
  /** Null without children. */
  readonly expanded: boolean | null;
  readonly posInSet: number;
  readonly setSize: number;
  /** Direct children, of them done. */
  readonly childCount: number;
  readonly childrenDone: number;
  readonly hasNotes: boolean;
  readonly hasFiles: boolean;
  readonly bookmarked: boolean;
  /** Readable date, "Fri 27 Nov", and whether it has passed; null without. */
  readonly due: { readonly text: string; readonly overdue: boolean } | null;
  /** It has not started: "starts Mon 30 Nov"; null once it has. */
  readonly start: string | null;
  /** Shown although it is snoozed: "snoozed until Mon 30 Nov"; null when awake. */
  readonly snoozed: string | null;
  /** Its repeat in words, "every 2 weeks on Mon", empty until the words are loaded; null when it does not repeat. */
  readonly repeats: string | null;
  /** The person is reminded of it. */
  readonly reminds: boolean;
  /** "1 h 30 min"; null without. */
  readonly duration: string | null;
  readonly labels: readonly { readonly id: Id; readonly name: string; readonly color: string }[];
  /** In search results: where it is. */
  readonly path: string | null;
  /** In the trash: since when, and until when; null elsewhere. */
  readonly trashed: string | null;
  /** What was recognised in the title while it is typed. */
  readonly tokens: readonly TokenView[];
}

/**
 * The window of the outline that is on screen. A row keeps its slot while it is in the window; only slots whose
 * snapshot differs are told.
 */
export interface RowsView {
  readonly count: Signal<number>;
  /** Index of the first row on screen; the scroller follows it, and reports its own movement by `scrolledTo`. */
  readonly top: Signal<number>;
  /** `rows` whole rows fit on screen; the pool has a few more slots than that. */
  resize(rows: number): void;
  readonly pool: Signal<number>;
  slot(index: number): Signal<RowView | null>;
  scrolledTo(top: number): void;
}

/** Tasks being dragged by a pointer. */
export interface DragView {
  /** The title of the one, or how many: "3 tasks". */
  readonly label: string;
  /** Where they would go: before that line of the outline, at that level. Null: nowhere among the lines. */
  readonly line: { readonly index: number; readonly level: number } | null;
  /** The list or bookmarked task of the sidebar that would take them. */
  readonly side: Id | null;
  /** Of a list that is dragged: beside or in which other one it would go. */
  readonly beside: Beside | null;
}

/** A place by a line of the sidebar; `into` only where that is a folder. */
export interface Beside {
  readonly id: Id;
  readonly part: 'before' | 'after' | 'into';
}

/** What a pointer that drags is over: the gap before a line (level as the pointer says it), or a line of the sidebar. */
export type DragOver =
  | { readonly type: 'line'; readonly gap: number; readonly level: number }
  | { readonly type: 'side'; readonly id: Id }
  /** A list is dragged over another one. */
  | (Beside & { readonly type: 'beside' });

export interface SidebarRowView {
  readonly id: Id;
  readonly level: number;
  readonly name: string;
  /** A bookmark is a task; bookmarks are the last lines. */
  readonly kind: 'inbox' | 'list' | 'folder' | 'smart' | 'bookmark';
  readonly bookmarked: boolean;
  readonly cursor: boolean;
  readonly open: boolean;
  readonly archived: boolean;
  readonly expanded: boolean | null;
  readonly posInSet: number;
  readonly setSize: number;
  /** Open tasks in it; null while they are being counted. */
  readonly openCount: number | null;
  readonly renaming: boolean;
}

export interface SidebarView {
  readonly rows: Signal<readonly SidebarRowView[]>;
  readonly visible: Signal<boolean>;
}

export interface HeaderView {
  /** Tasks in it that are not shown for now. */
  readonly away: { readonly snoozed: number; readonly unstarted: number };
  readonly title: string;
  /** Names of the folders above, outermost first; for a focused task its list and ancestors. */
  readonly trail: readonly { readonly id: Id; readonly name: string }[];
  readonly kind: 'inbox' | 'list' | 'folder' | 'smart' | 'task' | 'search' | 'trash';
  /** Null while they are being counted. */
  readonly count: number | null;
  /** The order it keeps itself in, "due date, soonest first"; empty: made by hand. */
  readonly sorted: string;
}

/** What can be done where nothing is. */
export interface EmptyAction {
  /** Its key is shown. */
  readonly command: string;
  /** What it is called; null while it is still being loaded. */
  readonly title: string | null;
}

/** The outline's empty screen: one sentence, one key, and what else leads on. Null when there are rows. */
export interface EmptyView extends EmptyAction {
  readonly text: string;
  readonly others: readonly EmptyAction[];
}

/** What is said about a query. */
export interface SearchHelp {
  /** What was not understood, [start, end) in the query, in order; `hint` is what would be right in its place. */
  readonly problems: readonly {
    readonly start: number;
    readonly end: number;
    readonly message: string;
    readonly hint: string | null;
  }[];
  /** What the query asks for, in words. */
  readonly explanation: string | null;
}

export interface SearchView extends SearchHelp {
  readonly query: string;
  /** A command changed the query: the caret goes there, once each time `times` grows. */
  readonly put: { readonly caret: number; readonly times: number };
  /** What may be typed next. */
  readonly options: readonly { readonly text: string; readonly description: string }[];
  /** Index of the option that is taken by its key, −1 without any. */
  readonly active: number;
  /** It is the query of a smart list. */
  readonly isEditing: boolean;
}

export interface NotesView {
  /** The task or list they are of. */
  readonly id: Id;
  readonly kind: 'task' | 'list';
  /** They are being written, not only shown. */
  readonly isEditing: boolean;
  readonly title: string;
  readonly text: string;
}

export interface StatusView {
  readonly mode: 'NAV' | 'EDIT';
  readonly selected: number;
  /** Strokes of a chord begun, as keycaps: "g". Empty when none. */
  readonly pending: readonly string[];
  /** What may follow; empty while that is not to be shown (yet). */
  readonly hints: readonly { readonly keys: string; readonly stroke: string; readonly title: string }[];
  /** One line about what just happened or cannot; null when silent. `undo` offers taking it back. */
  readonly message: {
    readonly text: string;
    readonly undo: boolean;
    readonly tone: 'info' | 'error';
    /** The key of what was just done, to be learnt; the text may be empty then. */
    readonly keys?: readonly string[];
    /** How many were done so with, the ones before included: "3 completed". */
    readonly tally?: string;
    /** The keys pressed are not bound. */
    readonly isMiss?: true;
  } | null;
  readonly tabMovesFocus: boolean;
  readonly sync: SyncState;
}

/** What must have DOM focus. web/ projects it after each change and never decides it. */
export type FocusView =
  | {
      readonly pane: 'outline';
      readonly id: Id | null;
      /** The line it is on, where that has another name. */
      readonly line?: string;
      /** `text`: what the field has to hold from now on, where that is not what was typed. */
      readonly edit: null | { readonly caret: number | 'end' | 'all'; readonly text?: string };
    }
  | { readonly pane: 'sidebar'; readonly id: Id | null; readonly edit: boolean }
  | { readonly pane: 'notes' }
  | { readonly pane: 'search' }
  /** `day`: in the month, on that day. */
  | { readonly pane: 'palette'; readonly day?: string }
  | { readonly pane: 'dialog' };

/** One loud line above everything. */
export interface AlarmView {
  readonly tone: 'calm' | 'warn' | 'danger';
  readonly text: string;
  readonly actions: readonly {
    readonly title: string;
    readonly command: string;
    readonly args: Readonly<Record<string, string>>;
  }[];
}

/** One line that says what rings, or offers to be told outside the app. */
export interface ReminderBannerView {
  readonly kind: 'ring' | 'offer';
  /** The task that rings. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** How many others ring. */
  readonly more: number;
  readonly actions: readonly { readonly title: string; readonly command: string }[];
}

export interface View {
  readonly rows: RowsView;
  readonly sidebar: SidebarView;
  readonly header: Signal<HeaderView>;
  readonly empty: Signal<EmptyView | null>;
  /** Null: the search line is closed. */
  readonly search: Signal<SearchView | null>;
  /** Null: the notes pane is closed. */
  readonly notes: Signal<NotesView | null>;
  readonly status: Signal<StatusView>;
  readonly palette: Signal<PaletteView | null>;
  readonly dialog: Signal<DialogView | null>;
  /** Null while nothing endangers what was typed. */
  readonly alarm: Signal<AlarmView | null>;
  readonly reminder: Signal<ReminderBannerView | null>;
  /** The mouse does nothing just now. */
  readonly isMouseOff: Signal<boolean>;
  /** Null while no lesson is under way. */
  readonly lesson: Signal<LessonView | null>;
  /** Number of the open place in the history of places. */
  readonly visit: Signal<number>;
  /** Null while nothing is dragged. */
  readonly drag: Signal<DragView | null>;
  readonly focus: Signal<FocusView>;
  /** Latest sentence for screen readers; `n` makes repeats distinct. */
  readonly announcement: Signal<{ readonly text: string; readonly n: number }>;
}
