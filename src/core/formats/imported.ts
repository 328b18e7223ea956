// Tasks as another program wrote them down, before they become tasks here. Dates and repeats are still words: their
// meaning depends on the person who imports. Not here: our own documents (json.ts) and plain text (outline-text.ts).
import type { Result } from '../result.ts';
import type { ScalarName } from '../model.ts';
import { eachScalar } from '../task-fields.ts';

/** A task from a file of another program, with its subtasks. The readers of these formats fill every field. */
export interface ImportedTask {
  /** One line. */
  readonly title: string;
  /** Lines end in \n; empty: none. */
  readonly notes: string;
  readonly isDone: boolean;
  /** As in the file; empty for none. May contain a repeat. */
  readonly due: string;
  readonly start: string;
  /** Scalar fields (core/task-fields.ts). */
  readonly scalars: Readonly<Record<ScalarName, string>>;
  /** The last possible day, if it is not the day it is planned for. */
  readonly deadline: string;
  /** If the file has it apart from the due date. */
  readonly repeat: string;
  /** When it was completed and created; empty if not given. */
  readonly completed: string;
  readonly created: string;
  /** IANA zone of its times; empty for the person's own. */
  readonly zone: string;
  /** Names, each once. */
  readonly labels: readonly string[];
  readonly children: readonly ImportedTask[];
}

/** A list of the file. With a null name: the list that the file is imported as. */
export interface ImportedList {
  readonly name: string | null;
  readonly tasks: readonly ImportedTask[];
}

/** The content of a file. */
export interface ImportedFile {
  /** The format it was read as: "OPML", "CSV". */
  readonly kind: string;
  readonly lists: readonly ImportedList[];
  /** Content of the file that was left out, as sentences. */
  readonly left: readonly string[];
}

/** The result of reading a file: its content, or a sentence about why it cannot be read. */
export type ImportResult = Result<ImportedFile, string>;

/** An imported task while its file is being read. */
export interface TaskDraft extends ImportedTask {
  notes: string;
  readonly children: TaskDraft[];
}

const NO_SCALARS = eachScalar(() => '');

export function draftOf(fields: Partial<ImportedTask> & { readonly title: string }): TaskDraft {
  return {
    notes: '',
    isDone: false,
    due: '',
    start: '',
    scalars: NO_SCALARS,
    deadline: '',
    repeat: '',
    completed: '',
    created: '',
    zone: '',
    labels: [],
    ...fields,
    children: [],
  };
}

const LINE_END = /\r\n?/g;

/** Cuts a title to one line: its other lines go before the notes. */
export function splitTitle(text: string, notes: string): { readonly title: string; readonly notes: string } {
  const lines = text.replaceAll(LINE_END, '\n').split('\n');
  const [title = '', ...rest] = lines.map((line) => line.trim()).filter((line) => line !== '');
  const parts = [rest.join('\n'), notes.replaceAll(LINE_END, '\n').trim()].filter((part) => part !== '');
  return { title, notes: parts.join('\n\n') };
}
