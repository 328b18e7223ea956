// The model of tasks, lists, labels and related entities: the types, their registers and the values these hold. A
// register is the unit of merging, so fields that must agree share one. Absent register = its default. Not here: how
// registers merge (sync/) and how values are checked (wire/).
import type { Block, BlockRegister } from './calendar/blocks.ts';
import type { Id } from './ids.ts';
import type { Reminder, ReminderRegister } from './reminders.ts';
import type { When } from './when.ts';

/** Types of rows, as they are stored and sent. */
export type EntityType =
  | 'task'
  | 'list'
  | 'label'
  | 'labelGroup'
  | 'mine'
  | 'completion'
  | 'attachment'
  | 'comment'
  | 'setting'
  | 'mount'
  | 'member';

/** The type of a row that a newer program wrote: any name that is not an `EntityType`. */
export type UnknownType = string & { readonly isUnknownType: true };

/** Position in a tree. List, path and indent level are derived by walking up, never stored. */
export interface Place {
  /** A task, list, folder, label group, or a virtual root (see ids.ts). */
  readonly parent: Id;
  /** Fractional order key among siblings, compared as bytes (JavaScript `<`). Assigned by the server. */
  readonly key: string;
}

/**
 * Completion of a task; null while it is open. "Cleared while incomplete" cannot be written. Milliseconds since the
 * epoch.
 */
export type Status = null | { readonly done: number; readonly cleared?: number };

/** In the trash since `at`, put there by account number `by`. */
export interface Deletion {
  readonly at: number;
  readonly by: number;
}

/** Units of a repeat rule. The plural ones count steps; the nth-… ones name days of a month. */
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

/** The unit that a repeat rule counts in, or the kind of day it names. */
export type RepeatUnit = (typeof repeatUnits)[number];

/** Weekdays as repeat rules store them. */
export type Weekday = 'Sun' | 'Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat';

/** The days that a rule names: weekdays for `weeks` and `nth-weekday`, days of the month for `months`. */
export type RepeatMetadata =
  | { readonly weekdays: readonly Weekday[] }
  | { readonly monthDays: readonly (number | 'last day')[] };

/** How a task repeats. The whole rule is one register. */
export interface RepeatRule {
  /** Every `value` units; at least 1. For the nth-… units, which one (−1 is the last). */
  readonly value: number;
  /** More values beside `value`, for the nth-… units: "2nd and last friday". */
  readonly also?: readonly number[] | undefined;
  readonly unit: RepeatUnit;
  readonly metadata: RepeatMetadata | null;
  readonly from: 'due date' | 'completion' | null;
  /** Occurrences that passed unseen: skip to the next one in the future, or take every one in turn. */
  readonly missed: 'skip' | 'every';
  /** Original day of the month, so that 31 → 28 → 31; null when it does not matter. */
  readonly anchorDay: number | null;
  /** Original times of day, `02:30`, while a zone that skips them has moved the dates. */
  readonly anchorTime?:
    | { readonly due?: string | undefined; readonly start?: string | undefined }
    | undefined;
}

/** The values of a series while its current occurrence differs from them; the next occurrence takes them again. */
export interface SeriesValues {
  /** The occurrence that differs. Ignored for any other one. */
  readonly occ: number;
  readonly due: When | null;
  readonly start: When | null;
  readonly title?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly duration?: number | null | undefined;
}

/** Source of a task that arrived by e-mail. */
export interface MailOrigin {
  readonly from: string;
  readonly messageId: string;
  readonly at: number;
}

/** Each set element or map entry is its own register: `label:<id>`, `meta:<key>`. */
export type LabelRegister = `label:${string}`;
export type MetaRegister = `meta:${string}`;

/** Task registers that hold one value with an order. What they are called and how they are read is task-fields.ts. */
export interface ScalarFields {
  /** Minutes. */
  readonly duration?: number | null;
}

/** The name of a scalar register. */
export type ScalarName = keyof ScalarFields;
/** All of them, in the order in which lists of fields show them. */
export const scalarNames = ['duration'] as const satisfies readonly ScalarName[];

export interface TaskFields extends ScalarFields {
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
  /** Account number of the member of the shared list who does it. One who has left stays named. */
  readonly assignee?: number | null;
  readonly origin?: MailOrigin | null;
  readonly del?: Deletion | null;
  readonly [label: LabelRegister]: true | null;
  readonly [meta: MetaRegister]: string | null;
}

/** Registers of a task before it is created. */
export type TaskDraft = { -readonly [Name in keyof TaskFields]?: TaskFields[Name] | undefined };

