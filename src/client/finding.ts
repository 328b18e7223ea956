// The search line: what is typed becomes results at once. Words are found by the index alone; operators, and what is said
// about them, need the search language, which is loaded when idle (language.ts).
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica-types.ts';
import { isPlain, languagePart } from './language.ts';
import type { Program } from './program.ts';
import type { Asked } from '#sync/query/asking.ts';
import type { Help } from './query/help.ts';
import type { Language } from './query/language.ts';
import { tokensOf } from '#sync/query/task-index.ts';
import type { SearchView } from './view.ts';

const IDLE_MS = 300;
const IDLE_ROWS = 2_000;
const noHelp: Help = { problems: [], completions: [], explanation: null };

export class Finding {
  readonly #program: Program;
  #language: Language | null = null;
  #help: Help = noHelp;
  #asked: Asked | null = null;
  #active = 0;
  /** Where the caret was put by a command, and how often one was. */
  #put = { caret: 0, times: 0 };
  /** Folded words to be shown as found. */
  #words: readonly string[] = [];
  /** The smart list whose query is in the line. */
  #editing: Id | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  /** The smart list whose query is in the line. */
  get editing(): Id | null {
    return this.#program.query === null ? null : this.#editing;
  }

  /** What is in the line is the query of a smart list from here on; null: of none. */
  edit(list: Id | null): void {
    this.#editing = list;
  }

  /** Null while it has not been loaded. */
  get language(): Language | null {
    const { now } = languagePart;
    if (now) this.#language ??= new now.Language(this.#program);
    return this.#language;
  }

  /** What rows show as found. */
  get words(): readonly string[] {
    return this.#program.workspace.results ? this.#words : [];
  }

  get view(): SearchView | null {
    const { query } = this.#program;
    if (query === null) return null;
    const help = query.trim() === '' ? noHelp : this.#help;
    const { problems, completions } = help;
    const explanation = isPlain(query) ? null : help.explanation;
    const options = completions.map(({ text, description }) => ({ text, description }));
    const active = Math.min(this.#active, options.length - 1);
    return {
      query,
      put: this.#put,
      problems,
      options,
      active,
      explanation,
      isEditing: this.editing !== null,
    };
  }

  /** Shows what a query asks for; an empty one shows the open place again. */
  find(query: string, caret = query.length): void {
    const program = this.#program;
    const { workspace } = program;
    program.query = query;
    this.#active = 0;
    this.#asked = null;
    if (query.trim() === '') {
      this.#help = noHelp;
      workspace.hideResults();
    } else workspace.showResults(this.#results(query, caret));
    program.rows.follow();
  }

  #results(query: string, caret: number): readonly Id[] {
    const { search, workspace } = this.#program;
    const { language } = this;
    const isWords = isPlain(query);
    this.#words = tokensOf(query);
    this.#help = noHelp;
    if (language) {
      const asked = language.ask(query);
      this.#help = language.help(asked, caret);
      if (!isWords) {
        this.#asked = asked;
        this.#words = language.shown(asked);
        return language.find(asked);
      }
    } else if (!isWords) this.#load(query);
    return search.find(query, (id) => workspace.facts.isHidden(id));
  }

  #load(query: string): void {
    const program = this.#program;
    languagePart.load().then(
      () => program.act(() => program.query === query && this.find(query)),
      () =>
        program.act(() =>
          program.say('Operators could not be loaded. Check the connection.', { error: true }),
        ),
    );
  }

  /** Whether a task belongs among the results on screen. */
  matches(id: Id): boolean {
    const { query, search } = this.#program;
    if (this.#asked && this.#language) return this.#language.matches(this.#asked, id);
    return search.matches(id, query ?? '');
  }

  /** Whether a task that was found is still to be shown. */
  isShown(id: Id): boolean {
    return this.#asked?.withCleared === true || this.#program.search.isShown(id);
  }

  /** Results stay while they are worked on: what no longer matches waits for the next query, what is gone goes. */
  follow(changes: readonly RowChange[]): void {
    const { workspace, query } = this.#program;
    const { results } = workspace;
    if (!results || query === null) return;
    const gone = new Set<Id>();
    for (const { id, before, after } of changes) {
      if ((after ?? before)?.type !== 'task') continue;
      const isGone = after === undefined || workspace.facts.isHidden(id) || !this.isShown(id);
      const isIn = results.has(id);
      if (isIn && isGone) gone.add(id);
      else if (!isIn && !isGone && this.matches(id)) results.append(id);
    }
    if (gone.size > 0) results.remove(gone);
    workspace.settleResults();
  }

  /** Reads texts while nothing else is done, and brings the language then. */
  readWhenIdle(after: (delayMs: number, work: () => void) => void): void {
    const { search, smart } = this.#program;
    after(search.isStarted ? 0 : IDLE_MS, () => {
      search.readSome(IDLE_ROWS);
      if (!search.isReady) {
        this.readWhenIdle(after);
        return;
      }
      // Whoever searches before it has come has words, and asks for it again.
      languagePart.load().then(
        () => this.#program.act(() => smart.wake()),
        () => undefined,
      );
    });
  }

  /** Takes what is offered at the caret, else the first hint. False when there is nothing to take. */
  accept(index = this.#active): boolean {
    const { query } = this.#program;
    const chosen = this.#help.completions[index];
    const next = chosen ?? (query === null ? null : this.language?.withHint(query, this.#help.problems));
    if (!next || query === null || query.trim() === '') return false;
    this.find(next.query, next.caret);
    this.#put = { caret: next.caret, times: this.#put.times + 1 };
    return true;
  }

  /** Another of what is offered. False when nothing is. */
  choose(step: 1 | -1): boolean {
    const { length } = this.#help.completions;
    if (length === 0) return false;
    this.#active = (this.#active + step + length) % length;
    return true;
  }
}
