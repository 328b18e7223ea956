// The dialogs and their views; a dialog that belongs to a part of the app is defined beside that part.
import type { Id } from '#core/ids.ts';
import type { QuickEntryAction, QuickEntryView } from '../entry/entry-view.ts';
import type { FormValues } from './form-values.ts';
import type { FilesAction, FilesView } from '../files/files-view.ts';
import type { HistoryAction, HistoryView, TimeMachineAction, TimeMachineView } from '../history/view.ts';
import type { KeyEditorAction, KeyEditorView } from '../keys/editor-view.ts';
import type {
  LabelManagerAction,
  LabelManagerView,
  LabelPickerAction,
  LabelPickerView,
} from '../labels/label-view.ts';
import type { ListMailAction, ListMailView } from '../mail/list-mail-view.ts';
import type { ReplaceAction, ReplaceView } from '../replacing/replace-view.ts';
import type { SafetyAction, SafetyView } from '../safety/safety-view.ts';
import type { SettingsAction, SettingsView } from '../settings/settings-view.ts';
import type {
  DetachedView,
  RecoveredAction,
  RecoveredView,
  SafetyCopyAction,
  SafetyCopyView,
  SyncStatusView,
} from '../sync-status/status-view.ts';

/** The details dialog: facts about a task or list besides its content, as text. */
export interface DetailsView {
  readonly id: Id;
  readonly kind: 'task' | 'list';
  /** Markdown. */
  readonly notes: string;
  readonly title: string;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly metadata: readonly { readonly name: string; readonly text: string }[];
}

/** A property of a task in its sheet. */
export interface SheetProperty {
  /** Asks for it. */
  readonly command: string;
  readonly name: string;
  /** Empty: the task has none. */
  readonly text: string;
  readonly isLate?: boolean;
  readonly labels?: readonly { readonly id: Id; readonly name: string; readonly color: string }[];
}

/** What a finger finds in the details of a task: what it has as lines, what it could have as chips, its subtasks. */
export interface TaskSheetView {
  readonly isDone: boolean;
  /** Names of what it is in, outermost first. */
  readonly path: string;
  readonly lines: readonly SheetProperty[];
  readonly chips: readonly SheetProperty[];
  readonly subtasks: readonly {
    readonly id: Id;
    readonly title: string;
    readonly isDone: boolean;
    /** Empty: none. */
    readonly due: string;
    readonly isLate: boolean;
  }[];
}

/** An action in the sheet of a task. */
export type DetailsAction =
  /** Completes it or a subtask, or opens it again. */
  | { readonly action: 'complete'; readonly id: Id }
  /** Shows the sheet of a subtask. */
  | { readonly action: 'open'; readonly id: Id }
  /** Leaves the sheet for a command; for a property of the task it comes back. */
  | { readonly action: 'run'; readonly command: string };

interface AccountFormView {
  readonly busy: boolean;
  readonly error: string | null;
  /** The field with the error; absent if it concerns no particular one. */
  readonly field?: 'email' | 'password' | 'code';
  /** The account also requires a one-time code. */
  readonly wantsCode?: boolean;
  /** A pending promo code for the account, with its value. */
  readonly offer?: string;
}

export type AccountFormAction =
  | { readonly action: 'send'; readonly values: FormValues }
  | { readonly action: 'passkey' };

interface Confirmation {
  readonly action: 'confirm';
}

/** A read-only dialog that is only closed. */
interface Shown<View = unknown> {
  readonly view: View;
  readonly action: never;
}

