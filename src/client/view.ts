// What the user interface draws: plain snapshots behind signals. web/ reads these and calls App; it decides nothing.
import type { HistoryView, TimeMachineView } from './history/view.ts';
import type { PaletteView } from './palette/palette-view.ts';
import type { KeyEditorView } from './keys/editor-view.ts';
import type { QuickEntryView, TokenView } from './entry/entry-view.ts';
import type { Id } from '#core/ids.ts';
import type { ApiTokens, PromoRedemption, SafetyState } from './safety/port.ts';
import type { SendState } from './files/port.ts';
import type { SyncState } from '#sync/replica-types.ts';
import type { ListMailView } from './mail/list-mail-view.ts';
import type { KeptCopy, Notice } from './device.ts';
import type { Signal } from './signal.ts';
import type { ProgramInfo } from './program-info.ts';
import type { FirstRunView } from './teaching/first-run-view.ts';

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
  /** Open tasks in it. */
  /** Null while they are being counted. */
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

/** A refused change, with its content. */
export interface RecoveredView {
  readonly seq: number;
  readonly what: string;
  readonly about: string;
  readonly reason: string;
  /** It can be made again, here or in the Inbox. */
  readonly canApply: boolean;
  /** Two texts for one place: what was written here, and what stands there now. Null: no such conflict. */
  readonly sides: { readonly mine: string; readonly theirs: string; readonly by: string } | null;
  /** When it was put here, and until when it is kept. */
  readonly kept: string;
}

/** A device of the account and how far it has come, in words. */
export interface DeviceView {
  readonly number: number;
  readonly name: string;
  readonly isHere: boolean;
  readonly heard: string;
  readonly change: string;
  readonly state: string;
  readonly tone: 'good' | 'wait' | 'plain';
}

export interface DevicesView {
  /** This device first. */
  readonly list: readonly DeviceView[];
  /** How many are not listed. */
  readonly more: number;
  /** Why the others are missing or may be out of date. */
  readonly note: string | null;
}

export interface SyncStatusView {
  readonly headline: string;
  readonly facts: readonly {
    readonly name: string;
    readonly text: string;
    readonly tone: 'good' | 'wait' | 'bad' | 'plain';
  }[];
  /** Cloud sync is turned off on this device. */
  readonly isOff: boolean;
  /** There are changes that a file can carry, also such as are never sent. */
  readonly hasUnsent: boolean;
  /** Changes that are sent when they can be. */
  readonly unsentCount: number;
  /** The first of them, oldest first. */
  readonly unsent: readonly { readonly seq: number; readonly what: string; readonly about: string }[];
  /** Null without an account. */
  readonly devices: DevicesView | null;
  readonly recovered: readonly RecoveredView[];
  readonly notices: readonly Notice[];
  readonly kept: readonly KeptCopy[];
  readonly hasAccount: boolean;
}

/** What turning cloud sync on again removes. */
export interface DetachedView {
  /** Since when cloud sync is off, readable. */
  readonly since: string;
  readonly parts: readonly {
    readonly name: 'Created' | 'Changed' | 'Moved' | 'Deleted';
    readonly count: number;
    /** The first of them by name, in the order in which they were touched. */
    readonly items: readonly string[];
  }[];
  /** Marks, settings and records that have no name of their own. */
  readonly others: number;
  /** Lists these lie in, with how many. */
  readonly lists: readonly { readonly name: string; readonly count: number }[];
  /** Older changes that are sent. */
  readonly waiting: number;
}

/** What was made while cloud sync was off, kept after it was removed. */
export interface SafetyCopyView {
  readonly id: string;
  /** "20 November 2026, 10:00 to 12:30" */
  readonly span: string;
  readonly count: number;
  readonly daysLeft: number;
}

export interface DetailsView {
  readonly id: Id;
  readonly kind: 'task' | 'list';
  /** Markdown. */
  readonly notes: string;
  readonly title: string;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly metadata: readonly { readonly name: string; readonly text: string }[];
}

/** One label of the picker; id null: the row that creates it. */
export interface LabelChoiceView {
  readonly id: Id | null;
  readonly name: string;
  readonly color: string;
  readonly keys: readonly string[];
  readonly group: string | null;
  /** Choosing it replaces the others of its group. */
  readonly exclusive: boolean;
  /** Nobody else ever sees it. */
  readonly isPrivate: boolean;
  /** How many of the chosen tasks carry it. */
  readonly state: 'all' | 'some' | 'none';
  /** "replaces High", "on 2 of 3"; empty: nothing to say. */
  readonly note: string;
}

