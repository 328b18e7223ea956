// Plain snapshots for the user interface, behind signals. web/ reads these and calls App; it decides nothing.
import type { Id } from '#core/ids.ts';
import type { SyncState } from '#sync/replica/replica-types.ts';
import type { DialogView } from '../dialogs/dialog-view.ts';
import type { TokenView } from '../entry/entry-view.ts';
import type { PaletteView } from '../palette/palette-view.ts';
import type { Signal } from './signal.ts';
import type { OthersView } from '../presence/presence-view.ts';
import type { PeopleView, PersonView } from '../sharing/sharing-view.ts';
import type { LessonView } from '../teaching/lesson-view.ts';

/** One visible line of the outline. A new object exactly when something in it changed. */
export interface RowView {
  readonly id: Id;
  /** Distinguishes this line from others of the same task; usually the id. */
  readonly line: string;
  /** Position in the visible outline, from 0. */
  readonly index: number;
  /** Where it begins, its height, and that of the heading above it; in units of a plain row. */
  readonly y: number;
  readonly height: number;
  readonly head: number;
  /** What this row and those after it have in common; null: the same as those before it. */
  readonly heading: RowHeading | null;
  /** 1 for the outline's top level. */
  readonly level: number;
  /** The trash shows lists and folders too. */
  readonly kind: 'task' | 'list' | 'folder';
  readonly title: string;
  /** Its title doesn't open on this device. */
  readonly locked: boolean;
  /** Ranges of the title that match a search, [start, end). */
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
  /** Number of direct children, and how many of them are done. */
  readonly childCount: number;
  readonly childrenDone: number;
  readonly hasNotes: boolean;
  readonly hasFiles: boolean;
  readonly comments: number;
  /** Who does it; null: nobody whom its list knows. */
  readonly assignee: RowPerson | null;
  readonly bookmarked: boolean;
  /** Readable date, "Fri 27 Nov", and whether it has passed; null without. */
  readonly due: { readonly text: string; readonly overdue: boolean } | null;
  readonly dueTone: 'late' | 'today' | 'soon' | 'later' | 'done';
  /** What is drawn of it under a heading that says the day, "17:00"; null: all of it. */
  readonly dueTime: string | null;
  /** It has not started: "starts Mon 30 Nov"; null once it has. */
  readonly start: string | null;
  /** When time is planned for it: "planned tomorrow, 9:00 AM". */
  readonly planned: string | null;
  /** Shown although it is snoozed: "snoozed until Mon 30 Nov"; null when awake. */
  readonly snoozed: string | null;
  /** Its repeat in words, "every 2 weeks on Mon", empty until the words are loaded; null when it does not repeat. */
  readonly repeats: string | null;
  /** The person is reminded of it. */
  readonly reminds: boolean;
  /** Somebody else changed it, and the person has not seen it yet. */
  readonly unread: boolean;
  /** "1 h 30 min"; null without. */
  readonly duration: string | null;
  readonly labels: readonly { readonly id: Id; readonly name: string; readonly color: string }[];
  /** In search results: the names above it. */
  readonly path: string | null;
  /** In the trash: since when, and until when; null elsewhere. */
  readonly trashed: string | null;
  /** Tokens recognized in the title while it is typed. */
  readonly tokens: readonly TokenView[];
}

/** A person in a row. */
export interface RowPerson {
  /** "you", "Ann"; empty: not known yet. */
  readonly name: string;
  /** Initials or emoji. */
  readonly text: string;
  readonly color: string;
  readonly ink: string;
  /** They have left the list. */
  readonly isFormer: boolean;
}

/** The heading of some rows: "Tomorrow", "Friday, 27 November". */
export interface RowHeading {
  readonly text: string;
  readonly detail: string;
  /** Of rows under it, as said: "12", "999+". */
  readonly count: string;
  readonly isLate: boolean;
}

/**
 * The height of a row, in units of a plain one: at least 1, a multiple of 1/64, and the same whenever it says the same.
 */
export type HeightOf = (row: RowView) => number;

/**
 * The window of the outline that is on screen. A row keeps its slot while it is in the window; only slots whose
 * snapshot differs are set.
 */
export interface RowsView {
  readonly count: Signal<number>;
  /** Index of the first row on screen; the scroller follows it, and reports its own movement by `scrolledTo`. */
  readonly top: Signal<number>;
  /** Where that row stands, and where the last one ends; in units of a plain row, as every place and height here. */
  readonly offset: Signal<number>;
  readonly extent: Signal<number>;
  /** `room`: the height of the screen; the pool has a few more slots than that. `heightOf`: null if all rows are plain. */
  resize(room: number, heightOf?: HeightOf | null): void;
  readonly pool: Signal<number>;
  /**
   * The lines in the window from top to bottom, for readers that go through the slots in order; null: the slots are in
   * that order.
   */
  readonly order: Signal<readonly string[] | null>;
  slot(index: number): Signal<RowView | null>;
  /** Returns how far the rows have moved since they were drawn: the lines above turned out to need more room, or less. */
  scrolledTo(y: number): number;
  /** Null: the line is not drawn. */
  drawnAs(line: string): RowView | null;
}