/** Kinds of lists. A folder contains lists, a smart list is filled by its query, and a scope has one Inbox. */
export type ListType = 'list' | 'folder' | 'inbox' | 'smart';

/** What lists and search results can be sorted by. */
export const sortFields = [
  'due-date',
  'start-date',
  'creation-date',
  'alphabetically',
  'label',
  ...scalarNames,
] as const;
/** One of `sortFields`. */
export type SortField = (typeof sortFields)[number];

/** Field and order must agree, so they are one register. */
export interface PersistentSort {
  readonly field: SortField;
  readonly order: 'asc' | 'desc';
}

/**
 * How one person sorts a shared list: `by-hand` is the order that everybody sees, `my-order` that with what the person moved in
 * places of their own (`mine.order`).
 */
export type OwnSort = PersistentSort | 'by-hand' | 'my-order';

export interface ListFields {
  readonly place: Place;
  /** Fixed at creation. */
  readonly listType: ListType;
  readonly name?: string;
  readonly notes?: string;
  readonly query?: string | null;
  readonly sort?: PersistentSort | null;
  readonly archivedAt?: number | null;
  /** Of a shared list: hours after which what is complete in it is cleared, for everybody; absent: never. */
  readonly clearAfter?: number | null;
  /**
   * Unused: addresses belong to the server (server/mail/addresses.ts). The name stays reserved, because copies may hold
   * it.
   */
  readonly mailAddress?: string | null;
  readonly del?: Deletion | null;
}

/** The color of a label that has none of its own: gray. */
export const plainColor = '#777c85';

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

/** A person's own fields of a task or list, kept in their personal scope so that sharing moves nothing private. */
export interface MineFields {
  readonly of: Id;
  readonly snooze?: When | null;
  readonly snoozeCount?: number;
  readonly bookmarkedAt?: number | null;
  readonly collapsed?: boolean;
  /** Reminders up to this moment are dealt with, milliseconds. Idempotent. */
  readonly reminded?: number | null;
  /**
   * When it rings, milliseconds, ascending: what a server is told that can't read the reminders of an encrypted account, where the person
   * wants that.
   */
  readonly wake?: readonly number[] | null;
  /** Order key among its siblings, while the person has an order of their own in a shared list; compared with theirs. */
  readonly order?: string | null;
  readonly [label: LabelRegister]: true | null;
  readonly [reminder: ReminderRegister]: Reminder | null;
  readonly [block: BlockRegister]: Block | null;
}

/** One completed occurrence of a repeating task; its id is derived, so it exists once. */
export interface CompletionFields {
  readonly task: Id;
  readonly occ: number;
  readonly at: number;
  readonly title: string;
  readonly due?: When | null;
  readonly start?: When | null;
  /** Set when the completion was undone. */
  readonly del?: Deletion | null;
}

/** What the sealed content of an attachment opens to. */
export interface SealedContent {
  /** SHA-256 of it, hex: another content isn't taken for it. */
  readonly hash: string;
  /** How large it is. */
  readonly bytes: number;
  /** The attachment that it was sealed for. A copy of that one names the same content. */
  readonly of: Id;
  /** The scope of the encrypted list whose key it is sealed with; absent: the key of somebody's own scope. */
  readonly scope?: Id | undefined;
}

export interface AttachmentFields {
  /** Parent is the task. */
  readonly place: Place;
  readonly name?: string;
  readonly fileType?: string;
  /** Of the content as the server has it. */
  readonly sizeBytes?: number;
  /** SHA-256 of the content as the server has it, hex. */
  readonly hash?: string;
  /** The server has the content sealed. Null: as it is. */
  readonly content?: SealedContent | null;
  readonly del?: Deletion | null;
}

/**
 * What somebody wrote about a task. People in it are named by `@[account number]` (mentions.ts). Its author alone changes the
 * text; the author and the owner of the list delete it.
 */
export interface CommentFields {
  /** Parent is the task. */
  readonly place: Place;
  /** Account number; written by `apply`, from who creates it. */
  readonly author?: number;
  readonly text?: string;
  /** By it the server recognizes what it has had (server/access/comment-seal.ts). It writes it itself. */
  readonly seal?: string;
  readonly del?: Deletion | null;
}

export interface SettingFields {
  readonly key: string;
  readonly value?: unknown;
}

/**
 * Where a shared list stands in one person's sidebar: a row of their personal scope, with an id derived from the list. The list
 * itself is in the scope that all its members read. Never deleted: without the list it is shown nowhere.
 */
