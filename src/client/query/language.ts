// The search language in the app: entry to everything that is loaded for operators in searches and for smart lists.
import type { Id } from '#core/ids.ts';
import { explainTerm } from '#core/search/explain.ts';
import { parseQuery } from '#core/search/parse.ts';
import type { Expression, Term } from '#core/search/query.ts';
import type { Result } from '#core/result.ts';
import type { Program } from '../app/program.ts';
import { Asking, type Asked, narrows, wordsShown } from '#sync/query/asking.ts';
import type { Scan } from '#sync/query/scan.ts';
import { type Help, helpFor, withHint } from './help.ts';
import { type NewTask, newTaskFor } from './new-task.ts';
import { PlainRun, type SearchRun } from '../search/search-run.ts';
import { SortedRun } from './sorted-run.ts';
import { SmartLists } from './smart-lists.ts';
import { SmartOutline, type SmartSource } from './smart-outline.ts';
import { worldOf } from './world.ts';

const isWord = (term: Term): boolean => term.type === 'text' && term.field === 'any';

/** A label as in a title, which is read as the label or the word: "#bills". */
function isLabeled(part: Expression): boolean {
  if (part.type !== 'or') return false;
  const [label, text] = part.parts.map((each) => (each.type === 'term' ? each.term : null));
  if (part.parts.length !== 2 || label?.type !== 'label' || text?.type !== 'text') return false;
  return text.text === `#${label.name}`;
}

/** Runs queries with operators, and holds the smart lists. Loaded with the search language. */
export class Language {
  readonly #asking: Asking;
  readonly smart: SmartLists;

  constructor(program: Program) {
    this.#asking = new Asking(worldOf(program));
    this.smart = new SmartLists(this.#asking);
  }

  /** Whether a text consists of words and labels as in a title; null: it is not understood. */
  isWords(text: string): boolean | null {
    const { expression, directives, problems } = parseQuery(text);
    if (problems.length > 0) return null;
    const parts = expression.type === 'and' ? expression.parts : [expression];
    const hasDirective = Object.values(directives).some((directive) => directive !== null);
    return (
      !hasDirective && parts.every((part) => isLabeled(part) || (part.type === 'term' && isWord(part.term)))
    );
  }

  ask(text: string): Asked {
    return this.#asking.ask(text);
  }

  /** Runs a query, continuing the scan of a search with at least the same results. */
  run(asked: Asked, wider: Scan | null): SearchRun {
    const { world } = this.#asking;
    const { sort, limit } = asked.query.directives;
    const wanted = { matches: asked.matches, limit, wider };
    return sort === null ? new PlainRun(world.index, wanted) : new SortedRun(world, sort, wanted);
  }

  readonly narrows = narrows;

  matches(asked: Asked, id: Id): boolean {
    const slot = this.#asking.world.index.slotOf(id);
    return slot !== undefined && asked.matches(slot);
  }

  help(asked: Asked, caret: number): Help {
    return helpFor(this.#asking.world, asked, caret);
  }

  readonly withHint = withHint;

  openSmart(source: SmartSource): SmartOutline {
    return new SmartOutline(source);
  }

  /** The values of a new task that matches a query; the problem says why there are none. */
  newTask(asked: Asked): Result<NewTask, string> {
    return newTaskFor(this.#asking, asked);
  }

  /** Folded words to highlight. */
  shown(asked: Asked): readonly string[] {
    return wordsShown(asked.query.expression);
  }

  /** Why a task does or does not match a query, of a smart list or else a search, as a sentence. */
  why(text: string, id: Id, name: string, isSmart: boolean): string {
    const asked = this.#asking.ask(text, { awakeOnly: isSmart });
    if (this.#asking.isAway(asked, id)) return `${name} isn’t here because it’s snoozed.`;
    const [problem] = asked.query.problems;
    if (problem) return `${name} isn’t here because the query has a mistake. ${problem.message}`;
    const told = this.#asking.reasons(asked, id);
    if (told === null) return `${name} isn’t here.`;
    const words = [
      ...new Set(told.reasons.map(({ term, holds }) => `${holds ? 'is' : 'is not'} ${explainTerm(term)}`)),
    ];
    const because = words.length === 0 ? 'everything is' : `it ${words.join(', and ')}`;
    return `${name} is ${told.isIn ? '' : 'not '}here because ${because}.`;
  }
}