/** Tasks being dragged by a pointer. */
export interface DragView {
  /** The title of the one task, or the number: "3 tasks". */
  readonly label: string;
  /** The drop position: before that line of the outline, at that level. Null: not among the lines. */
  readonly line: { readonly index: number; readonly level: number } | null;
  /** The list or bookmarked task of the sidebar that is the drop target. */
  readonly side: Id | null;
  /** When a list is dragged: the list beside or in which it would go. */
  readonly beside: Beside | null;
}

/** A drop position relative to a line of the sidebar; `into` only for a folder. */
export interface Beside {
  readonly id: Id;
  readonly part: 'before' | 'after' | 'into';
}

/** The position under a dragging pointer: the gap before a line (with the pointer's level), or a line of the sidebar. */
export type DragOver =
  | { readonly type: 'line'; readonly gap: number; readonly level: number }
  | { readonly type: 'side'; readonly id: Id }
  /** A list dragged over another one. */
  | (Beside & { readonly type: 'beside' });

/** One line of the sidebar. A new object when something in it changed. */
export interface SidebarRowView {
  readonly id: Id;
  readonly level: number;
  readonly name: string;
  /** A bookmark is a task; bookmarks stand before the lists, labels after them. */
  readonly kind: 'today' | 'upcoming' | 'inbox' | 'list' | 'folder' | 'smart' | 'bookmark' | 'label';
  readonly bookmarked: boolean;
  readonly cursor: boolean;
  readonly open: boolean;
  readonly archived: boolean;
  readonly expanded: boolean | null;
  readonly posInSet: number;
  readonly setSize: number;
  /** Open tasks in it; null while they are being counted. */
  readonly openCount: number | null;
  /** Of them the overdue ones: for Today. */
  readonly lateCount: number;
  /** Of a label, as CSS; undefined: none. */
  readonly color: string | undefined;
  /** How much of a list is done, from 0 to 1, in few steps. */
  readonly progress: number;
  /** How many people a shared list has; 0: it is not shared. */
  readonly people: number;
  /** Others changed something in it that the person has not seen. */
  readonly unread: boolean;
  readonly renaming: boolean;
}

/** The lists at the side; `visible` is false while they are hidden. */
export interface SidebarView {
  readonly rows: Signal<readonly SidebarRowView[]>;
  readonly visible: Signal<boolean>;
}

/** The header over the outline: the open place, where it is, and how many tasks it has. */
export interface HeaderView {
  /** Hidden tasks in it. */
  readonly away: { readonly snoozed: number; readonly unstarted: number; readonly showsSnoozed: boolean };
  readonly title: string;
  /** Names of the folders above, outermost first; for a focused task its list and ancestors. */
  readonly trail: readonly { readonly id: Id; readonly name: string }[];
  readonly kind: 'inbox' | 'list' | 'folder' | 'smart' | 'task' | 'search' | 'trash';
  /** Number of open tasks; null while they are being counted. */
  readonly count: number | null;
  /** Number of tasks in it that are done and still shown. */
  readonly done: number;
  /** "Thursday, November 26" of Today, "Due tomorrow" of a task; empty: it has no date. */
  readonly date: string;
  /** First line of the notes of a list. */
  readonly note: string;
  /** The automatic order, "due date, soonest first"; empty: ordered by hand. */
  readonly sorted: string;
}

/** A command offered on the empty screen. */
export interface EmptyAction {
  /** Its key is shown. */
  readonly command: string;
  /** Title of the command; null until loaded. */
  readonly title: string | null;
}

/** What is drawn in an empty place. */
export type EmptyDrawing = 'inbox' | 'list' | 'done' | 'today' | 'search' | 'folder' | 'trash' | 'moon';

/** The empty outline: a drawing, one sentence, one key, and other ways on. Null when there are rows. */
export interface EmptyView extends EmptyAction {
  readonly drawing: EmptyDrawing;
  readonly heading: string;
  /** One sentence; empty: the heading says it all. */
  readonly text: string;
  readonly others: readonly EmptyAction[];
}

/** Feedback on a query. */
export interface SearchHelp {
  /** Ranges of the query that were not understood, [start, end), in order; `hint` suggests a correction. */
  readonly problems: readonly {
    readonly start: number;
    readonly end: number;
    readonly message: string;
    readonly hint: string | null;
  }[];
  /** The meaning of the query, in words. */
  readonly explanation: string | null;
}

/** The search line: its query, the feedback on it and its completions. */
export interface SearchView extends SearchHelp {
  readonly query: string;
  /** A command changed the query: the caret goes there, once each time `times` grows. */
  readonly put: { readonly caret: number; readonly times: number };
  /** Completions of the query at the caret. */
  readonly options: readonly { readonly text: string; readonly description: string }[];
  /** Index of the completion that its key takes, −1 without any. */
  readonly active: number;
  /** It is the query of a smart list being edited. */
  readonly isEditing: boolean;
}

