// The search line: typing shows results at once. The index alone finds words; operators, and feedback on them, need the
// search language, which is loaded when idle (language.ts).
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { isPlain, languagePart } from './language.ts';
import { within } from '../app/portions.ts';
import type { Program } from '../app/program.ts';
import type { Asked } from '#sync/query/asking.ts';
import type { Help } from '../query/help.ts';
import type { Language } from '../query/language.ts';
import type { Scan } from '#sync/query/scan.ts';
import { tokensOf } from '#sync/query/task-index.ts';
import { PlainRun, type SearchRun, wordsTest } from './search-run.ts';
import type { SearchView } from '../app/view.ts';
import type { TaskIndex } from '#sync/query/task-index.ts';

const IDLE_MS = 300;
const IDLE_ROWS = 2_000;
/** Milliseconds of searching within a key, and between two keys. */
const FIRST_MS = 4;
const PORTION_MS = 5;
/** Delay of the announcement: the person may still be typing the query. */
const TOLD_MS = 700;
const noHelp: Help = { problems: [], completions: [], explanation: null };

export class Finding {
  readonly #program: Program;
  readonly #index: TaskIndex;
  #language: Language | null = null;
  #help: Help = noHelp;
  #asked: Asked | null = null;
  /** The search whose results are shown; they arrive in portions. */
  #run: SearchRun | null = null;
  /** The words of a search without the search language; null: it uses the language. */
  #plain: readonly string[] | null = null;
  /** Tasks that changed during the search, to be checked at its end. */
  readonly #changed = new Set<Id>();
  /** Something has changed since the search began. */
  #isOld = false;
  #active = 0;
  /** The caret set by a command, and how often one was set. */
  #put = { caret: 0, times: 0 };
  /** Folded words to highlight. */
  #words: readonly string[] = [];
  /** The smart list whose query is in the line. */
  #editing: Id | null = null;
  /** The last search, kept after it is over. */
  #last: string | null = null;

  constructor(program: Program, index: TaskIndex) {
    this.#program = program;
    this.#index = index;
  }

  /** The smart list whose query is in the line. */
  get editing(): Id | null {
    return this.#program.query === null ? null : this.#editing;
  }

  /** The line now holds the query of this smart list; null: of none. */
  edit(list: Id | null): void {
    this.#editing = list;
  }

  /** The last search, kept after it is over; null: there was none. */
  get last(): string | null {
    return this.#last;
  }

  /** Sets the last search. */
  remember(query: string): void {
    this.#last = query;
  }

  /** Tests tasks against a query; for testing many of them. */
  test(query: string): (id: Id) => boolean {
    const search = this.#index;
    search.readSome(Number.MAX_SAFE_INTEGER);
    const { language } = this;
    if (language === null || isPlain(query)) return (id) => search.matches(id, query);
    const asked = language.ask(query);
    return (id) => language.matches(asked, id);
  }

  /** Null until loaded. */
  get language(): Language | null {
    const { now } = languagePart;
    if (now) this.#language ??= new now.Language(this.#program);
    return this.#language;
  }

  /** Words that rows highlight. */
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

  /**
   * Whether a text may be a title: a query with operators never is. Null: it is not understood, or the search language
   * is not loaded yet.
   */
  isTitle(text: string): boolean | null {
    return isPlain(text) ? text.trim() !== '' : (this.language?.isWords(text) ?? null);
  }

  /** Why a query can find nothing, as a sentence; null: it is understood. */
  problemIn(text: string): string | null {
    return this.language?.ask(text).query.problems[0]?.message ?? null;
  }

  /** The message for a query without results. */
  saidOfNone(text: string): string {
    const problem = this.problemIn(text);
    return problem === null ? `No task matches “${text}”.` : `Nothing found. ${problem}`;
  }

  /** Whether the search is still running. */
  get isRunning(): boolean {
    return this.#run !== null && !this.#run.isDone;
  }

  /** Shows the results of a query; an empty one shows the open place again. */
  find(query: string, caret = query.length): void {
    const program = this.#program;
    const { workspace } = program;
    program.query = query;
    this.#active = 0;
    if (query.trim() === '') {
      this.#help = noHelp;
      this.#asked = null;
      this.#run = null;
      workspace.hideResults();
      program.messages.tell(() => null);
    } else {
      this.#last = query.trim();
      const run = this.#begin(query, caret);
      this.#run = run;
      this.#changed.clear();
      this.#isOld = false;
      run.step(within(program.replica, FIRST_MS));
      workspace.showResults(run.results);
      if (run.isDone) this.#tell(query);
      else this.#goOn(run);
    }
    program.rows.follow();
  }