export interface LabelPickerView {
  readonly title: string;
  /** The task at the cursor: it opens beside its row. */
  readonly about: Id | null;
  readonly query: string;
  readonly choices: readonly LabelChoiceView[];
  readonly active: number;
  /** What came of the last choice, while it stays open. */
  readonly answer: string;
}

export interface LabelEntryView {
  readonly id: Id;
  readonly kind: 'label' | 'group';
  readonly name: string;
  /** Null: a group. */
  readonly color: string | null;
  readonly keys: readonly string[];
  readonly level: 1 | 2;
  readonly note: string;
}

export type LabelChosenView =
  | {
      readonly kind: 'group';
      readonly id: Id;
      readonly name: string;
      readonly exclusive: boolean;
      readonly isPrivate: boolean;
    }
  | {
      readonly kind: 'label';
      readonly id: Id;
      readonly name: string;
      readonly color: string;
      readonly hotkey: string;
      readonly isPrivate: boolean;
      readonly group: Id | null;
    };

export interface LabelManagerView {
  readonly filter: string;
  readonly entries: readonly LabelEntryView[];
  readonly active: number;
  readonly chosen: LabelChosenView | null;
  readonly groups: readonly { readonly id: Id; readonly name: string }[];
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
  /** Grows when text fields have to show again what stands. */
  readonly revision: number;
}

export interface SettingRowView {
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly kind: 'toggle' | 'choice' | 'text';
  readonly tab: string;
  /** A text of several lines. */
  readonly isLong: boolean;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly title: string }[];
  /** Why what was typed cannot be. */
  readonly problem: string | null;
  /** It does not follow the account. */
  readonly isHereOnly: boolean;
  /** What it would be if nobody had said anything; null: it is so. */
  readonly usual: string | null;
  /** Its key changes it too. */
  readonly command: string;
}

export interface SettingWayView {
  readonly command: string;
  readonly verb: string;
  readonly title: string;
  readonly help: string;
  readonly tab: string;
  /** Why it cannot be gone through now; null: it can. */
  readonly unavailable: string | null;
}

export interface SettingsView {
  readonly tabs: readonly string[];
  /** Null: what was sought is shown, from every tab. */
  readonly tab: string | null;
  readonly query: string;
  readonly rows: readonly SettingRowView[];
  /** What is set elsewhere: the way there. */
  readonly ways: readonly SettingWayView[];
  /** Which program this is; null: it is not asked for here. */
  readonly about: ProgramInfo | null;
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
}

export interface ReplaceRowView {
  readonly id: Id;
  /** The title as it is, cut where something was found. */
  readonly parts: readonly { readonly text: string; readonly isFound: boolean }[];
  readonly after: string;
  readonly path: string;
  /** It will be replaced, unless it has a problem. */
  readonly isIn: boolean;
  readonly problem: string | null;
}

export interface ReplaceView {
  readonly find: string;
  readonly replacement: string;
  readonly isRegex: boolean;
  readonly matchCase: boolean;
  readonly wholeWords: boolean;
  readonly scopes: readonly { readonly value: string; readonly title: string }[];
  readonly scope: string;
  /** The first of what was found. */
  readonly rows: readonly ReplaceRowView[];
  readonly found: number;
  /** How many will be replaced. */
  readonly chosen: number;
  readonly isLooking: boolean;
  /** Something is sought. */
  readonly isAsked: boolean;
  readonly problem: string | null;
  /** Plain text would help. */
  readonly offersPlain: boolean;
}

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

/** A question or screen above the rest; null when none. */
export interface AttachmentView {
  readonly id: Id;
  readonly name: string;
  /** "1.2 MB". */
  readonly size: string;
  /** Address of the picture; null when it is none, or not here. */
  readonly picture: string | null;
  /** Null: the server has it. */
  readonly unsent: SendState | null;
}

export interface FilesView {
  /** Of the task. */
  readonly title: string;
  readonly items: readonly AttachmentView[];
  /** The picture that is open. */
  readonly shown: AttachmentView | null;
  readonly busy: boolean;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}

