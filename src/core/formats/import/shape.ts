// The neutral shape that every file of another program is read into, before anything is created: lists with their
// folders, tasks with their subtasks, labels, and a report of what has no place here. Not here: reading (read-import.ts)
// and what becomes of it (the client's plan).
import type { RepeatRule, ScalarName } from '../../model.ts';
import type { Reminder } from '../../reminders.ts';
import type { ScalarValue } from '../../task-fields.ts';
import type { Result } from '../../result.ts';
import type { When } from '../../when.ts';
import type { PhraseContext } from '../../dates/reader.ts';

/** A file as it was given. */
export interface ImportInput {
  /** With the folders it came from, if any: `Things Database.thingsdatabase/main.sqlite`. Never used as a path. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** When the file was last written, milliseconds since the epoch; absent: not known. */
  readonly writtenAt?: number;
}

/** A value of a row of a database, as SQLite gives it. */
export type Cell = string | number | bigint | Uint8Array | null;

/** A database that is open for reading. */
export interface ImportDatabase {
  /** Rows by column. Throws when SQLite refuses; the reader turns that into its problem. */
  rows(statement: string): readonly Readonly<Record<string, Cell>>[];
  close(): void;
}

/** What the readers need of the outside world. */
export interface ImportPorts {
  /**
   * Opens an SQLite database from its bytes, read-only, in memory, with `trusted_schema` off. Loads what it needs only
   * now. May reject or throw on damaged files. Absent: databases are refused with a sentence.
   */
  readonly openDatabase?: (image: Uint8Array) => Promise<ImportDatabase>;
}

/** For whom a file is read. */
export interface ImportContext {
  /** The person's clock, zone and habits: words such as "tomorrow" and dates without a zone mean theirs. */
  readonly phrase: PhraseContext;
  /** Hour of "This Evening", 0–23; absent: 18. */
  readonly eveningHour?: number;
  readonly ports?: ImportPorts;
}

/** A folder on the way to a list. */
export interface ImportedFolder {
  /** As in `ImportedList`. */
  readonly id: string | null;
  readonly name: string;
}

/** A task. All its dates are understood: what was not stands in its notes and in the report. */
export interface ImportedTask {
  /**
   * Identity in the other program, with its name in front: `todoist:6Crg8`. Unique in the file, the same in the next
   * export. Null: the file has none.
   */
  readonly id: string | null;
  /** One line, within the limit. */
  readonly title: string;
  /** Markdown, lines end in \n, within the limit; empty: none. */
  readonly notes: string;
  /** Null: open. `at`: milliseconds; null when the file does not say when. */
  readonly done: { readonly at: number | null } | null;
  /** Milliseconds, never later than now; null: not known. */
  readonly createdAt: number | null;
  readonly due: When | null;
  readonly start: When | null;
  /** Only with a due or a start date. */
  readonly repeat: RepeatRule | null;
  readonly scalars: Readonly<Partial<Record<ScalarName, ScalarValue>>>;
  /** Name in the group "Priority": "p1", "A"; null: none. */
  readonly priority: string | null;
  /** A section, heading or column of the other program. */
  readonly isHeading: boolean;
  /** Keys of `ImportedFile.labels`, each once. */
  readonly labels: readonly string[];
  readonly reminders: readonly Reminder[];
  /** Until when it is hidden; null: it isn't. */
  readonly snooze: When | null;
  /** Keys and values within the limits of metadata. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly isCollapsed: boolean;
  readonly isBookmarked: boolean;
  /** At most as deep as the limit of the model; deeper ones were moved up and counted. */
  readonly children: readonly ImportedTask[];
}

/** A list or project. */
export interface ImportedList {
  /** As in `ImportedTask`; lists and tasks never share one. */
  readonly id: string | null;
  /** Never empty. */
  readonly name: string;
  /** From the top level down. Equal folders have equal ids, or equal names without ids. */
  readonly folders: readonly ImportedFolder[];
  readonly notes: string;
  /** The default list of the other program: its tasks belong to the Inbox here. */
  readonly isInbox: boolean;
  /** Milliseconds; null: not archived. */
  readonly archivedAt: number | null;
  readonly isBookmarked: boolean;
  /** `#rrggbb`; null: none. Lists have no color here: for the report. */
  readonly color: string | null;
  readonly tasks: readonly ImportedTask[];
}

/** A label, by its folded name and group. */
export interface ImportedLabel {
  readonly key: string;
  readonly name: string;
  /** Name of its label group; null: none. */
  readonly group: string | null;
  /** `#rrggbb`; null: none. */
  readonly color: string | null;
  readonly hotkey: string | null;
}

/** What a file holds that has no place here of the same kind. `lossWords` (losses.ts) puts it into words. */
export type LossKind =
  | 'archived'
  | 'assignee'
  | 'attachment'
  | 'author'
  | 'cancelled'
  | 'color'
  | 'column'
  | 'comment'
  | 'completed-moment'
  | 'custom-field'
  | 'damaged'
  | 'date'
  | 'deadline'
  | 'dependency'
  | 'depth'
  | 'duplicate'
  | 'duration'
  | 'empty'
  | 'encoding'
  | 'exception'
  | 'file'
  | 'flag'
  | 'formatting'
  | 'heading'
  | 'label-group'
  | 'link'
  | 'location'
  | 'long-name'
  | 'long-text'
  | 'long-title'
  | 'mention'
  | 'mirror'
  | 'not-completable'
  | 'orphan'
  | 'other'
  | 'person'
  | 'priority'
  | 'project-date'
  | 'project-label'
  | 'reminder'
  | 'repeat'
  | 'repeat-end'
  | 'repeat-start'
  | 'row'
  | 'someday'
  | 'status'
  | 'tombstone'
  | 'trash'
  | 'year';

/** Where it goes instead. */
export type LossTarget =
  | 'comment'
  | 'created'
  | 'due'
  | 'folder'
  | 'inbox'
  | 'label'
  | 'list'
  | 'list notes'
  | 'metadata'
  | 'moved up'
  | 'nowhere'
  | 'now'
  | 'notes'
  | 'open'
  | 'start'
  | 'subtask'
  | 'task'
  | 'title'
  | 'today'
  | 'top level';

/** One line of the report. */
export interface Loss {
  readonly what: LossKind;
  /** Its name in the file: "DEADLINE", "RRULE", "rt1_recurrenceRule". */
  readonly field: string;
  /** Where it goes instead. */
  readonly becomes: LossTarget;
  /** How often. */
  readonly count: number;
  /** At most three, each one line of at most 120 characters. */
  readonly examples: readonly string[];
}

/** What the files hold. Several files of one person make one: lists in the order of the files. */
export interface ImportedFile {
  /** For people: "Todoist backup", "Things". Several are joined with " and ". */
  readonly kind: string;
  /** Names of the formats (formats.ts), each once. */
  readonly formats: readonly string[];
  readonly lists: readonly ImportedList[];
  readonly labels: readonly ImportedLabel[];
  /** Whether every list and task has an id, so that the next import of the same file can know them again. */
  readonly hasIds: boolean;
  /** What people should know first comes first. Empty: everything has its place. */
  readonly losses: readonly Loss[];
  /** Sentences about whole files: how one was decoded, what was not read beside others. */
  readonly remarks: readonly string[];
}

/** The result of reading files, or a sentence about why they cannot be read. */
export type ImportOutcome = Result<ImportedFile, string>;
