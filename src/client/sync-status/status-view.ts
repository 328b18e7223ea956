// Views of this device's state of sync, of the other devices, and of turning cloud sync off and on.
import type { KeptCopy, Notice } from '../app/device.ts';

/** A refused change, with its content. */
export interface RecoveredView {
  readonly seq: number;
  readonly what: string;
  readonly about: string;
  /** The name of the list that it was made in; null: not known. */
  readonly list: string | null;
  readonly reason: string;
  /** It can be replayed, here or in the Inbox. */
  readonly canApply: boolean;
  /** Two texts for one field: the one written here, and the current one. Null: no such conflict. */
  readonly sides: { readonly mine: string; readonly theirs: string; readonly by: string } | null;
  /** When it was recovered, and until when it is kept. */
  readonly kept: string;
}

/** A device of the account and its state of sync, in words. */
export interface DeviceView {
  readonly number: number;
  readonly name: string;
  readonly isHere: boolean;
  readonly heard: string;
  readonly change: string;
  readonly state: string;
  readonly tone: 'good' | 'wait' | 'plain';
}

/** The devices of the account. */
export interface DevicesView {
  /** This device first. */
  readonly list: readonly DeviceView[];
  /** Number of further devices. */
  readonly more: number;
  /** Why the others are missing or may be out of date; null: they are current. */
  readonly note: string | null;
}

/** The sync status dialog: the state of sync, unsent changes and devices. */
export interface SyncStatusView {
  readonly headline: string;
  readonly facts: readonly {
    readonly name: string;
    readonly text: string;
    readonly tone: 'good' | 'wait' | 'bad' | 'plain';
  }[];
  /** Cloud sync is turned off on this device. */
  readonly isOff: boolean;
  /** There are changes that a file can hold, including those that are never sent. */
  readonly hasUnsent: boolean;
  /** Number of changes that wait to be sent. */
  readonly unsentCount: number;
  /** The oldest unsent changes, oldest first. */
  readonly unsent: readonly { readonly seq: number; readonly what: string; readonly about: string }[];
  /** Null without an account. */
  readonly devices: DevicesView | null;
  readonly recovered: readonly RecoveredView[];
  readonly notices: readonly Notice[];
  readonly kept: readonly KeptCopy[];
  readonly hasAccount: boolean;
}

/** The changes that turning cloud sync on again will remove. */
export interface DetachedView {
  /** When cloud sync was turned off, readable. */
  readonly since: string;
  readonly parts: readonly {
    readonly name: 'Created' | 'Changed' | 'Moved' | 'Deleted';
    readonly count: number;
    /** The first names, in the order of their changes. */
    readonly items: readonly string[];
  }[];
  /** Number of marks, settings and records without a name. */
  readonly others: number;
  /** The lists that contain them, with counts. */
  readonly lists: readonly { readonly name: string; readonly count: number }[];
  /** Older changes that will be sent. */
  readonly waiting: number;
}

/** Changes made while cloud sync was off, kept after they were removed. */
export interface SafetyCopyView {
  readonly id: string;
  /** "20 November 2026, 10:00 to 12:30" */
  readonly span: string;
  readonly count: number;
  readonly daysLeft: number;
}

/** A decision on recovered changes; without `seq`, on all of them. */
export interface RecoveredAction {
  readonly action: 'again' | 'drop' | 'copy';
  /** Number of the recovered operation. */
  readonly seq?: number;
}

/** An action on a safety copy. */
export interface SafetyCopyAction {
  readonly action: 'restore' | 'download' | 'drop';
  readonly copy: string;
}
