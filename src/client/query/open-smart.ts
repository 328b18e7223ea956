// Smart lists in the running program: their outline when one is open, their counts, and what a new task in one gets. Which
// tasks are in them is smart-lists.ts; the door, which is always there, is ../smart.ts.
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica-types.ts';
import type { Outline } from '../outline.ts';
import { within } from '../portions.ts';
import type { Program } from '../program.ts';
import { smartListDuplicates, smartListNested } from '../settings/behavior.ts';
import { nextWeek, weekStart } from '../settings/general.ts';
import type { NewTask } from './new-task.ts';
import type { SmartOutline } from './smart-outline.ts';

/** So long lists are looked through when one is opened, and so long between two keys; milliseconds. */
const FIRST_MS = 4;
const PORTION_MS = 5;

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

  /** Null while it is being counted for the first time. */
  countOf(id: Id): number | null {
    const { language } = this.#program.finding;
    return language ? language.smart.countOf(id) : null;
  }

  dueCount(): number | null {
    return this.#program.finding.language?.smart.dueCount ?? null;
  }

  /** Null while the search language has not come, which then shows it. */
  outlineOf(id: Id): Outline | null {
    const { replica, workspace, editor, finding, search, settings } = this.#program;
    const { language } = finding;
    if (!language) return null;
    const old = this.#outline === null ? null : language.smart.list(this.#outline.list);
    old?.rest();
    language.smart.list(id)?.watch();
    this.#renew(id, FIRST_MS);
    this.#outline = language.openSmart({
      replica,
      index: search,
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
    this.#renew(this.open, FIRST_MS);
    if (this.open !== null && this.#program.workspace.outline !== this.#outline)
      this.#program.workspace.reopen();
  }

  /** The index and the children have taken over the changes. */
  apply(changes: readonly RowChange[]): void {
    this.#program.finding.language?.smart.apply(changes);
    this.#renew(this.open, FIRST_MS);
    this.#update(changes);
  }

  tick(): void {
    const { language } = this.#program.finding;
    if (!language) return;
    language.smart.tick();
    this.#renew(this.open, FIRST_MS);
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

  /** Why a task that is being edited will go from the open list; null: it stays. */
  whyGoes(id: Id): string | null {
    const { finding, replica } = this.#program;
    const { open } = this;
    const list = open === null ? null : finding.language?.smart.list(open);
    const query = open === null ? null : (replica.row(open)?.fields.query as string | null | undefined);
    if (!list || !query || list.has(id)) return null;
    return finding.language?.why(query, id, 'It', true) ?? null;
  }

  #update(changes: readonly RowChange[]): void {
    const outline = this.#outline;
    const { workspace, finding } = this.#program;
    if (!outline || this.open !== outline.list) return;
    const live = finding.language?.smart.list(outline.list);
    if (!live) return;
    outline.update(changes, finding.language?.smart.takeTouched(outline.list));
    workspace.settleTree();
  }

  /** Looks through what is no longer exact, `first` before the rest; what the time does not reach, after this frame. */
  #renew(first: Id | null, ms: number): void {
    const { finding, search, replica } = this.#program;
    const smart = finding.language?.smart;
    if (!smart || !search.isReady || smart.renew(within(replica, ms), first) || this.#isWaiting) return;
    this.#isWaiting = true;
    this.#program.later(() => {
      this.#isWaiting = false;
      this.#renew(this.open, PORTION_MS);
      this.#update([]);
    });
  }
}
