// Smart lists in the running program: their outline when one is open, their counts, and what a new task in one gets. Which
// tasks are in them is smart-lists.ts; the door, which is always there, is ../smart.ts.
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica-types.ts';
import type { Outline } from '../outline.ts';
import type { Program } from '../program.ts';
import { smartListDuplicates, smartListNested } from '../settings/behavior.ts';
import { nextWeek, weekStart } from '../settings/general.ts';
import type { NewTask } from './new-task.ts';
import type { SmartOutline } from './smart-outline.ts';

/** Up to so many rows, lists are looked through at once; beyond it one after the other, between frames. */
const SMALL = 5_000;

export class OpenSmart {
  readonly #program: Program;
  #outline: SmartOutline | null = null;
  #isWaiting = false;

  constructor(program: Program) {
    this.#program = program;
    for (const setting of [smartListNested, smartListDuplicates])
      program.settings.signal(setting).subscribe(() => {
        this.#outline?.refold();
        program.workspace.settleTree();
      });
    // Words like "this week" stand for other days.
    for (const setting of [weekStart, nextWeek])
      program.settings.signal<string>(setting).subscribe(() => this.tick());
  }

  get open(): Id | null {
    return this.#program.smart.open;
  }

  countOf(id: Id): number {
    return this.#program.finding.language?.smart.countOf(id) ?? 0;
  }

  /** Null while the search language has not come, which then shows it. */
  outlineOf(id: Id): Outline | null {
    const { replica, workspace, editor, finding, settings } = this.#program;
    const { language } = finding;
    if (!language) return null;
    this.#outline = language.openSmart({
      replica,
      children: workspace.children,
      isCollapsed: (task) => workspace.facts.isCollapsed(task),
      list: id,
      live: () => language.smart.list(id),
      nested: () => settings.get(smartListNested),
      duplicates: () => settings.get(smartListDuplicates),
      held: () => editor.title?.id ?? null,
    });
    return this.#outline;
  }

  /** The language has come, or all rows have. */
  wake(): void {
    const { finding, search } = this.#program;
    const { language } = finding;
    if (!language || (!search.isReady && this.open === null)) return;
    search.readSome(Number.MAX_SAFE_INTEGER);
    language.smart.begin();
    this.#renew();
    if (this.open !== null && this.#program.workspace.outline !== this.#outline)
      this.#program.workspace.reopen();
  }

  /** The index and the children have taken over the changes. */
  apply(changes: readonly RowChange[]): void {
    this.#program.finding.language?.smart.apply(changes);
    this.#renew();
    this.#update(changes);
  }

  tick(): void {
    const { language } = this.#program.finding;
    if (!language) return;
    language.smart.tick();
    this.#renew();
    this.#update([]);
  }

  /** What stayed only because it was being edited goes. */
  settle(): void {
    if (this.open !== null) this.#update([]);
  }

  /** What a task made in the open list gets; a text says why none can be. */
  newTask(): NewTask | string {
    const { language } = this.#program.finding;
    const { open } = this;
    const list = open === null ? null : language?.smart.list(open);
    return language && list ? language.newTask(list.asked) : 'The list is still loading. Try again.';
  }

  #update(changes: readonly RowChange[]): void {
    const outline = this.#outline;
    const { workspace, finding } = this.#program;
    if (!outline || this.open !== outline.list) return;
    const live = finding.language?.smart.list(outline.list);
    if (!live) return;
    outline.update(changes, finding.language?.smart.takeTouched(outline.list) === true);
    workspace.settleTree();
  }

  /** Looks through what is no longer exact. */
  #renew(): void {
    const smart = this.#program.finding.language?.smart;
    if (!smart || !this.#program.search.isReady) return;
    if (this.#program.replica.size <= SMALL) while (smart.hasStale) smart.renewOne();
    else if (smart.hasStale && !this.#isWaiting) {
      this.#isWaiting = true;
      this.#program.later(() => {
        this.#isWaiting = false;
        smart.renewOne();
        this.#update([]);
        this.#renew();
      });
    }
  }
}
