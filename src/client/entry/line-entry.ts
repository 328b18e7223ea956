// Tokens in the line of a list that is being edited: suggestions beside it, and the effect of accepting them.
// Everything joins the undo group of the typing. A lazy part; see part.ts.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Program } from '../app/program.ts';
import { lineTokens } from '../settings/entry.ts';
import type { TokenView } from './entry-view.ts';
import { EntryReading } from './reading.ts';
import { TokenLine } from './token-line.ts';
import type { Token } from './tokens.ts';
import { actionsFor, sayToken, viewOf } from './values.ts';
import { smartLists } from '../search/smart-lists.ts';

const nothing: readonly TokenView[] = [];

export class LineEntry {
  readonly #program: Program;
  readonly #reading: EntryReading;
  #line: { readonly id: Id; readonly group: Id; readonly tokens: TokenLine } | null = null;
  /** Undoes the last acceptance. */
  #back: readonly Action[] = [];

  constructor(program: Program) {
    this.#program = program;
    this.#reading = new EntryReading(program);
  }

  /** The line was typed into. Returns the tokens to show beside it. */
  typed(): readonly TokenView[] {
    const draft = this.#program.editor.title;
    const mode = this.#program.settings.get(lineTokens);
    if (draft?.field !== 'title' || mode === 'off') return this.#none();
    if (this.#line?.id !== draft.id || this.#line.group !== draft.group) {
      const read = (text: string) => this.#reading.read(text);
      const original = draft.fresh ? '' : draft.original;
      this.#line = { id: draft.id, group: draft.group, tokens: new TokenLine(mode, read, original) };
    }
    this.#line.tokens.type(draft.text, draft.caret);
    const { pending } = this.#line.tokens;
    if (pending.length === 0) return nothing;
    const state = mode === 'auto' ? 'counts' : 'suggested';
    return pending.map((token) => viewOf(token, state, this.#reading.context()));
  }

  #none(): readonly TokenView[] {
    this.#line = null;
    return nothing;
  }

  /**
   * Takes the first suggestion out of the title and sets its value on the task; by key only at the end of the line,
   * where the key would move no caret. False: there is none.
   */
  accept(by: 'key' | 'press'): boolean {
    const draft = this.#program.editor.title;
    const line = this.#line;
    if (line === null || draft?.id !== line.id) return false;
    if (by === 'key' && draft.caret < draft.text.length) return false;
    const token = line.tokens.accept();
    if (token === null) return false;
    this.#back = this.#give([token], line);
    this.#program.editor.replace(line.tokens.text);
    const said = `${capital(sayToken(token, this.#reading.context()))}. Backspace undoes it.`;
    const gone = this.#program.part(smartLists).whyGoes(line.id);
    this.#program.say(gone === null ? said : `${said} ${gone}`);
    return true;
  }

  /** Backspace, if it applies to a token. */
  back(): boolean {
    const draft = this.#program.editor.title;
    const line = this.#line;
    if (line === null || draft?.id !== line.id) return false;
    const undone = line.tokens.back(draft.caret);
    if (undone === null) return false;
    if (undone.restored !== null) {
      this.#program.change(this.#back, `changed ${this.#program.describe([line.id])}`, { group: line.group });
      this.#program.editor.replace(line.tokens.text);
    }
    return true;
  }

  /** The line is left: tokens that count are taken out of the title. */
  finish(): void {
    const draft = this.#program.editor.title;
    const line = this.#line;
    this.#line = null;
    if (line === null || draft?.id !== line.id || line.tokens.pending.length === 0) return;
    if (this.#program.settings.get(lineTokens) !== 'auto') return;
    const counting = line.tokens.pending;
    const { title } = line.tokens.finish();
    // A line of nothing but tokens is a title.
    if (title === '') return;
    this.#program.editor.replace(title);
    this.#give(counting, line);
    const gone = this.#program.part(smartLists).whyGoes(line.id);
    if (gone !== null) this.#program.say(gone);
  }

  #give(tokens: readonly Token[], { id, group }: { readonly id: Id; readonly group: Id }): readonly Action[] {
    const { replica, editor } = this.#program;
    const row = replica.row(id);
    if (!row) return [];
    const { actions, back } = actionsFor(row, this.#reading.values(tokens, row));
    const fresh = editor.title?.fresh === true;
    this.#program.change(actions, `${fresh ? 'added' : 'edited'} ${this.#program.describe([id])}`, { group });
    return back;
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
