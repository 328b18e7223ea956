// Text being typed: a task's title, a list's name, a task's notes. Drafts are committed by every way of leaving, and
// when typing pauses; there is no way to lose one.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import type { Replica } from '#sync/replica-types.ts';
import { type Fitted, fitName, fitNotes, fitTitle } from './fitting.ts';

export type Caret = number | 'end' | 'all';

export interface TitleDraft {
  readonly id: Id;
  readonly field: 'title' | 'name';
  /** As it was when editing began. */
  readonly original: string;
  /** As last committed. */
  base: string;
  text: string;
  /** Where the caret was last seen. */
  caret: number;
  /** Where it was last asked to be. */
  wanted: Caret;
  /** Created by this very editing: left empty, it goes again. */
  readonly fresh: boolean;
  readonly group: Id;
}

export interface NotesDraft {
  readonly id: Id;
  base: string;
  text: string;
  readonly group: Id;
}

export interface EditorPorts {
  readonly replica: Replica;
  after(delayMs: number, work: () => void): () => void;
  /** Issues and records; `label` is what undo will call it. */
  commit(actions: readonly Action[], label: string, group: Id): void;
  /** Something did not fit where it was typed and went elsewhere: says so. */
  say(text: string): void;
}

const PAUSE_MS = 1_000;

/** A text as a label quotes it. */
export function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return short === '' ? 'an empty task' : `‘${short}’`;
}

export class Editor {
  readonly #ports: EditorPorts;
  #title: TitleDraft | null = null;
  #notes: NotesDraft | null = null;
  #cancelPause: (() => void) | null = null;
  /** Grows whenever the caret has to be put again. */
  #requests = 0;

  constructor(ports: EditorPorts) {
    this.#ports = ports;
  }

  get title(): Readonly<TitleDraft> | null {
    return this.#title;
  }

  get notes(): Readonly<NotesDraft> | null {
    return this.#notes;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Whether the text field holds anything that its own undo should take back first. */
  get isTyping(): boolean {
    const title = this.#title;
    return title !== null && title.text !== title.original;
  }

  begin(id: Id, caret: Caret, options: { readonly fresh?: boolean; readonly group?: Id } = {}): void {
    this.end();
    const row = this.#ports.replica.row(id);
    if (!row) return;
    const field = row.type === 'list' ? 'name' : 'title';
    const text = (row.fields[field] as string | undefined) ?? '';
    const at = typeof caret === 'number' ? Math.min(caret, text.length) : text.length;
    this.#title = {
      id,
      field,
      original: text,
      base: text,
      text,
      caret: at,
      wanted: typeof caret === 'number' ? at : caret,
      fresh: options.fresh ?? false,
      group: options.group ?? this.#ports.replica.newId(),
    };
    this.#requests += 1;
  }

  /** Puts the caret where it was last seen: the field moved to another line. */
  holdCaret(): void {
    if (!this.#title) return;
    this.#title.wanted = this.#title.caret;
    this.#requests += 1;
  }

  type(id: Id, text: string, caret: number | null): void {
    if (this.#title?.id !== id) {
      this.#commitLate(id, text);
      return;
    }
    this.#title.text = text.replaceAll(/[\r\n]+/g, ' ');
    this.#title.caret = Math.min(caret ?? text.length, text.length);
    this.#pause();
  }

  openNotes(id: Id): void {
    if (this.#notes?.id === id) return;
    this.closeNotes();
    const text = (this.#ports.replica.row(id)?.fields.notes as string | undefined) ?? '';
    this.#notes = { id, base: text, text, group: this.#ports.replica.newId() };
  }

  typeNotes(id: Id, text: string): void {
    if (this.#notes?.id !== id) this.openNotes(id);
    if (this.#notes) this.#notes.text = text.replaceAll(/\r\n?/g, '\n');
    this.#pause();
  }

  closeNotes(): void {
    this.#commitNotes();
    this.#notes = null;
  }

  /** Notes changed elsewhere while nothing is being typed here are taken over. */
  refreshNotes(): void {
    const notes = this.#notes;
    if (!notes || notes.text !== notes.base) return;
    const text = (this.#ports.replica.row(notes.id)?.fields.notes as string | undefined) ?? '';
    if (text !== notes.base) this.#notes = { ...notes, base: text, text };
  }

  /** Commits what was typed and goes on. */
  flush(): void {
    this.#commitTitle();
    this.#commitNotes();
  }

  /** Commits and leaves the title or name. Returns what was left. */
  end(): Readonly<TitleDraft> | null {
    this.#commitTitle();
    const left = this.#title;
    this.#title = null;
    this.#requests += left ? 1 : 0;
    return left;
  }

  close(): void {
    this.end();
    this.closeNotes();
    this.#cancelPause?.();
  }

  #pause(): void {
    this.#cancelPause?.();
    this.#cancelPause = this.#ports.after(PAUSE_MS, () => {
      this.#cancelPause = null;
      this.flush();
    });
  }

  /** Text from a field that was left already (the browser reports it after the fact). */
  #commitLate(id: Id, text: string): void {
    const row = this.#ports.replica.row(id);
    const field = row?.type === 'list' ? 'name' : 'title';
    const now = (row?.fields[field] as string | undefined) ?? '';
    if (!row || now === text) return;
    this.#commitText({ id, field, text }, 'edited', this.#ports.replica.newId());
  }

  #commitTitle(): void {
    const draft = this.#title;
    if (!draft || draft.text === draft.base) return;
    draft.base = draft.text;
    this.#commitText(draft, draft.fresh ? 'added' : 'edited', draft.group);
  }

  #commitText(draft: Pick<TitleDraft, 'id' | 'field' | 'text'>, verb: string, group: Id): void {
    const { id, field } = draft;
    const fitted = field === 'name' ? fitName(draft.text) : fitTitle(draft.text);
    const actions: Action[] = [{ a: 'set', id, field, value: fitted.text === '' ? null : fitted.text }];
    if (fitted.rest !== '') actions.push(this.#withRest(id, fitted));
    this.#ports.commit(actions, `${verb} ${quoted(fitted.text)}`, group);
    if (fitted.rest !== '') this.#ports.say('That is too long for one line. The rest is in the notes.');
  }

  #withRest(id: Id, { rest }: Fitted): Action {
    const notes = (this.#ports.replica.row(id)?.fields.notes as string | undefined) ?? '';
    return {
      a: 'set',
      id,
      field: 'notes',
      value: fitNotes(notes === '' ? rest : `${rest}\n\n${notes}`).text,
    };
  }

  #commitNotes(): void {
    const draft = this.#notes;
    if (!draft || draft.text === draft.base) return;
    draft.base = draft.text;
    const title = (this.#ports.replica.row(draft.id)?.fields.title as string | undefined) ?? '';
    const { id, group } = draft;
    const { text, rest } = fitNotes(draft.text);
    const actions: Action[] = [{ a: 'set', id, field: 'notes', value: text === '' ? null : text }];
    for (let more = rest; more !== '';) {
      const part = fitNotes(more);
      const fields = { title: 'More notes', notes: part.text };
      actions.push({
        a: 'create',
        id: this.#ports.replica.newId(),
        type: 'task',
        fields,
        place: { parent: id },
      });
      more = part.rest;
    }
    this.#ports.commit(actions, `edited the notes of ${quoted(title)}`, group);
    if (rest !== '') this.#ports.say('Notes hold 256 KiB. The rest is in a new subtask, “More notes”.');
  }
}
