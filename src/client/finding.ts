// The search line: what is typed becomes results at once. Words are found by the index alone; operators, and what is said
// about them, need the search language, which is loaded when idle (language.ts).
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica-types.ts';
import { isTrashed } from '#sync/row-reading.ts';
import { isPlain, languagePart } from './language.ts';
import { within } from './portions.ts';
import type { Program } from './program.ts';
import type { Asked } from '#sync/query/asking.ts';
import type { Help } from './query/help.ts';
import type { Language } from './query/language.ts';
import type { Scan } from '#sync/query/scan.ts';
import { tokensOf } from '#sync/query/task-index.ts';
import { PlainRun, type SearchRun, wordsTest } from './search-run.ts';
import type { SearchView } from './view.ts';

const IDLE_MS = 300;
const IDLE_ROWS = 2_000;
/** So long tasks are looked through within a key, and so long between two of them; milliseconds. */
const FIRST_MS = 4;
const PORTION_MS = 5;
const noHelp: Help = { problems: [], completions: [], explanation: null };

export class Finding {
  readonly #program: Program;
  #language: Language | null = null;
  #help: Help = noHelp;
  #asked: Asked | null = null;
  /** The search whose results are shown; what it finds comes in portions. */
  #run: SearchRun | null = null;
  /** What its results were asked for by words alone; null: by the search language. */
  #plain: readonly string[] | null = null;
  /** Tasks changed while the search went on, to be looked at when it is done. */
  readonly #changed = new Set<Id>();
  /** Something has changed since the search began. */
  #isOld = false;
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

  /** Whether tasks are still being looked through. */
  get isRunning(): boolean {
    return this.#run !== null && !this.#run.isDone;
  }

  /** Shows what a query asks for; an empty one shows the open place again. */
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
    } else {
      const run = this.#begin(query, caret);
      this.#run = run;
      this.#changed.clear();
      this.#isOld = false;
      run.step(within(program.replica, FIRST_MS));
      workspace.showResults(run.results);
      if (!run.isDone) this.#goOn(run);
    }
    program.rows.follow();
  }

  #begin(query: string, caret: number): SearchRun {
    const { search } = this.#program;
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
    const { search, workspace } = this.#program;
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

  /** What was found so far, as long as nothing has changed since. */
  #wider(): Scan | null {
    return this.#isOld ? null : (this.#run?.scan ?? null);
  }

  /** Another portion after this frame. */
  #goOn(run: SearchRun): void {
    const program = this.#program;
    program.later(() => {
      const { workspace } = program;
      if (this.#run !== run || workspace.results !== run.results) return;
      const wasFirst = workspace.cursorIndex <= 0;
      run.step(within(program.replica, PORTION_MS));
      if (run.isDone) this.#lookAgain();
      // Nobody has gone anywhere: the cursor is on the first of what is there now.
      const first = workspace.outline.at(0) ?? null;
      if (wasFirst && first !== workspace.cursor) program.moveTo(first);
      workspace.settleResults();
      if (!run.isDone) this.#goOn(run);
    });
  }

  /** What changed while the search went on may match by now. */
  #lookAgain(): void {
    const { results } = this.#program.workspace;
    for (const id of this.#changed) if (this.matches(id)) results?.append(id);
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
