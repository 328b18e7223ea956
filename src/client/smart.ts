// The door to smart lists, which come with the search language (query/open-smart.ts): before that they have no lines and no
// counts.
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica-types.ts';
import { languagePart } from './language.ts';
import type { Outline } from './outline.ts';
import type { Program } from './program.ts';
import type { NewTask } from './query/new-task.ts';
import type { OpenSmart } from './query/open-smart.ts';

export class Smart {
  readonly #program: Program;
  #part: OpenSmart | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  get #now(): OpenSmart | null {
    const { now } = languagePart;
    if (now && this.#program.searching.now) this.#part ??= new now.OpenSmart(this.#program);
    return this.#part;
  }

  /** The smart list that is open, unless search results lie over it. */
  get open(): Id | null {
    const { replica, workspace } = this.#program;
    const { place, results } = workspace;
    if (place.type !== 'list' || results !== null) return null;
    return replica.row(place.id)?.fields.listType === 'smart' ? place.id : null;
  }

  /** Null while it has not been counted. */
  countOf(id: Id): number | null {
    return this.#now === null ? null : this.#now.countOf(id);
  }

  /** Open tasks that are due today or overdue; null while they have not been counted. */
  dueCount(): number | null {
    return this.#part?.dueCount() ?? null;
  }

  /** Null while the search language has not come, which then shows it. */
  outlineOf(id: Id): Outline | null {
    if (this.#now) return this.#now.outlineOf(id);
    Promise.all([languagePart.load(), this.#program.searching.load()]).then(
      () => this.#program.act(() => this.wake()),
      () => undefined,
    );
    return null;
  }

  /** The language has come, or all rows have. */
  wake(): void {
    this.#now?.wake();
  }

  /** The index and the children have taken over the changes. */
  apply(changes: readonly RowChange[]): void {
    this.#now?.apply(changes);
  }

  tick(): void {
    this.#part?.tick();
  }

  /** What stayed only because it was being edited goes. */
  settle(): void {
    this.#part?.settle();
  }

  /** Why a task that is being edited will go from the open list; null: it stays, or no such list is open. */
  whyGoes(id: Id): string | null {
    return this.#now?.whyGoes(id) ?? null;
  }

  /** What a task made in the open list gets; a text says why none can be. */
  newTask(): NewTask | string {
    return this.#now?.newTask() ?? 'The list is still loading. Try again.';
  }
}