/** The notes pane. */
export interface NotesView {
  /** The task or list whose notes these are. */
  readonly id: Id;
  readonly kind: 'task' | 'list';
  /** They don't open on this device. */
  readonly isLocked: boolean;
  /** True while they are being written; else they are only shown. */
  readonly isEditing: boolean;
  readonly title: string;
  readonly text: string;
}

/** The status line: mode, selection, pending chord, message and sync state. */
export interface StatusView {
  readonly mode: 'NAV' | 'EDIT';
  readonly selected: number;
  /** Strokes of a pending chord, as keycaps: "g". Empty when none. */
  readonly pending: readonly string[];
  /** Possible next keys of the chord; empty until they are to be shown. */
  readonly hints: readonly { readonly keys: string; readonly stroke: string; readonly title: string }[];
  /** One line about the last event or refusal; null when there is none. `undo` offers to take it back. */
  readonly message: {
    readonly text: string;
    readonly undo: boolean;
    readonly tone: 'info' | 'error';
    /** The key of the command that just ran, as a hint; the text may be empty then. */
    readonly keys?: readonly string[];
    /** Running total, including the commands before: "3 completed". */
    readonly tally?: string;
    /** The keys pressed are not bound. */
    readonly isMiss?: true;
  } | null;
  readonly tabMovesFocus: boolean;
  /** What is being recorded: "@a", "a macro"; null: nothing is. */
  readonly recording: string | null;
  readonly sync: SyncState;
}

/** The element that must have DOM focus. web/ applies it after each change and never decides it. */
export type FocusView =
  | {
      readonly pane: 'outline';
      readonly id: Id | null;
      /** The focused line, if it differs from the id. */
      readonly line?: string;
      /**
       * The same object until the caret has to be placed again. `text`: the field's new content, if it differs from the
       * typed text.
       */
      readonly edit: null | { readonly caret: number | 'end' | 'all'; readonly text?: string };
    }
  | { readonly pane: 'sidebar'; readonly id: Id | null; readonly edit: boolean }
  | { readonly pane: 'notes' | 'calendar' }
  | { readonly pane: 'search' }
  /** `day`: the focus is in the month, on that day. */
  | { readonly pane: 'palette'; readonly day?: string }
  | { readonly pane: 'dialog' };

/** A prominent line above everything else. */
export interface AlarmView {
  readonly tone: 'calm' | 'warn' | 'danger';
  readonly text: string;
  readonly actions: readonly {
    readonly title: string;
    readonly command: string;
    readonly args: Readonly<Record<string, string>>;
  }[];
}

/** One line about a ringing reminder, or an offer to enable notifications. */
export interface ReminderBannerView {
  readonly kind: 'ring' | 'offer';
  /** The task that rings. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Number of other ringing reminders. */
  readonly more: number;
  readonly actions: readonly { readonly title: string; readonly command: string }[];
}

/** Everything on screen, as signals. A signal is set only when its value differs. */
export interface View {
  readonly rows: RowsView;
  readonly sidebar: SidebarView;
  readonly header: Signal<HeaderView>;
  /** Null: the open place is not in a shared list, or who is in it is not known yet. */
  readonly people: Signal<PeopleView | null>;
  /** How the person is shown to others; null: not known yet, or nobody is signed in. */
  readonly me: Signal<PersonView | null>;
  /** Where others are in shared lists; null: nobody is anywhere. */
  readonly others: Signal<OthersView | null>;
  readonly empty: Signal<EmptyView | null>;
  /** Null: the search line is closed. */
  readonly search: Signal<SearchView | null>;
  /** Null: the notes pane is closed. */
  readonly notes: Signal<NotesView | null>;
  readonly status: Signal<StatusView>;
  readonly palette: Signal<PaletteView | null>;
  readonly dialog: Signal<DialogView | null>;
  /** Null while nothing endangers unsaved changes. */
  readonly alarm: Signal<AlarmView | null>;
  readonly reminder: Signal<ReminderBannerView | null>;
  /** Hardcore Mode has turned the mouse off. */
  readonly isMouseOff: Signal<boolean>;
  /** Null while no lesson is running. */
  readonly lesson: Signal<LessonView | null>;
  /** Number of the current visit in the history of places. */
  readonly visit: Signal<number>;
  /** The command of the phone's bottom bar that leads to the open place; null: none does. */
  readonly current: Signal<string | null>;
  /** What was recognized in the title being written. */
  readonly recognized: Signal<readonly TokenView[]>;
  /** Null while nothing is dragged. */
  readonly drag: Signal<DragView | null>;
  readonly focus: Signal<FocusView>;
  /** Latest sentence for screen readers; `n` makes repeats distinct. */
  readonly announcement: Signal<{ readonly text: string; readonly n: number }>;
}
