// What a task, list, label and their companions are: entity types, their registers and the values these hold.
// A register is the unit of merging, so fields that must agree share one. Absent register = its default.
// Not here: how registers merge (sync/) and how values are checked (wire/).
import type { Id } from './ids.ts';
import type { Reminder, ReminderRegister } from './reminders.ts';
import type { When } from './when.ts';

export type EntityType =
  | 'task'
  | 'list'
  | 'label'
  | 'labelGroup'
  | 'mine'
  | 'completion'
  | 'attachment'
  | 'setting';

/** Where an entity hangs. List, path and indent level are derived by walking up, never stored. */
export interface Place {
  /** A task, list, folder, label group, or a virtual root (see ids.ts). */
  readonly parent: Id;
  /** Fractional order key among siblings, compared as bytes (JavaScript `<`). Assigned by the server. */
  readonly key: string;
}

/** Null is open. "Cleared while incomplete" cannot be written. Milliseconds since the epoch. */
export type Status = null | { readonly done: number; readonly cleared?: number };

/** In the trash since `at`, put there by account number `by`. */
export interface Deletion {
  readonly at: number;
  readonly by: number;
}

export const repeatUnits = [
  'minutes',
  'hours',
  'days',
  'weeks',
  'months',
  'years',
  'nth-weekday',
  'nth-business-day-of-month',
  'nth-weekend-day-of-month',
] as const;

export type RepeatUnit = (typeof repeatUnits)[number];

export type Weekday = 'Sun' | 'Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat';

export type RepeatMetadata =
  | { readonly weekdays: readonly Weekday[] }
  | { readonly monthDays: readonly (number | 'last day')[] };

/** The whole rule is one register. */
export interface RepeatRule {
  /** Every `value` units; at least 1. For the nth-… units, which one (−1 is the last). */
  readonly value: number;
  /** Further ones beside `value`, for the nth-… units: "2nd and last friday". */
  readonly also?: readonly number[] | undefined;
  readonly unit: RepeatUnit;
  readonly metadata: RepeatMetadata | null;
  readonly from: 'due date' | 'completion' | null;
  /** What happens to occurrences that passed unseen: skip to the next in the future, or every one in turn. */
  readonly missed: 'skip' | 'every';
  /** Day of month the series was said on, so that 31 → 28 → 31; null when it does not matter. */
  readonly anchorDay: number | null;
  /** Times of day the dates were said at, `02:30`, while a zone that skips them has moved these dates on. */
  readonly anchorTime?:
    | { readonly due?: string | undefined; readonly start?: string | undefined }
    | undefined;
}

/** What a series holds while its present occurrence differs from it: with this the series goes on. */
export interface SeriesValues {
  /** The occurrence that differs. For another one all of this means nothing. */
  readonly occ: number;
  readonly due: When | null;
  readonly start: When | null;
  readonly title?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly duration?: number | null | undefined;
}

/** A task that arrived by e-mail. */
export interface MailOrigin {
  readonly from: string;
  readonly messageId: string;
  readonly at: number;
}

/** A set element or map entry is a register of its own: `label:<id>`, `meta:<key>`. */
export type LabelRegister = `label:${string}`;
export type MetaRegister = `meta:${string}`;

export interface TaskFields {
  readonly place: Place;
  readonly title?: string;
  /** Markdown, lines end in \n. */
  readonly notes?: string;
  readonly due?: When | null;
  readonly start?: When | null;
  readonly repeat?: RepeatRule | null;
  /** Set while only this occurrence was changed. */
  readonly series?: SeriesValues | null;
  /** Number of the live occurrence; moves only by compare-and-set. Absent = 0. */
  readonly occ?: number;
  readonly status?: Status;
  /** Minutes. */
  readonly duration?: number | null;
  readonly origin?: MailOrigin | null;
  readonly del?: Deletion | null;
  readonly [label: LabelRegister]: true | null;
  readonly [meta: MetaRegister]: string | null;
}

export type ListType = 'list' | 'folder' | 'inbox' | 'smart';
export type SortField = 'due-date' | 'start-date' | 'creation-date' | 'alphabetically' | 'label' | 'duration';

