// The search language in the app: one door to everything that is loaded when somebody searches beyond words or has a
// smart list.
import type { Id } from '#core/ids.ts';
import { explainTerm } from '#core/search/explain.ts';
import type { Program } from '../program.ts';
import { Asking, type Asked, wordsShown } from '#sync/query/asking.ts';
import { type Help, helpFor, withHint } from './help.ts';
import { type NewTask, newTaskFor } from './new-task.ts';
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

  find(asked: Asked): Id[] {
    return this.#asking.find(asked);
  }

  matches(asked: Asked, id: Id): boolean {
    const slot = this.#asking.world.index.slotOf(id);
    return slot !== undefined && this.#asking.matches(asked, slot);
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

  /** Why a task is or is not among what a query asks for, as a sentence. */
  why(text: string, id: Id, name: string): string {
    const asked = this.ask(text);
    const told = this.#asking.reasons(asked, id);
    if (told === null) return `${name} is not here.`;
    const words = [
      ...new Set(told.reasons.map(({ term, holds }) => `${holds ? 'is' : 'is not'} ${explainTerm(term)}`)),
    ];
    const because = words.length === 0 ? 'everything is' : `it ${words.join(', and ')}`;
    return `${name} is ${told.isIn ? '' : 'not '}here because ${because}.`;
  }
}
