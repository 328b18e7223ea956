// Smart lists before and after their lazy part, which comes with the search language (query/open-smart.ts): before that
// they have no lines and no counts.
import type { Id } from '#core/ids.ts';
import { failed, type Result } from '#core/result.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { languagePart } from './language.ts';
import type { Outline } from '../outline/outline.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type { NewTask } from '../query/new-task.ts';
import type { OpenSmart } from '../query/open-smart.ts';
import { searching } from './searching.ts';
import { fieldOf } from '#sync/rows/row.ts';

class Smart implements PartHooks {
  readonly #program: Program;
  #part: OpenSmart | null = null;

  constructor(program: Program) {
    this.#program = program;
    program.workspace.smartOutline = (id) => this.outlineOf(id);
    program.part(searching).whenReady = () => this.wake();
    program.counts.countOfSmart = (id) => this.countOf(id);
  }

  get #now(): OpenSmart | null {
    const { now } = languagePart;
    if (now && this.#program.part(searching).now) this.#part ??= new now.OpenSmart(this.#program);
    return this.#part;
  }

  /** The open smart list, unless search results cover it. */
  get open(): Id | null {
    const { replica, workspace } = this.#program;
    const { place, results } = workspace;
    if (place.type !== 'list' || results !== null) return null;
    return fieldOf(replica.row(place.id), 'listType') === 'smart' ? place.id : null;
  }

  /** Null until counted. */
  countOf(id: Id): number | null {
    return this.#now === null ? null : this.#now.countOf(id);
  }

  /** Open tasks that are due today or overdue; null until counted. */
  dueCount(): number | null {
    return this.#part?.dueCount() ?? null;
  }

  /** Null until the search language is loaded, which then shows the list. */
  outlineOf(id: Id): Outline | null {
    if (this.#now) return this.#now.outlineOf(id);
    Promise.all([languagePart.load(), this.#program.part(searching).load()]).then(
      () => this.#program.act(() => this.wake()),
      () => undefined,
    );
    return null;
  }

  /** The search language was loaded, or all rows were. */
  wake(): void {
    this.#now?.wake();
  }

  /** Call it after the index and the children have applied the changes. */
  apply(changes: readonly RowChange[]): void {
    this.#now?.apply(changes);
  }

  visibilityChanged(seen: readonly RowChange[]): void {
    this.#now?.apply(seen);
  }

  tick(): void {
    this.#part?.tick();
  }

  /** Tasks that stayed only because they were being edited leave the list. */
  beforeSettle(): void {
    this.#part?.settle();
  }

  /** Why the edited task will leave the open list; null: it stays, or no smart list is open. */
  whyGoes(id: Id): string | null {
    return this.#now?.whyGoes(id) ?? null;
  }

  /** Values of a new task in the open list; the problem says why none can be created. */
  newTask(): Result<NewTask, string> {
    return this.#now?.newTask() ?? failed('The list is still loading. Try again.');
  }
}

/** Outlines, counts and new tasks of smart lists. Forwards to the search language once that is loaded. */
export const smartLists = definePart({ name: 'Smart lists', create: (program) => new Smart(program) });
