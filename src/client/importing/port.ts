// The platform's port for imports: files that were chosen, dropped or handed over are read away from the page, in a worker, and
// become a plan there. The page gets numbers, samples and portions, never a file.
import type { Id } from '#core/ids.ts';
import type { Loss } from '#core/formats/import/shape.ts';
import type { PhraseContext } from '#core/dates/reader.ts';
import type { Result } from '#core/result.ts';
import type { FileContent } from '../files/port.ts';

/** A file that may be imported, not read yet. `content`: the platform's own object, or its bytes. */
export interface ImportSource extends FileContent {
  /** When the file was last written, in milliseconds since the epoch; absent: not known. */
  readonly writtenAt?: number;
}

/** Whose way of writing dates the words of a file are read in. */
export interface ReadContext {
  readonly phrase: PhraseContext;
  /** Hour of “This Evening,” 0–23. */
  readonly eveningHour: number;
}

/** How far reading or planning is, from 0 to 1. */
export type HearProgress = (progress: number) => void;

/** A file that holds text for other ways in: lines of tasks, our own JSON, unsent changes. */
export interface TextGiven {
  readonly name: string;
  readonly text: string;
  /** A note on how it was decoded; null: by its own declaration. */
  readonly note: string | null;
}

/** What was found in files. */
export interface ReadAnswer {
  /** There are tasks of another program, of which a plan can be made. */
  readonly hasTasks: boolean;
  /** Files for other ways in. */
  readonly texts: readonly TextGiven[];
  /** Files that nothing reads, each with why, as whole sentences. */
  readonly problems: readonly string[];
}

/** What the person chose in the rehearsal. */
export interface ImportOptions {
  /** Priorities become labels of one group; false: they are left out. */
  readonly hasPriorities: boolean;
  readonly hasCompleted: boolean;
  /** What is for someday goes into a list of its own; false: it gets a label. */
  readonly somedayIsList: boolean;
  /** Of an outline without lists: its top items become lists. */
  readonly topIsLists: boolean;
  /** All goes into the list of the context, if there is one, instead of into lists of its own. */
  readonly isInto: boolean;
  /** Lists that are left out, by their number in the file. */
  readonly without: readonly number[];
}

/** A label or a group of labels that is here. */
export interface KnownLabel {
  readonly id: Id;
  readonly name: string;
  /** Null: in no group, or a group. */
  readonly group: Id | null;
}

/** A list that an import can go into: the one that was open. */
export interface IntoList {
  readonly id: Id;
  readonly name: string;
  /** That of its tasks and of their labels. */
  readonly scope: Id;
  readonly isShared: boolean;
  readonly labels: readonly KnownLabel[];
  readonly groups: readonly KnownLabel[];
}

/** What a plan needs to know of the person and of what is here. */
export interface PlanContext {
  /** Its roots are the parents of top lists and labels. */
  readonly scope: Id;
  /** Tells accounts apart in derived ids: every client knows it. */
  readonly inbox: Id;
  readonly phrase: PhraseContext;
  readonly labels: readonly KnownLabel[];
  readonly groups: readonly KnownLabel[];
  /** Absent: no list was open. */
  readonly into?: IntoList;
  /** Counts up where ids of earlier imports can't be used again; absent: 0. */
  readonly turn?: number;
  /** Colors of new labels, in turn. */
  readonly colors: readonly string[];
}

/** What is planned to be here after an import: one entity, after its parent and its older siblings. */
export interface Planned {
  readonly id: Id;
  readonly type: 'list' | 'labelGroup' | 'label' | 'task';
  readonly parent: Id;
  /** Registers without the place. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The person's own registers of it: reminders, bookmark, collapsed. Null: none. */
  readonly mine: Readonly<Record<string, unknown>> | null;
  /** Milliseconds since the epoch; null: now. */
  readonly createdAt: number | null;
  /** The id is derived from one of the file: another import finds it again. */
  readonly isFound: boolean;
  /** How a list or label is remembered; null: it is not. Tasks have it in their metadata. */
  readonly mark: string | null;
  /** Number of its list in the plan; −1: of none. */
  readonly list: number;
}

/** A list of the plan. */
export interface PlannedList {
  readonly id: Id;
  readonly name: string;
  /** Names of its folders, outermost first. */
  readonly folders: readonly string[];
  readonly tasks: number;
  readonly isInbox: boolean;
  readonly isLeftOut: boolean;
  readonly isArchived: boolean;
  /** Its first tasks. */
  readonly sample: readonly SampleTask[];
}

/** A task of a sample. */
export interface SampleTask {
  readonly title: string;
  readonly level: number;
  readonly isDone: boolean;
  readonly hasNotes: boolean;
  readonly labels: readonly string[];
  /** ISO day or moment of its due date, for showing; null: none. */
  readonly due: unknown;
}

/** The plan in numbers. */
export interface PlanSummary {
  /** The formats that were read: “Todoist backup”. */
  readonly kind: string;
  readonly tasks: number;
  readonly completed: number;
  readonly labels: number;
  readonly newLabels: number;
  readonly folders: number;
  readonly lists: readonly PlannedList[];
  /** Lists that the person left out. */
  readonly leftOut: number;
  /** What has no place here, and where it goes instead. */
  readonly losses: readonly Loss[];
  /** Further sentences about the files. */
  readonly notes: readonly string[];
  /** Number of entities of the plan. */
  readonly size: number;
  /** Entities without an id of the file: a second import makes them again. */
  readonly unfound: number;
  /** Which options change anything. */
  readonly offers: {
    readonly priorities: number;
    readonly completed: number;
    readonly someday: number;
    readonly topItems: number;
    /** The list that all can go into; null: none was open. */
    readonly into: Pick<IntoList, 'name' | 'isShared'> | null;
  };
  /** The list that all goes into; null: into lists of its own. */
  readonly into: Pick<IntoList, 'id' | 'name'> | null;
}

/** One import: files are read once, and planned as often as the options change. */
export interface Importer {
  read(sources: readonly ImportSource[], context: ReadContext, hear: HearProgress): Promise<ReadAnswer>;
  /** Only after `read` has found tasks. */
  plan(options: ImportOptions, context: PlanContext): Promise<Result<PlanSummary, string>>;
  /** Entities of the last plan, in order. */
  portion(from: number, count: number): Promise<readonly Planned[]>;
  /** Ends the reading at once. Nothing is answered after that. */
  end(): void;
}
