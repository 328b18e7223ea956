// What the platform tells about this device: where the copy lies, what happened to it, and copies kept for other accounts.
import type { Id } from '#core/ids.ts';
import type { Signal } from './signal.ts';

export interface DeviceFacts {
  readonly storage: 'disk' | 'memory';
  /** Whether the browser promised not to clear it by itself. */
  readonly persisted: 'granted' | 'refused' | 'unasked' | 'unknown';
}

/** Something that happened to this device's copy, told until the person has seen it. */
export interface Notice {
  readonly id: string;
  readonly text: string;
  readonly tone: 'calm' | 'warn' | 'danger';
  /** Damaged records were put aside and can be downloaded. */
  readonly isDamage?: boolean;
  /** It is no accident: something can be had. */
  readonly offers?: 'install';
}

/** A copy of another account that stays on this device until its changes are sent or let go. */
export interface KeptCopy {
  readonly id: Id;
  readonly email: string;
  /** Changes that had not reached the server when it was left. */
  readonly waiting: number;
}

/** What was made while cloud sync was off and was removed when it was turned on again. */
export interface SafetyCopy {
  readonly id: string;
  /** Wall times between which cloud sync was off. */
  readonly from: number;
  readonly until: number;
  /** Changes in it. */
  readonly count: number;
  /** A file of unsent changes. */
  readonly text: string;
}

/** How long a safety copy is kept. */
export const SAFETY_DAYS = 30;

/** Safety copies of this profile, on this device. */
export interface SafetyCopies {
  /** Resolves when it is on the disk, in place of one with the same id. */
  keep(copy: SafetyCopy): Promise<void>;
  /** Newest first. */
  list(): Promise<readonly SafetyCopy[]>;
  drop(id: string): Promise<void>;
}

export interface DevicePort {
  readonly facts: Signal<DeviceFacts>;
  readonly notices: Signal<readonly Notice[]>;
  dismiss(notice: string): void;
  /** Damaged records put aside, as text; null when there are none. */
  damaged(): Promise<string | null>;
  readonly kept: readonly KeptCopy[];
  /** Unsent changes of a kept copy, as the text of a file; null when they cannot be read. */
  keptChanges(id: Id): Promise<string | null>;
  safetyCopies(): Promise<SafetyCopies>;
  /** Lets a kept copy go. */
  dropKept(id: Id): Promise<void>;
}
