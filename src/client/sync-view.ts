// What is drawn of how this device stands to the server and to its other devices, and of what cloud sync leaves behind.
import type { KeptCopy, Notice } from './device.ts';

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
