// Text being typed: a task's title, a list's name, a task's notes. Drafts are committed by every way of leaving, and
// when typing pauses; no draft is ever lost.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { fitName, fitNotes, fitTitle } from './fitting.ts';
import { moreNotes } from './long-text.ts';
import type { NotesCommit, NotesDraft, NotesEditor } from './notes-editor.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { TokenView } from '../entry/entry-view.ts';
import { registersOf } from '#sync/rows/row.ts';

/** A caret in UTF-16 units, at the end, or with everything selected. */
export type Caret = number | 'end' | 'all';

/** The title or name being edited. */
export interface TitleDraft {
  readonly id: Id;
  readonly field: 'title' | 'name';
  /** The text when editing began. */
  original: string;
  /** The last committed text. */
  base: string;
  text: string;
  /** The last known caret. */
  caret: number;
  /** The last requested caret. */
  wanted: Caret;
  /** Null: the field holds the typed text. A string: the text that the field has to show instead, once. */
  put: string | null;
  /** Text beyond the limit that went to the notes during this editing. */
  moved: string;
  /** Created by this editing: discarded if left empty. */
  readonly fresh: boolean;
  readonly group: Id;
  /** Tokens recognized in it. */
  tokens: readonly TokenView[];
}

/** What the editor needs from the program. */
export interface EditorPorts {
  readonly replica: Replica;
  after(delayMs: number, work: () => void): () => void;
  /** Issues the actions as one undo with that label. False when the first action was refused. */
  commit(actions: readonly Action[], label: string, group: Id): boolean;
  /** Null until loaded. */
  notesEditor(): typeof NotesEditor | null;
  /** Tells the person that text went elsewhere because it did not fit. */
  say(text: string): void;
  /** Keeps a text that would be lost under Recovered, as an action that restores it. */
  keep(action: Action): void;
}

type TextField = 'title' | 'name' | 'notes';
type Fitted = ReturnType<typeof fitTitle>;
type Written = Pick<TitleDraft, 'id' | 'field' | 'base' | 'group' | 'moved'>;
type Text = Pick<Written, 'id' | 'base'> & { readonly field: TextField };
interface Commit {
  readonly draft: Text;
  /** The text written by the first action. */
  readonly text: string;
  readonly actions: readonly Action[];
  readonly label: string;
  readonly group: Id;
}

const PAUSE_MS = 1_000;

/** Nothing visible: only spaces and characters without width. */
export const isBlank = (text: string): boolean => /^[\s\p{Cf}]*$/u.test(text);

/** A text as quoted in labels and messages. */
export function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return short === '' ? 'an empty task' : `‘${short}’`;
}

/** Holds the drafts of the title or name and of the notes, and commits them as changes with undo. */
export class Editor {
  readonly #ports: EditorPorts;
  #title: TitleDraft | null = null;
  /** Null until the notes editor is loaded; until then there are no notes drafts. */
  #made: NotesEditor | null = null;
  #cancelPause: (() => void) | null = null;
  /** Grows whenever the caret has to be placed again. */
  #requests = 0;
  /** The text cut last; null once something else may have been copied since. */
  killed: string | null = null;

  constructor(ports: EditorPorts) {
    this.#ports = ports;
  }

  get title(): Readonly<TitleDraft> | null {
    return this.#title;
  }