  #begin(query: string, caret: number): SearchRun {
    const search = this.#index;
    const { language } = this;
    const isWords = isPlain(query);
    search.readSome(Number.MAX_SAFE_INTEGER);
    this.#help = noHelp;
    if (!language && !isWords) this.#load(query);
    if (language) {
      const asked = language.ask(query);
      this.#help = language.help(asked, caret);
      if (!isWords) return this.#beginAsked(language, asked);
    }
    return this.#beginPlain(tokensOf(query));
  }

  #beginPlain(words: readonly string[]): SearchRun {
    const search = this.#index;
    const { workspace } = this.#program;
    const last = this.#plain;
    const narrows = last?.every((word) => words.some((longer) => longer.includes(word))) === true;
    const wider = narrows ? this.#wider() : null;
    this.#asked = null;
    this.#plain = words;
    this.#words = words;
    const matches = wordsTest(search, words, (id) => workspace.facts.isHidden(id));
    return new PlainRun(search, { matches, limit: null, wider });
  }

  #beginAsked(language: Language, asked: Asked): SearchRun {
    const last = this.#asked;
    const wider = last !== null && language.narrows(asked, last) ? this.#wider() : null;
    this.#asked = asked;
    this.#plain = null;
    this.#words = language.shown(asked);
    return language.run(asked, wider);
  }

  /** The scan so far, unless something has changed since. */
  #wider(): Scan | null {
    return this.#isOld ? null : (this.#run?.scan ?? null);
  }

  /** Searches another portion after this frame. */
  #goOn(run: SearchRun): void {
    const program = this.#program;
    program.later(() => {
      const { workspace } = program;
      if (this.#run !== run || workspace.results !== run.results) return;
      const wasFirst = workspace.cursorIndex <= 0;
      run.step(within(program.replica, PORTION_MS));
      if (run.isDone) this.#lookAgain();
      // The cursor was not moved: it stays on the first result.
      const first = workspace.outline.at(0) ?? null;
      if (wasFirst && first !== workspace.cursor) program.moveTo(first);
      workspace.settleResults();
      if (!run.isDone) this.#goOn(run);
      else if (program.query !== null) this.#tell(program.query);
    });
  }

  /** Announces the number of results once typing has paused. */
  #tell(query: string): void {
    const { messages, workspace } = this.#program;
    messages.tell(() => {
      const { results } = workspace;
      if (results === null || this.#program.query !== query) return null;
      return results.length === 0 ? 'No results.' : `${counted(results.length, 'result')}.`;
    }, TOLD_MS);
  }

  /** Tasks that changed during the search may match now. */
  #lookAgain(): void {
    const { results } = this.#program.workspace;
    for (const id of this.#changed) if (this.matches(id)) results?.append(id);
  }

  #load(query: string): void {
    const program = this.#program;
    languagePart.load().then(
      () => program.act(() => program.query === query && this.find(query)),
      () =>
        program.act(() => program.say('Couldn’t load operators. Check your connection.', { error: true })),
    );
  }

  /** Whether a task belongs to the results on screen. */
  matches(id: Id): boolean {
    const { query } = this.#program;
    if (this.#asked && this.#language) return this.#language.matches(this.#asked, id);
    return this.#index.matches(id, query ?? '');
  }

  /** Whether a found task is still shown. */
  isShown(id: Id): boolean {
    return this.#asked?.withCleared === true || this.#index.isShown(id);
  }

  /** Results stay while they are being edited: rows that no longer match stay until the next query, deleted ones go. */
  follow(changes: readonly RowChange[]): void {
    const { workspace, query } = this.#program;
    const { results } = workspace;
    this.#isOld = true;
    if (!results || query === null) return;
    const gone = new Set<Id>();
    const { isRunning } = this;
    for (const { id, before, after } of changes) {
      const type = (after ?? before)?.type;
      if (type !== 'task' && type !== 'completion') continue;
      this.#changed.add(id);
      const isGone =
        after === undefined || isTrashed(after) || workspace.facts.isHidden(id) || !this.isShown(id);
      if (isGone) gone.add(id);
      else if (!isRunning && !results.has(id) && this.matches(id)) results.append(id);
    }
    if (gone.size > 0) results.remove(gone);
    workspace.settleResults();
  }

  /** Reads texts when idle, and then loads the search language; `arrived` is called after that. */
  readWhenIdle(arrived: () => void): void {
    const search = this.#index;
    this.#program.after(search.isStarted ? 0 : IDLE_MS, () => {
      search.readSome(IDLE_ROWS);
      if (!search.isReady) {
        this.readWhenIdle(arrived);
        return;
      }
      // Until then, searches use words only; a query with operators loads it again.
      languagePart.load().then(
        () => this.#program.act(arrived),
        () => undefined,
      );
    });
  }

  /** Takes the completion at the caret, else the first correction. False when there is none. */
  accept(index = this.#active): boolean {
    const { query } = this.#program;
    const chosen = this.#help.completions[index];
    const next = chosen ?? (query === null ? null : this.language?.withHint(query, this.#help.problems));
    if (!next || query === null || query.trim() === '') return false;
    this.find(next.query, next.caret);
    this.#put = { caret: next.caret, times: this.#put.times + 1 };
    return true;
  }

  /** Moves to another completion. False when there is none. */
  choose(step: 1 | -1): boolean {
    const { length } = this.#help.completions;
    if (length === 0) return false;
    this.#active = (this.#active + step + length) % length;
    return true;
  }
}