export interface MountFields {
  /** The shared list. */
  readonly of: Id;
  /** Parent is a folder, or the root of lists. */
  readonly place: Place;
  /** The person has archived the list for themselves. */
  readonly hiddenAt?: number | null;
  /** When the person joined; the last time if several. */
  readonly joinedAt?: number | null;
  /** Instead of the sorting of the list; absent: that. */
  readonly ownSort?: OwnSort | null;
  /** The person has seen what others changed up to this version of the list's scope. It only grows. */
  readonly seenVersion?: number | null;
  /** What others change is not pointed out. */
  readonly muted?: boolean | null;
}

/** What a member of a shared list is to it: `owner` may remove the others, hand the list over and make it private again. */
export type MemberRole = 'owner' | 'member';

/**
 * A member of a shared list, in its scope, with an id derived from the account. Only the server writes these rows. One who has left stays, so
 * that the history has a name.
 */
export interface MemberFields {
  /** Account number. */
  readonly account: number;
  readonly role?: MemberRole;
  readonly name?: string;
  /** At most two characters. */
  readonly initials?: string;
  /** Shown instead of the initials. */
  readonly emoji?: string | null;
  /** `#rrggbb`. */
  readonly color?: string;
  readonly joinedAt?: number;
  readonly leftAt?: number | null;
}

/** The registers of each type. wire/registers.ts checks them all, and does not compile when one is missing there. */
export interface FieldsByType {
  readonly task: TaskFields;
  readonly list: ListFields;
  readonly label: LabelFields;
  readonly labelGroup: LabelGroupFields;
  readonly mine: MineFields;
  readonly completion: CompletionFields;
  readonly attachment: AttachmentFields;
  readonly comment: CommentFields;
  readonly setting: SettingFields;
  readonly mount: MountFields;
  readonly member: MemberFields;
}

/** A note's text with its merge data (note.ts). */
export interface NoteDoc {
  /** Identifies the text that the document started from. */
  readonly seed: Id;
  /** A Yjs update with the whole document, base64. */
  readonly state: string;
}

type KeptFields = { readonly notesDoc?: NoteDoc };

/** Registers of a type that differ from their default; never null. */
export type FieldsOf<T extends EntityType> = {
  readonly [Name in keyof FieldsByType[T]]: Exclude<FieldsByType[T][Name], null>;
} & (T extends 'task' | 'list' ? KeptFields : unknown);

/** The name of a register of any type. */
export type FieldName = { readonly [T in EntityType]: keyof FieldsOf<T> }[EntityType];
/** The values that a register has in any of the types with a register of that name. */
export type FieldValue<Name extends FieldName> = {
  readonly [T in EntityType]: Name extends keyof FieldsOf<T> ? FieldsOf<T>[Name] : never;
}[EntityType];

/** Reads a register of an operation or an export, whose registers were checked against their type on the way in. */
export function readField<Name extends FieldName>(
  fields: Readonly<Record<string, unknown>>,
  name: Name,
): FieldValue<Name> | null | undefined {
  return fields[name] as FieldValue<Name> | null | undefined;
}

/** Registers that never change after creation. */
export const fixedRegisters: Readonly<Record<EntityType, readonly string[]>> = {
  task: ['origin'],
  list: ['listType'],
  label: [],
  labelGroup: [],
  mine: ['of'],
  completion: ['task', 'occ', 'at', 'title', 'due', 'start'],
  attachment: ['hash', 'sizeBytes', 'fileType', 'content'],
  comment: ['author', 'seal'],
  setting: ['key'],
  mount: ['of'],
  member: ['account'],
};

/** Whether this program knows the type. */
export function isEntityType(type: EntityType | UnknownType): type is EntityType {
  return Object.hasOwn(fixedRegisters, type);
}

/** Types that have a place in a tree. All but mounts can be trashed. */
export const placedTypes: ReadonlySet<EntityType> = new Set([
  'task',
  'list',
  'label',
  'labelGroup',
  'attachment',
  'comment',
  'mount',
]);

/** Size limits of input. A value that only a merge made larger is tolerated, never cut. */
export const limits = {
  titleCodePoints: 4_000,
  notesBytes: 256 * 1024,
  nameCodePoints: 1_000,
  commentCodePoints: 10_000,
  /** Of a person's name. */
  personCodePoints: 100,
  queryCodePoints: 2_000,
  metadataCharacters: 1_024,
  /** Levels of nesting under a list. */
  depth: 1_000,
  keyCharacters: 32,
  /** Of an order key that is the person's own. */
  ownOrderCharacters: 100,
  settingBytes: 64 * 1024,
  transactionOperations: 500,
  /** Subtasks that one completion of a repeating task reopens at most. */
  anewTasks: 2_000,
  pushOperations: 1_000,
  pushBytes: 1024 * 1024,
} as const;
