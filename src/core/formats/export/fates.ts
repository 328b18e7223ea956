// What becomes of each thing in an export: the types of the table from which the guide and the tests are made.
import type { OutList, OutTask } from './tree.ts';

/** Fields of tasks that an export keeps or loses. */
export const taskFields = {
  title: 'title',
  notes: 'notes',
  nesting: 'subtasks and their order',
  done: 'completed',
  doneAt: 'when it was completed',
  createdAt: 'when it was created',
  due: 'due date',
  start: 'start date',
  snooze: 'snooze',
  repeat: 'repeat',
  duration: 'duration',
  labels: 'labels',
  groups: 'label groups',
  reminders: 'reminders',
  metadata: 'metadata',
  isBookmarked: 'bookmark',
  isCollapsed: 'collapsed subtasks',
} as const;
/** Fields of lists. */
export const listFields = {
  list: 'list',
  folders: 'folders around it',
  listNotes: 'notes of the list',
  isShared: 'that a list is shared',
  archivedAt: 'that a list is archived',
  listBookmark: 'bookmark of a list',
} as const;
/** What is not compared after reading: it is written as text, or not at all. */
export const otherFields = {
  about: 'assignee, comments, names of attached files',
  empty: 'lists without tasks',
  smart: 'smart lists',
  past: 'past completions of repeating tasks',
  settings: 'label colors, sorting, settings',
  trash: 'trash',
} as const;

/** The name of a field of a task. */
export type TaskField = keyof typeof taskFields;
/** The name of a field of a list. */
export type ListField = keyof typeof listFields;
/** The name of anything else. */
export type OtherField = keyof typeof otherFields;

/** A documented loss. */
export interface Loss<Of> {
  /** For the table of the guide: what is written instead, or what of it is lost. */
  readonly says: string;
  /** Whether this one is lost; absent: every one. */
  readonly when?: (of: Of) => boolean;
}

/** What becomes of a field: kept exactly, or a documented loss. */
export type Fate<Of> = 'kept' | Loss<Of>;

/** What becomes of everything in one format. */
export interface Fates {
  readonly tasks: Readonly<Record<TaskField, Fate<OutTask>>>;
  readonly lists: Readonly<Record<ListField, Fate<OutList>>>;
  readonly others: Readonly<Record<OtherField, Fate<never>>>;
}

/** Not in the file at all. */
export const leftOut: Loss<unknown> = { says: 'no' };
/** Written in words for people, which nothing reads back as more than text. */
export const inWords: Loss<unknown> = { says: 'in words' };
/** Written at the end of the notes. */
export const inNotes: Loss<unknown> = { says: 'in the notes' };

/** Whether a field of this one is lost, by the table. */
export function isLost<Of>(fate: Fate<Of>, of: Of): boolean {
  return fate !== 'kept' && (fate.when === undefined || fate.when(of));
}

/** A fate in words, for the table of the guide. */
export function fateWords(fate: Fate<never>): string {
  return fate === 'kept' ? 'yes' : fate.says;
}
