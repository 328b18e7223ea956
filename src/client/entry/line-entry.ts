// Tokens in the line of a list that is being edited: their marks, and what they do to the task when the line is left or
// a suggestion is accepted. Everything joins the undo group of the typing. A lazy part; see part.ts.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Program } from '../app/program.ts';
import { lineTokens } from '../settings/entry.ts';
import type { TokenView } from './entry-view.ts';
import { EntryReading, sayCompletion } from './reading.ts';
import { quoted, type TitleDraft } from '../text/editor.ts';
import { TokenLine } from './token-line.ts';
import { type Completion, signed } from '#core/titles/names.ts';
import type { Token } from '#core/titles/tokens.ts';
import { actionsFor, sayToken, suggested, viewOf } from './values.ts';
import { smartLists } from '../search/smart-lists.ts';

const nothing: readonly TokenView[] = [];

/** A line that was left, with what was taken out of its title. */
interface Taken {
  readonly id: Id;
  readonly group: Id;
  readonly tokens: TokenLine;
  /** The title with the words that were taken. */
  readonly whole: string;
  readonly back: readonly Action[];
}

/** A title that was left before its words could be read. */
export interface Unread {
  readonly id: Id;
  readonly group: Id;
  readonly text: string;
  readonly original: string;
}

export class LineEntry {
  readonly #program: Program;
  readonly #reading: EntryReading;
  #line: { readonly id: Id; readonly group: Id; readonly tokens: TokenLine } | null = null;
  /** Undoes the last acceptance. */
  #back: readonly Action[] = [];
  #taken: Taken | null = null;

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
      const read = (text: string) => this.#reading.readFor(draft.id, text);
      const original = draft.fresh ? '' : draft.original;
      this.#line = { id: draft.id, group: draft.group, tokens: new TokenLine(mode, read, original) };
    }
    const { tokens } = this.#line;
    tokens.type(draft.text, draft.caret);
    const { pending } = tokens;
    const begun = this.#completions(draft).map(completionView);
    if (pending.length === 0) return begun.length === 0 ? nothing : begun;
    const context = this.#reading.context();
    const read = pending.map((token) =>
      viewOf(token, { state: tokens.counts(token) ? 'counts' : 'suggested', isInLine: true }, context),
    );
    return [...begun, ...read];
  }

  /** Names that go on from the one being typed at the end of the line. */
  #completions({ text, caret }: Readonly<TitleDraft>): readonly Completion[] {
    return caret < text.length ? [] : this.#reading.completions(text, caret);
  }

  #none(): readonly TokenView[] {
    this.#line = null;
    return nothing;
  }

  /**
   * Completes the name being typed, else takes a suggestion out of the title and sets its value on the task: the first by
   * key, at the end of the line, where the key would move no caret; else the one shown at a place. False: there is none.
   */
  accept(by: 'key' | number): boolean {
    const draft = this.#program.editor.title;
    const line = this.#line;
    if (line === null || draft?.id !== line.id) return false;
    if (by === 'key' && draft.caret < draft.text.length) return false;
    const completions = this.#completions(draft);
    const completion = completions[by === 'key' ? 0 : by];
    if (completion) {
      const name = signed(completion);
      if (!this.#reading.make(completion, { under: line.id, group: line.group })) return false;
      this.#program.editor.replace(`${draft.text.slice(0, completion.start)}${name} `);
      if (completion.isNew) this.#program.say(`Created ${completion.kind} ${name}.`, { brief: true });
      return true;
    }
    const chosen = by === 'key' ? undefined : line.tokens.pending[by - completions.length];
    if (by !== 'key' && chosen === undefined) return false;
    const token = line.tokens.accept(chosen);
    if (token === null) return false;
    this.#back = this.#give([token], line);
    this.#program.editor.replace(line.tokens.text);
    const said = `${capital(sayToken(token, this.#reading.context()))}. Backspace undoes it.`;
    const gone = this.#program.part(smartLists).whyGoes(line.id);
    this.#program.say(gone === null ? said : `${said} ${gone}`);
    return true;
  }

  /** Backspace, if it applies to a token: the one before the caret, or those of the line that was just left. */
  back(): boolean {
    const draft = this.#program.editor.title;
    if (draft === null) return false;
    const line = this.#line;
    if (line?.id !== draft.id) return this.#isBehind(draft) && this.giveBack();
    const undone = line.tokens.back(draft.caret);
    if (undone === null) return draft.text === '' && this.#isBehind(draft) && this.giveBack();
    if (undone.restored !== null) {
      this.#program.change(this.#back, `changed ${this.#program.describe([line.id])}`, { group: line.group });
      this.#program.editor.replace(line.tokens.text);
    }
    return true;
  }

  /** A new, empty line was begun by leaving the one that gave its words. */
  #isBehind({ text, fresh, group }: Readonly<TitleDraft>): boolean {
    const { undo } = this.#program;
    const isNext = undo.newest?.id === group && undo.beforeNewest?.id === this.#taken?.group;
    return text === '' && fresh && isNext;
  }

  /**
   * The tokens of the line become words, or the one shown at a place; if none stands there, those of the line that was
   * just left.
   */
  keepWords(which: 'all' | number): boolean {
    const draft = this.#program.editor.title;
    if (draft !== null && this.#line?.id === draft.id) {
      const { tokens } = this.#line;
      const at = which === 'all' ? undefined : which - this.#completions(draft).length;
      if (tokens.keepWords(at === undefined ? tokens.pending : tokens.pending.slice(at, at + 1))) return true;
    }
    if (draft !== null) return this.#isBehind(draft) && this.giveBack();
    return this.#program.undo.newest?.id === this.#taken?.group && this.giveBack();
  }

  /** Puts the words that were taken last back into their title, which is then written on. False: there are none. */
  giveBack(): boolean {
    const program = this.#program;
    const taken = this.#taken;
    this.#taken = null;
    if (taken === null || !program.replica.row(taken.id)) return false;
    program.leaveText();
    const { id, group, tokens, whole, back } = taken;
    const title = { a: 'set', id, field: 'title', value: whole } as const;
    program.change([title, ...back], `changed ${program.describe([id])}`, { group });
    program.moveTo(id);
    program.edit(id, 'end');
    const draft = program.editor.title;
    if (draft?.id !== id) return true;
    tokens.reopen(whole);
    this.#line = { id, group: draft.group, tokens };
    program.say('They stay words.', { brief: true });
    return true;
  }

  /** The line is left: tokens that count are taken out of the title. */
  finish(): void {
    const draft = this.#program.editor.title;
    const line = this.#line;
    this.#line = null;
    if (line === null || draft?.id !== line.id) return;
    const counting = line.tokens.pending.filter((token) => line.tokens.counts(token));
    if (counting.length === 0) {
      // What was accepted on the way left its space behind.
      if (line.tokens.accepted.length > 0 && draft.text !== draft.text.trim())
        this.#program.editor.replace(draft.text.trim());
      const hint = draft.text === draft.original ? null : this.#reading.sayStays(draft.text, []);
      if (hint !== null) this.#program.say(hint, { brief: true });
      return;
    }
    const whole = draft.text;
    const { title } = line.tokens.finish();
    // A line of nothing but tokens is a title.
    if (title === '') return;
    this.#program.editor.replace(title);
    this.#took(counting, { ...line, whole }, title);
  }

  /** Reads a title that was left before there was anything to read it with. */
  readLate({ id, group, text, original }: Unread): void {
    const program = this.#program;
    const row = program.replica.row(id);
    if (row?.type !== 'task' || row.fields.title !== text || program.settings.get(lineTokens) !== 'auto')
      return;
    const tokens = new TokenLine('auto', (line) => this.#reading.readFor(id, line), original);
    tokens.type(text, text.length);
    const counting = tokens.pending.filter((token) => tokens.counts(token));
    const { title } = tokens.finish();
    if (counting.length === 0 || title === '') return;
    program.change([{ a: 'set', id, field: 'title', value: title }], `edited ${program.describe([id])}`, {
      group,
    });
    this.#took(counting, { id, group, tokens, whole: text }, title);
  }

  #took(counting: readonly Token[], line: Omit<Taken, 'back'>, title: string): void {
    this.#taken = { ...line, back: this.#give(counting, line) };
    const context = this.#reading.context();
    const set = `${quoted(title)}: ${counting.map((token) => sayToken(token, context)).join(', ')}.`;
    const said = [set, this.#reading.sayStays(title, counting)]
      .filter((sentence) => sentence !== null)
      .join(' ');
    const gone = this.#program.part(smartLists).whyGoes(line.id);
    this.#program.say(gone === null ? said : `${said} ${gone}`, { brief: true });
  }

  #give(given: readonly Token[], { id, group }: { readonly id: Id; readonly group: Id }): readonly Action[] {
    const { replica, editor } = this.#program;
    const row = replica.row(id);
    if (!row) return [];
    const { tokens, made } = this.#reading.settled(given, id);
    const { actions, back } = actionsFor(replica, row, this.#reading.values(tokens, row));
    const fresh = editor.title?.fresh === true;
    this.#program.change(
      [...made, ...actions],
      `${fresh ? 'added' : 'edited'} ${this.#program.describe([id])}`,
      { group },
    );
    // A label that was made for it goes with it.
    return [...back, ...made.map(({ id: label }): Action => ({ a: 'delete', id: label }))];
  }
}

function completionView(completion: Completion): TokenView {
  const said = sayCompletion(completion);
  const { kind } = completion;
  return { kind, said, lead: '', act: suggested(said), text: '', at: null, state: 'suggested' };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
