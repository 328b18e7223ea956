// Tasks as another program wrote them down, before anything here is made of them. Dates and repeats are still words: what they
// mean depends on who imports. Not here: our own documents (json.ts) and plain text (outline-text.ts).

export interface ImportedTask {
  /** One line. */
  readonly title: string;
  /** Lines end in \n; empty: none. */
  readonly notes: string;
  readonly isDone: boolean;
  /** As the file says it; empty: none. May also say a repeat. */
  readonly due: string;
  readonly start: string;
  readonly duration: string;
  /** Names, each once. */
  readonly labels: readonly string[];
  readonly children: readonly ImportedTask[];
}

/** Null: the one that the file is imported as. */
export interface ImportedList {
  readonly name: string | null;
  readonly tasks: readonly ImportedTask[];
}

export type ImportedFile =
  | {
      readonly ok: true;
      /** "OPML", "CSV": what the file was read as. */
      readonly kind: string;
      readonly lists: readonly ImportedList[];
      /** What of the file has no place here, as sentences. */
      readonly left: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** Filled while a file is read. */
export interface TaskDraft extends ImportedTask {
  notes: string;
  readonly children: TaskDraft[];
}

export function draftOf(fields: Partial<ImportedTask> & { readonly title: string }): TaskDraft {
  return {
    notes: '',
    isDone: false,
    due: '',
    start: '',
    duration: '',
    labels: [],
    ...fields,
    children: [],
  };
}

const LINE_END = /\r\n?/g;
const BREAKS = /\s*\n\s*/;

/** A title is one line: what follows its first goes before the notes. */
export function splitTitle(text: string, notes: string): { readonly title: string; readonly notes: string } {
  const [title = '', ...rest] = text.replaceAll(LINE_END, '\n').trim().split(BREAKS);
  const parts = [rest.join('\n'), notes.replaceAll(LINE_END, '\n').trim()].filter((part) => part !== '');
  return { title, notes: parts.join('\n\n') };
}
