// The search language in the app: one door to everything that is loaded when somebody searches beyond words or has a
// smart list.
import type { Id } from '#core/ids.ts';
import { explainTerm } from '#core/search/explain.ts';
import type { Program } from '../program.ts';
import { Asking, type Asked, narrows, wordsShown } from '#sync/query/asking.ts';
import type { Scan } from '#sync/query/scan.ts';
import { type Help, helpFor, withHint } from './help.ts';
import { type NewTask, newTaskFor } from './new-task.ts';
import { PlainRun, type SearchRun } from '../search-run.ts';
import { SortedRun } from './sorted-run.ts';
import { SmartLists } from './smart-lists.ts';
import { SmartOutline, type SmartSource } from './smart-outline.ts';
import { worldOf } from './world.ts';

export class Language {
  readonly #asking: Asking;
  readonly smart: SmartLists;

  constructor(program: Program) {
    this.#asking = new Asking(worldOf(program));
    this.smart = new SmartLists(this.#asking);
  }

  ask(text: string): Asked {
    return this.#asking.ask(text);
  }

  /** Looks for what is asked, from what a search that finds at least the same has found on. */
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

  /** What a new task needs to be among what a query asks for; a text says why it cannot be. */
  newTask(asked: Asked): NewTask | string {
    return newTaskFor(this.#asking, asked);
  }

  /** Folded words to be shown as found. */
  shown(asked: Asked): readonly string[] {
    return wordsShown(asked.query.expression);
  }

  /** Why a task is or is not among what a query asks for, in a smart list or else a search, as a sentence. */
  why(text: string, id: Id, name: string, isSmart: boolean): string {
    const asked = this.#asking.ask(text, { awakeOnly: isSmart });
    if (this.#asking.isAway(asked, id)) return `${name} is not here because it is snoozed.`;
    const told = this.#asking.reasons(asked, id);
    if (told === null) return `${name} is not here.`;
    const words = [
      ...new Set(told.reasons.map(({ term, holds }) => `${holds ? 'is' : 'is not'} ${explainTerm(term)}`)),
    ];
    const because = words.length === 0 ? 'everything is' : `it ${words.join(', and ')}`;
    return `${name} is ${told.isIn ? '' : 'not '}here because ${because}.`;
  }
}