/** What is being asked for in the dialog of the account's safety. */
export type SafetyStepView =
  | { readonly type: 'password' | 'email' | 'erase' | 'passkey'; readonly error: string | null }
  | { readonly type: 'confirm'; readonly wantsCode: boolean; readonly error: string | null }
  | { readonly type: 'emailCode'; readonly email: string; readonly error: string | null }
  | { readonly type: 'codes'; readonly secret: string; readonly uri: string; readonly error: string | null }
  | { readonly type: 'recovery'; readonly codes: readonly string[] }
  | {
      readonly type: 'tokens';
      readonly tokens: ApiTokens;
      readonly said: string | null;
      readonly error: string | null;
    }
  | {
      readonly type: 'promo';
      /** What the account has redeemed; null: it may redeem one. */
      readonly redemption: PromoRedemption | null;
      /** What the field begins with. */
      readonly code: string;
      readonly error: string | null;
    }
  | { readonly type: 'newToken'; readonly error: string | null }
  | { readonly type: 'token'; readonly token: string; readonly isCopied: boolean };

export interface SafetyView {
  /** Null until the server has said it. */
  readonly state: SafetyState | null;
  /** Why there is none. */
  readonly problem: string | null;
  readonly hasPasskeys: boolean;
  readonly step: SafetyStepView | null;
  readonly busy: boolean;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}

/** What an import would make; nothing was made yet. */
export interface ImportPreviewView {
  readonly fileName: string;
  /** How much of what there is, and what has no place here. */
  readonly lines: readonly string[];
  /** The first of them. */
  readonly sample: readonly { readonly title: string; readonly level: number; readonly isDone: boolean }[];
  /** How many more there are. */
  readonly more: number;
}

export type DialogView =
  | {
      readonly type: 'signIn' | 'signUp';
      readonly busy: boolean;
      readonly error: string | null;
      /** The field the error is about; absent where it is about none in particular. */
      readonly field?: 'email' | 'password' | 'code';
      /** The account asks for a one-time code as well. */
      readonly wantsCode?: boolean;
    }
  | { readonly type: 'sessions' }
  | {
      readonly type: 'import';
      readonly busy: boolean;
      /** From 0 to 1; 0 at the end says that nothing was taken in. */
      readonly progress: number;
      readonly problems: readonly string[];
    }
  | { readonly type: 'importPreview'; readonly preview: ImportPreviewView }
  | { readonly type: 'export'; readonly text: string; readonly fileName: string }
  | { readonly type: 'keys'; readonly editor: KeyEditorView }
  | { readonly type: 'cheatSheet' }
  /** `at`: the step, from 1. */
  | {
      readonly type: 'firstRun';
      readonly at: number;
      readonly total: number;
      readonly view: FirstRunView;
    }
  | { readonly type: 'details'; readonly details: DetailsView }
  | { readonly type: 'labels'; readonly picker: LabelPickerView }
  | { readonly type: 'labelManager'; readonly manager: LabelManagerView }
  | { readonly type: 'settings'; readonly settings: SettingsView }
  | { readonly type: 'safety'; readonly safety: SafetyView }
  | { readonly type: 'files'; readonly files: FilesView }
  | { readonly type: 'install'; readonly way: 'share' | 'dock' }
  | { readonly type: 'listMail'; readonly mail: ListMailView }
  | { readonly type: 'quickEntry'; readonly entry: QuickEntryView }
  | { readonly type: 'replace'; readonly replace: ReplaceView }
  | { readonly type: 'history'; readonly history: HistoryView }
  | { readonly type: 'timeMachine'; readonly machine: TimeMachineView }
  | { readonly type: 'recovered'; readonly items: readonly RecoveredView[] }
  | { readonly type: 'sync'; readonly status: SyncStatusView }
  | {
      readonly type: 'emptyTrash';
      readonly items: readonly { readonly id: Id; readonly at: number }[];
      /** Of them those that the trash shows. */
      readonly count: number;
      readonly hasAccount: boolean;
      readonly busy: boolean;
      readonly error: string | null;
    }
  /** Signing out would leave changes behind that only this device has. */
  | { readonly type: 'signOut'; readonly waiting: number; readonly copies: number }
  | {
      readonly type: 'disableSync';
      /** Changes that have not reached the server. */
      readonly waiting: number;
      /** They are being sent; cloud sync is turned off when all have arrived. */
      readonly sending: boolean;
      readonly error: string | null;
    }
  | {
      readonly type: 'enableSync';
      readonly lost: DetachedView;
      readonly busy: boolean;
      readonly error: string | null;
    }
  | { readonly type: 'safetyCopies'; readonly copies: readonly SafetyCopyView[] }
  /** The password was right, but of another account than the one whose tasks are here. */
  | {
      readonly type: 'otherAccount';
      readonly email: string;
      readonly held: string;
      readonly waiting: number;
      /** What is here is on the disk and can stay; else it ends with the tab. */
      readonly canKeep: boolean;
    }
  | { readonly type: 'confirm'; readonly text: string; readonly action: string; readonly command: string };

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