/** Field and order must agree, so they are one register. */
export interface PersistentSort {
  readonly field: SortField;
  readonly order: 'asc' | 'desc';
}

export interface ListFields {
  readonly place: Place;
  /** Fixed at creation. */
  readonly listType: ListType;
  readonly name?: string;
  readonly notes?: string;
  readonly query?: string | null;
  readonly sort?: PersistentSort | null;
  readonly archivedAt?: number | null;
  /** Nothing writes it: addresses are the server's own (server/mail/addresses.ts). The name stays taken, for copies that may hold it. */
  readonly mailAddress?: string | null;
  readonly del?: Deletion | null;
}

export interface LabelFields {
  /** Parent is the label's group, or the labels root. */
  readonly place: Place;
  readonly name?: string;
  /** `#rrggbb`. */
  readonly color?: string;
  readonly hotkey?: string | null;
  readonly visibility?: 'private' | 'shared';
  readonly associatedSharedListID?: Id | null;
  readonly del?: Deletion | null;
}

export interface LabelGroupFields {
  readonly place: Place;
  readonly name?: string;
  readonly visibility?: 'private' | 'shared';
  /** Choosing one label of the group replaces the other. */
  readonly exclusive?: boolean;
  readonly del?: Deletion | null;
}

/** What is one person's own about a task or list, kept in their personal scope so that sharing moves nothing private. */
export interface MineFields {
  readonly of: Id;
  readonly snooze?: When | null;
  readonly snoozeCount?: number;
  readonly bookmarkedAt?: number | null;
  readonly collapsed?: boolean;
  /** Reminders up to this moment are dealt with, milliseconds. Writing it twice is writing it once. */
  readonly reminded?: number | null;
  readonly [label: LabelRegister]: true | null;
  readonly [reminder: ReminderRegister]: Reminder | null;
}

/** One completed occurrence of a repeating task; its id is derived, so it exists once. */
export interface CompletionFields {
  readonly task: Id;
  readonly occ: number;
  readonly at: number;
  readonly title: string;
  readonly due?: When | null;
  readonly start?: When | null;
  /** Set when the completion was taken back. */
  readonly del?: Deletion | null;
}

export interface AttachmentFields {
  /** Parent is the task. */
  readonly place: Place;
  readonly name?: string;
  readonly fileType?: string;
  readonly sizeBytes?: number;
  /** SHA-256 of the content, hex. */
  readonly hash?: string;
  readonly del?: Deletion | null;
}

export interface SettingFields {
  readonly key: string;
  readonly value?: unknown;
}

/** What each type's registers hold; wire/registers.ts checks them all, and does not compile when one is missing there. */
export interface FieldsByType {
  readonly task: TaskFields;
  readonly list: ListFields;
  readonly label: LabelFields;
  readonly labelGroup: LabelGroupFields;
  readonly mine: MineFields;
  readonly completion: CompletionFields;
  readonly attachment: AttachmentFields;
  readonly setting: SettingFields;
}

/** Registers that creation fixes for ever. */
export const fixedRegisters: Readonly<Record<EntityType, readonly string[]>> = {
  task: ['origin'],
  list: ['listType'],
  label: [],
  labelGroup: [],
  mine: ['of'],
  completion: ['task', 'occ', 'at', 'title', 'due', 'start'],
  attachment: ['hash', 'sizeBytes', 'fileType'],
  setting: ['key'],
};

/** Types that hang somewhere in a tree and can be trashed. */
export const placedTypes: ReadonlySet<EntityType> = new Set([
  'task',
  'list',
  'label',
  'labelGroup',
  'attachment',
]);

/** Sizes that input is held to. A limit overstepped only by a merge is tolerated, never cut. */
export const limits = {
  titleCodePoints: 4_000,
  notesBytes: 256 * 1024,
  nameCodePoints: 1_000,
  queryCodePoints: 2_000,
  metadataCharacters: 1_024,
  /** Levels of nesting under a list. */
  depth: 1_000,
  keyCharacters: 32,
  settingBytes: 64 * 1024,
  transactionOperations: 500,
  /** Tasks that begin anew by one completion. */
  anewTasks: 2_000,
  pushOperations: 1_000,
  pushBytes: 1024 * 1024,
} as const;
