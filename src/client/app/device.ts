// Facts from the platform about this device: where the copy is stored, what happened to it, and copies kept for other
// accounts.
import type { Id } from '#core/ids.ts';
import type { Signal } from './signal.ts';

/** How safely the copy is stored on this device. */
export interface DeviceFacts {
  readonly storage: 'disk' | 'memory';
  /** The browser's answer to persistent storage: whether it promised not to evict the copy. */
  readonly persisted: 'granted' | 'refused' | 'unasked' | 'unknown';
}

/** Something that happened to this device's copy, told until the person has seen it. */
export interface Notice {
  readonly id: string;
  readonly text: string;
  readonly tone: 'calm' | 'warn' | 'danger';
  /** Damaged records were set aside and can be downloaded. */
  readonly isDamage?: boolean;
  /** A benign notice: it offers something. */
  readonly offers?: 'install' | 'plan';
}

/** A copy of another account that stays on this device until its changes are sent or let go. */
export interface KeptCopy {
  readonly id: Id;
  readonly email: string;
  /** Changes that the server did not have when the copy was left. */
  readonly waiting: number;
}

/** Changes made while cloud sync was off, removed when it was turned on again. */
export interface SafetyCopy {
  readonly id: string;
  /** Wall times between which cloud sync was off. */
  readonly from: number;
  readonly until: number;
  /** Number of changes in it. */
  readonly count: number;
  /** A file of unsent changes. */
  readonly text: string;
}

/** How long a safety copy is kept. */
export const SAFETY_DAYS = 30;

/** Safety copies of this profile, on this device. */
export interface SafetyCopies {
  /** Resolves once it is on disk, replacing one with the same id. */
  keep(copy: SafetyCopy): Promise<void>;
  /** Newest first. */
  list(): Promise<readonly SafetyCopy[]>;
  drop(id: string): Promise<void>;
}

/** The platform's access to this device's storage: its notices, kept copies and safety copies. */
export interface DevicePort {
  readonly facts: Signal<DeviceFacts>;
  readonly notices: Signal<readonly Notice[]>;
  tell(notice: Omit<Notice, 'id'>): void;
  dismiss(notice: string): void;
  /** Damaged records that were set aside, as text; null when there are none. */
  damaged(): Promise<string | null>;
  readonly kept: readonly KeptCopy[];
  /** Unsent changes of a kept copy as the text of a file; null when they cannot be read. */
  keptChanges(id: Id): Promise<string | null>;
  safetyCopies(): Promise<SafetyCopies>;
  /** Deletes a kept copy. */
  dropKept(id: Id): Promise<void>;
}