  get #notes(): NotesEditor | null {
    const Made = this.#made === null ? this.#ports.notesEditor() : null;
    if (Made) this.#made = new Made({ ...this.#ports, commit: (commit) => this.#commitNotes(commit) });
    return this.#made;
  }

  get notes(): Readonly<NotesDraft> | null {
    return this.#made?.draft ?? null;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Whether the field has changes that its own undo should take back first. */
  get isTyping(): boolean {
    const title = this.#title;
    return title !== null && title.text !== title.original;
  }

  begin(id: Id, caret: Caret, options: { readonly fresh?: boolean; readonly group?: Id } = {}): void {
    this.end();
    const row = this.#ports.replica.row(id);
    if (!row) return;
    const field = row.type === 'list' ? 'name' : 'title';
    const text = (registersOf(row)[field] as string | undefined) ?? '';
    const at = typeof caret === 'number' ? Math.min(caret, text.length) : text.length;
    this.#title = {
      id,
      field,
      original: text,
      base: text,
      text,
      caret: at,
      wanted: typeof caret === 'number' ? at : caret,
      put: null,
      moved: '',
      fresh: options.fresh ?? false,
      group: options.group ?? this.#ports.replica.newId(),
      tokens: [],
    };
    this.#requests += 1;
  }

  /** Restores the last known caret: the field moved to another line. */
  holdCaret(): void {
    if (!this.#title) return;
    this.#title.wanted = this.#title.caret;
    this.#title.put = null;
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

  /** The caret was moved within the title. */
  sawCaret(caret: number): void {
    if (this.#title) this.#title.caret = Math.min(caret, this.#title.text.length);
  }

  /** Shows the tokens of the title; false when they are unchanged. */
  suggest(tokens: readonly TokenView[]): boolean {
    const title = this.#title;
    if (title === null || (tokens.length === 0 && title.tokens.length === 0)) return false;
    const isSame = tokens.every((token, index) => {
      const shown = title.tokens[index];
      return (['act', 'said', 'state', 'at', 'text'] as const).every((key) => token[key] === shown?.[key]);
    });
    if (isSame && tokens.length === title.tokens.length) return false;
    title.tokens = tokens;
    return true;
  }

  /** Replaces the title as if it had been typed, with the caret at its end. */
  replace(text: string): void {
    const title = this.#title;
    if (title === null) return;
    title.text = text;
    title.caret = text.length;
    title.wanted = text.length;
    title.put = text;
    this.#requests += 1;
    this.#pause();
  }

  openNotes(id: Id): void {
    this.#notes?.open(id);
  }

  /** `shown`: the previous content of the field. */
  typeNotes(id: Id, text: string, shown?: string): void {
    this.#notes?.type(id, text, shown);
  }

  closeNotes(): void {
    this.#made?.close();
  }

  /** Takes over changes from elsewhere while nothing is being typed here. */
  refresh(): void {
    const title = this.#title;
    if (title && title.text === title.base) {
      const text = this.#stored(title);
      if (text !== undefined && text !== title.base) {
        title.original = text;
        title.base = text;
        title.text = text;
      }
    }
    this.#made?.refresh();
  }

  /** The stored text; undefined if its task is gone for good. */
  #stored({ id, field }: { readonly id: Id; readonly field: TextField }): string | undefined {
    const row = this.#ports.replica.row(id);
    return row && ((registersOf(row)[field] as string | undefined) ?? '');
  }

  /** Commits the typed text, and keeps editing. */
  flush(): void {
    this.#commitTitle();
    this.#made?.flush();
  }

  /** Commits and leaves the title or name. Returns its draft. */
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

  /** Commits text from a field that was left already (the browser reports it late). */
  #commitLate(id: Id, text: string): void {
    const field = this.#ports.replica.row(id)?.type === 'list' ? 'name' : 'title';
    const base = this.#stored({ id, field }) ?? '';
    if (base === text || (field === 'name' && text.trim() === '')) return;
    const fitted = this.#fit({ field, text });
    const group = this.#ports.replica.newId();
    this.#commitText({ id, field, base, group, moved: '' }, fitted, field === 'name' ? 'renamed' : 'edited');
  }

  #commitTitle(): void {
    const draft = this.#title;
    if (!draft || draft.text === draft.base) return;
    // A list keeps its name until it gets another.
    if (draft.field === 'name' && draft.text.trim() === '') return;
    const fitted = this.#fit(draft);
    const { base } = draft;
    const isCut = fitted.text !== draft.text;
    draft.base = fitted.text;
    draft.text = fitted.text;
    const verb = draft.fresh ? 'added' : draft.field === 'name' ? 'renamed' : 'edited';
    this.#commitText({ ...draft, base }, fitted, verb);
    draft.moved += fitted.rest;
    if (!isCut) return;
    draft.caret = Math.min(draft.caret, draft.text.length);
    draft.wanted = draft.caret;
    draft.put = draft.text;
    this.#requests += 1;
  }

  #fit({ field, text }: Pick<TitleDraft, 'field' | 'text'>): Fitted {
    return field === 'name' ? fitName(text) : fitTitle(text);
  }

  #commitText(draft: Written, fitted: Fitted, verb: string): void {
    const { id, field, group, moved } = draft;
    const value = fitted.text === '' ? null : fitted.text;
    const actions: Action[] = [{ a: 'set', id, field, value }];
    if (fitted.rest !== '') actions.push(...this.#restOf(id, moved, fitted.rest));
    const label = field === 'name' ? `list ${quoted(fitted.text)}` : quoted(fitted.text);
    if (fitted.rest !== '') this.#ports.say('Too long for a title. The rest is in the notes.');
    this.#commit({ draft, text: fitted.text, actions, label: `${verb} ${label}`, group });
  }

  /** Commits the text. If somebody else changed it meanwhile, the losing text is kept under Recovered. */
  #commit({ draft, text, actions, label, group }: Commit): void {
    const ports = this.#ports;
    const { id, field, base } = draft;
    const stored = this.#stored(draft);
    const isWritten = ports.commit(actions, label, group);
    if (!isWritten) {
      if (text !== '' && text !== stored) ports.keep({ a: 'set', id, field, value: text });
      const what = stored === undefined ? 'removed' : 'changed';
      ports.say(`${quoted(text)} was ${what} elsewhere. Your text is under “Show recovered changes.”`);
    } else if (stored !== undefined && stored !== base && stored !== text && stored !== '') {
      ports.keep({ a: 'set', id, field, value: stored });
      const whose = `The notes of ${quoted(nameOf(ports.replica.row(id)))} were`;
      const what = field === 'notes' ? whose : `${quoted(stored)} was`;
      ports.say(`${what} changed elsewhere while you wrote. That text is under “Show recovered changes.”`);
    }
  }

  /** Puts text beyond the limit before the notes, after text that went there before. */
  #restOf(id: Id, moved: string, rest: string): readonly Action[] {
    const { replica } = this.#ports;
    const notes = this.#stored({ id, field: 'notes' }) ?? '';
    const isThere = moved !== '' && notes.startsWith(moved);
    const after = isThere ? notes.slice(moved.length) : notes === '' ? '' : `\n\n${notes}`;
    const { text, rest: more } = fitNotes((isThere ? moved : '') + rest + after);
    return [{ a: 'set', id, field: 'notes', value: text }, ...moreNotes(id, more, () => replica.newId())];
  }

  #commitNotes({ draft, text, actions }: NotesCommit): void {
    const { id, base, group } = draft;
    const label = `edited the notes of ${quoted(nameOf(this.#ports.replica.row(id)))}`;
    this.#commit({ draft: { id, field: 'notes', base }, text, actions, label, group });
  }
}
