// The notes being written: typing is sent as edits that merge with those of others, and edits of others appear while
// the person types. Until merging is loaded, and without an account, the whole text is written instead.
import type { Id } from '#core/ids.ts';
import type * as NoteMerging from '#sync/notes/note-session.ts';
import { LONGEST_NOTE_STATE, noteDocOf } from '#sync/notes/note.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { fieldOf, isPredicted, type Row } from '#sync/rows/row.ts';
import { carryOver } from '#sync/rows/text-change.ts';
import { fitNotes } from './fitting.ts';
import { moreNotes } from './long-text.ts';

export interface NotesDraft {
  readonly id: Id;
  /** The stored text, and the text typed here. */
  base: string;
  text: string;
  readonly group: Id;
}

/** A change to be issued: the whole text, or an edit that merges. */
export interface NotesCommit {
  readonly draft: Pick<NotesDraft, 'id' | 'base' | 'group'>;
  readonly text: string;
  readonly actions: readonly Action[];
}

export interface NotesPorts {
  readonly replica: Replica;
  after(delayMs: number, work: () => void): () => void;
  say(text: string): void;
  commit(commit: NotesCommit): void;
}

type Merging = typeof NoteMerging;

/** Pause in typing before a commit; shorter where edits merge, as others wait for them. */
const PAUSE_MS = 1_000;
const MERGING_PAUSE_MS = 400;
const LONGEST_WAIT_MS = 1_200;

const textOf = (row: Row | undefined): string => fieldOf(row, 'notes') ?? '';

export class NotesEditor {
  readonly #ports: NotesPorts;
  #draft: NotesDraft | null = null;
  #session: NoteMerging.NoteSession | null = null;
  #merging: Merging | null = null;
  #isLoading = false;
  #cancelPause: (() => void) | null = null;
  /** When the oldest uncommitted text was typed. */
  #typedAt: number | null = null;

  constructor(ports: NotesPorts) {
    this.#ports = ports;
  }

  get draft(): Readonly<NotesDraft> | null {
    return this.#draft;
  }

  open(id: Id): void {
    if (this.#draft?.id === id) return;
    this.close();
    const { replica } = this.#ports;
    const text = textOf(replica.row(id));
    this.#draft = { id, base: text, text, group: replica.newId() };
    if (replica.account === 0) return;
    if (this.#merging === null) this.#load();
    else this.#begin(this.#merging);
  }

  /** `shown`: the previous content of the field; text that arrived since and was not shown yet is not deleted. */
  type(id: Id, typed: string, shown?: string): void {
    if (this.#draft?.id !== id) this.open(id);
    const draft = this.#draft;
    if (!draft) return;
    const text = typed.replaceAll(/\r\n?/g, '\n');
    draft.text = shown === undefined || shown === draft.text ? text : this.#carry(shown, text, draft.text);
    this.#pause();
  }

  /** Merges changes from elsewhere under the typed text. */
  refresh(): void {
    const draft = this.#draft;
    const row = draft && this.#ports.replica.row(draft.id);
    if (!draft || !row) return;
    const stored = textOf(row);
    if (stored === draft.base) return;
    if (draft.text === draft.base) this.#draft = { ...draft, base: stored, text: stored };
    else if (this.#session !== null) {
      const text = this.#carry(draft.base, draft.text, stored);
      this.#draft = { ...draft, base: stored, text };
    }
  }

  /** Commits the typed text, and keeps editing. */
  flush(): void {
    this.#cancelPause?.();
    this.#cancelPause = null;
    this.#typedAt = null;
    const draft = this.#draft;
    if (!draft || draft.text === draft.base) return;
    const { replica } = this.#ports;
    const row = replica.row(draft.id);
    const { base } = draft;
    const isMerged = row !== undefined && this.#session !== null;
    const stored = isMerged ? textOf(row) : base;
    const { text, rest } = fitNotes(this.#carry(base, draft.text, stored));
    if (isMerged && text === stored && rest === '') {
      this.#draft = { ...draft, base: text, text };
      return;
    }
    const written = { ...draft, base: isMerged ? stored : base };
    const action = (isMerged ? this.#editOf(row, text) : null) ?? setOf(draft.id, text);
    draft.base = text;
    draft.text = text;
    const more = moreNotes(draft.id, rest, () => replica.newId());
    if (rest !== '') this.#ports.say('Notes can have 256 KiB. The rest is in a new subtask, “More notes.”');
    this.#ports.commit({ draft: written, text, actions: [action, ...more] });
  }

  close(): void {
    this.flush();
    this.#draft = null;
    this.#session = null;
  }

  #editOf(row: Row, text: string): Action | null {
    const session = this.#session;
    if (session === null) return null;
    session.load(textOf(row), noteDocOf(row));
    const edit = session.change(text, !isPredicted(row, 'notes'));
    return edit.update.length > LONGEST_NOTE_STATE ? null : { a: 'note', id: row.id, ...edit };
  }

  #carry(from: string, to: string, onto: string): string {
    return this.#merging === null ? carryOver(from, to, onto) : this.#merging.carryText(from, to, onto);
  }

  #load(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const loaded = (merging: Merging | null) => {
      this.#isLoading = false;
      if (merging === null) return;
      this.#merging = merging;
      this.#ports.after(0, () => {
        this.#ports.replica.learnToMerge(merging.mergeNote);
        this.#begin(merging);
      });
    };
    import('#sync/notes/note-session.ts').then(loaded, () => loaded(null));
  }

  #begin({ NoteSession }: Merging): void {
    if (this.#draft === null || this.#session !== null) return;
    const { replica } = this.#ports;
    // The last digits of an id are random.
    this.#session = new NoteSession(() => Number.parseInt(replica.newId().slice(-8), 16));
    this.refresh();
  }

  #pause(): void {
    const now = this.#ports.replica.now();
    this.#typedAt ??= now;
    const left = Math.max(0, this.#typedAt + LONGEST_WAIT_MS - now);
    const delay = this.#session === null ? PAUSE_MS : Math.min(MERGING_PAUSE_MS, left);
    this.#cancelPause?.();
    this.#cancelPause = this.#ports.after(delay, () => this.flush());
  }
}

function setOf(id: Id, text: string): Action {
  return { a: 'set', id, field: 'notes', value: text === '' ? null : text };
}
