// The dialogs, and what each of them draws; what a part of the app draws in its own is defined beside that part.
import type { Id } from '#core/ids.ts';
import type { QuickEntryView } from './entry/entry-view.ts';
import type { FilesView } from './files/files-view.ts';
import type { HistoryView, TimeMachineView } from './history/view.ts';
import type { KeyEditorView } from './keys/editor-view.ts';
import type { LabelManagerView, LabelPickerView } from './labels/label-view.ts';
import type { ListMailView } from './mail/list-mail-view.ts';
import type { ReplaceView } from './replacing/replace-view.ts';
import type { SafetyView } from './safety/safety-view.ts';
import type { SettingsView } from './settings/settings-view.ts';
import type { DetachedView, RecoveredView, SafetyCopyView, SyncStatusView } from './sync-view.ts';
import type { FirstRunView } from './teaching/first-run-view.ts';

export interface DetailsView {
  readonly id: Id;
  readonly kind: 'task' | 'list';
  /** Markdown. */
  readonly notes: string;
  readonly title: string;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly metadata: readonly { readonly name: string; readonly text: string }[];
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

/** A question or screen above the rest. */
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
  | {
      readonly type: 'firstRun';
      /** The step, from 1. */
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
  | {
      readonly type: 'confirm';
      readonly text: string;
      /** What is to be known before the answer. */
      readonly detail?: string;
      readonly action: string;
      readonly command: string;
    };