/** Every dialog: its view and its actions. */
export interface Dialogs {
  readonly signIn: { readonly view: AccountFormView; readonly action: AccountFormAction };
  readonly signUp: { readonly view: AccountFormView; readonly action: AccountFormAction };
  readonly sessions: Shown;
  readonly import: Shown<{
    readonly busy: boolean;
    /** From 0 to 1; a final 0 means that nothing was imported. */
    readonly progress: number;
    readonly problems: readonly string[];
  }>;
  readonly export: Shown<{ readonly text: string; readonly fileName: string }>;
  readonly keys: { readonly view: { readonly editor: KeyEditorView }; readonly action: KeyEditorAction };
  readonly cheatSheet: Shown;
  readonly details: {
    /** `sheet`: null for a list. */
    readonly view: { readonly details: DetailsView; readonly sheet: TaskSheetView | null };
    readonly action: DetailsAction;
  };
  readonly labels: {
    readonly view: { readonly picker: LabelPickerView };
    readonly action: LabelPickerAction;
  };
  readonly labelManager: {
    readonly view: { readonly manager: LabelManagerView };
    readonly action: LabelManagerAction;
  };
  readonly settings: { readonly view: { readonly settings: SettingsView }; readonly action: SettingsAction };
  readonly safety: { readonly view: { readonly safety: SafetyView }; readonly action: SafetyAction };
  readonly files: { readonly view: { readonly files: FilesView }; readonly action: FilesAction };
  readonly install: Shown<{ readonly way: 'share' | 'dock' }>;
  readonly listMail: { readonly view: { readonly mail: ListMailView }; readonly action: ListMailAction };
  readonly quickEntry: {
    readonly view: { readonly entry: QuickEntryView };
    readonly action: QuickEntryAction;
  };
  readonly replace: { readonly view: { readonly replace: ReplaceView }; readonly action: ReplaceAction };
  readonly history: { readonly view: { readonly history: HistoryView }; readonly action: HistoryAction };
  readonly timeMachine: {
    readonly view: { readonly machine: TimeMachineView };
    readonly action: TimeMachineAction;
  };
  readonly recovered: {
    readonly view: { readonly items: readonly RecoveredView[] };
    readonly action: RecoveredAction;
  };
  readonly sync: { readonly view: { readonly status: SyncStatusView }; readonly action: RecoveredAction };
  readonly emptyTrash: {
    readonly view: {
      readonly items: readonly { readonly id: Id; readonly at: number }[];
      /** Number of items that the trash shows. */
      readonly count: number;
      readonly hasAccount: boolean;
      readonly busy: boolean;
      readonly error: string | null;
    };
    readonly action: Confirmation;
  };
  /** Signing out would leave changes behind that only this device has. */
  readonly signOut: {
    readonly view: { readonly waiting: number; readonly copies: number };
    readonly action: { readonly action: 'download' | 'leave' };
  };
  readonly disableSync: {
    readonly view: {
      /** Changes that the server does not have. */
      readonly waiting: number;
      /** They are being sent; cloud sync is turned off once all have arrived. */
      readonly sending: boolean;
      readonly error: string | null;
    };
    readonly action: { readonly action: 'send' | 'now' };
  };
  readonly enableSync: {
    readonly view: { readonly lost: DetachedView; readonly busy: boolean; readonly error: string | null };
    readonly action: { readonly action: 'download' | 'enable' };
  };
  readonly safetyCopies: {
    readonly view: { readonly copies: readonly SafetyCopyView[] };
    readonly action: SafetyCopyAction;
  };
  /** The password was right, but for another account than the one whose tasks are here. */
  readonly otherAccount: {
    readonly view: {
      readonly email: string;
      readonly held: string;
      readonly waiting: number;
      /** The tasks here are on disk and can stay; else they end with the tab. */
      readonly canKeep: boolean;
    };
    readonly action: { readonly action: 'download' | 'switch' };
  };
  readonly confirm: {
    readonly view: {
      readonly text: string;
      /** A note to read before answering. */
      readonly detail?: string;
      readonly action: string;
      readonly command: string;
    };
    readonly action: Confirmation;
  };
}

/** The name of a dialog. */
export type DialogType = keyof Dialogs;
/** A question or screen above the rest. */
export type DialogView = {
  readonly [T in DialogType]: { readonly type: T } & Dialogs[T]['view'];
}[DialogType];
/** An action in a dialog, with the view it was taken on. */
export type Answer<T extends DialogType = DialogType> = {
  readonly [K in T]: {
    readonly type: K;
    readonly dialog: { readonly type: K } & Dialogs[K]['view'];
    readonly action: Dialogs[K]['action'];
  };
}[T];
/** An action of one type of dialog, or of any. */
export type DialogAction<T extends DialogType = DialogType> = Dialogs[T]['action'];

/** The frame of a dialog. */
export interface DialogFrame {
  readonly name: string;
  readonly isWide?: boolean;
  /**
   * It asks for the person's identity or concerns data loss: the mouse works in it even in Hardcore Mode, so that it
   * can always be answered.
   */
  readonly takesMouse?: boolean;
}

/** Dialogs of the app; dialogs of parts are in `Part.dialogs`. */
export const dialogFrames = {
  signIn: { name: 'Sign in', takesMouse: true },
  signUp: { name: 'Create an account', takesMouse: true },
  sessions: { name: 'Signed-in devices', takesMouse: true },
  import: { name: 'Import' },
  export: { name: 'Export', isWide: true },
  keys: { name: 'Keys', isWide: true },
  cheatSheet: { name: 'Key cheat sheet', isWide: true },
  details: { name: 'Details' },
  labels: { name: 'Labels' },
  labelManager: { name: 'Labels and groups', isWide: true },
  settings: { name: 'Settings', isWide: true },
  safety: { name: 'Account', isWide: true, takesMouse: true },
  files: { name: 'Attachments', isWide: true },
  listMail: { name: 'List email address' },
  quickEntry: { name: 'Quick entry' },
  replace: { name: 'Find and replace', isWide: true },
  history: { name: 'History' },
  timeMachine: { name: 'Time machine' },
  recovered: { name: 'Recovered changes', takesMouse: true },
  install: { name: 'Install the app' },
  sync: { name: 'Sync status', isWide: true },
  emptyTrash: { name: 'Empty trash now', takesMouse: true },
  signOut: { name: 'Sign out', takesMouse: true },
  disableSync: { name: 'Disable cloud sync', takesMouse: true },
  enableSync: { name: 'Enable cloud sync', takesMouse: true },
  safetyCopies: { name: 'Safety copies', takesMouse: true },
  otherAccount: { name: 'Another account', takesMouse: true },
  confirm: { name: 'Confirm', takesMouse: true },
} as const satisfies Partial<Record<DialogType, DialogFrame>>;
