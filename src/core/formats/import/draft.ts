// What a reader gives: tasks as the file says them, with dates that may still be words. Not here: understanding them
// (settle.ts).
import type { RepeatRule } from '../../model.ts';
import type { Reminder } from '../../reminders.ts';
import type { Result } from '../../result.ts';
import type { When } from '../../when.ts';
import type { Given } from './given.ts';
import type { Losses } from './losses.ts';
import type { ImportContext, ImportedFolder } from './shape.ts';

/** A date as a file has it. */
export type RawDate =
  | { readonly when: When }
  | {
      readonly words: string;
      /** Language of the words, `de`; empty or absent: not said. */
      readonly language?: string;
      /** IANA zone of a time; empty or absent: the person's. */
      readonly zone?: string;
    };

/** A repeat as a file has it. */
export type RawRepeat =
  | { readonly rule: RepeatRule }
  | { readonly words: string; readonly language?: string; readonly zone?: string };

/** The name of a label, with its group if it has one. */
export interface RawLabel {
  readonly name: string;
  readonly group?: string | null;
}

/** A task while its file is being read. */
export interface RawTask {
  id: string | null;
  title: string;
  notes: string;
  /** Null: open; `at` null: it is not known when. */
  done: { at: RawDate | null } | null;
  created: RawDate | null;
  due: RawDate | null;
  start: RawDate | null;
  /** The last possible day, apart from the day it is planned for. */
  deadline: RawDate | null;
  repeat: RawRepeat | null;
  /** Minutes. */
  duration: number | null;
  /** Values of scalar fields in words, which are read or kept in the notes. */
  scalarWords: Readonly<Record<string, string>> | null;
  priority: string | null;
  isHeading: boolean;
  labels: RawLabel[];
  reminders: Reminder[];
  /** Until when it is hidden; null: it isn't. */
  snooze: RawDate | null;
  metadata: Record<string, string>;
  isCollapsed: boolean;
  isBookmarked: boolean;
  /** From a file of our own, which says what it means: a start that equals the due date stays. */
  isOwn: boolean;
  children: RawTask[];
}

/** A list while its file is being read. */
export interface RawList {
  id: string | null;
  /** Null or empty: the name of the file. */
  name: string | null;
  folders: readonly ImportedFolder[];
  notes: string;
  isInbox: boolean;
  archived: RawDate | null;
  isBookmarked: boolean;
  color: string | null;
  tasks: RawTask[];
  /** When what it says was written, milliseconds; null: not known. Days without a year are of its year. */
  writtenAt: number | null;
}

/** More about a label than its name. */
export interface RawLabelFacts extends RawLabel {
  readonly color?: string | null;
  readonly hotkey?: string | null;
}

/** What a reader found. */
export interface RawFile {
  /** For people: "Todoist CSV". */
  readonly kind: string;
  readonly lists: RawList[];
  readonly labels?: readonly RawLabelFacts[];
}

/** What a reader is given beside its files. */
export interface Tools {
  readonly losses: Losses;
  readonly context: ImportContext;
  /** Adds a sentence about the whole file. */
  readonly remark: (sentence: string) => void;
}

/** What a reader gives: its files together, or why they cannot be read: the rest of a sentence after the name. */
export type RawResult = Result<RawFile, string>;

/** A format that can be imported. */
export interface Format {
  /** In code and as the beginning of ids: `todoist`. */
  readonly name: string;
  /** For people: "Todoist CSV". */
  readonly title: string;
  /** Usual endings of its files, for pickers and guides. Files are never known by them alone. */
  readonly extensions: readonly string[];
  /** Whether the content is of this format. Never throws. */
  detect(file: Given): boolean;
  /** Reads all given files of this format together. */
  read(files: readonly Given[], tools: Tools): RawResult | Promise<RawResult>;
}

/** A task with nothing but these fields. */
export function rawTask(fields: Partial<RawTask> & { readonly title: string }): RawTask {
  return {
    id: null,
    notes: '',
    done: null,
    created: null,
    due: null,
    start: null,
    deadline: null,
    repeat: null,
    duration: null,
    scalarWords: null,
    priority: null,
    isHeading: false,
    labels: [],
    reminders: [],
    snooze: null,
    metadata: {},
    isCollapsed: false,
    isBookmarked: false,
    isOwn: false,
    children: [],
    ...fields,
  };
}

/** A list with nothing but these fields. */
export function rawList(fields: Partial<RawList> & { readonly name: string | null }): RawList {
  return {
    id: null,
    folders: [],
    notes: '',
    isInbox: false,
    archived: null,
    isBookmarked: false,
    color: null,
    tasks: [],
    writtenAt: null,
    ...fields,
  };
}

/** Joins the parts that are not empty as paragraphs. */
export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

/** Joins the parts that are not empty as lines. */
export function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== '').join('\n');
}
