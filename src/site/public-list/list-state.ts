// The tasks of the page as it holds them: what the server said, with what the visitor did over it until the server has answered.
import type { LinkMay, ShownTask } from '#wire/public-links.ts';
import { outlined, type OutlinedTask } from '#wire/shown-outline.ts';

const NOTHING: LinkMay = { add: false, complete: false, titles: false, notes: false, labels: false };

/** The list that is shown. */
export class ListState {
  may: LinkMay = NOTHING;
  name = '';
  #tasks = new Map<string, ShownTask>();
  #outline: readonly OutlinedTask[] | null = null;

  /** All tasks in their order. */
  get outline(): readonly OutlinedTask[] {
    return (this.#outline ??= outlined(this.#tasks.values()));
  }

  task(id: string): ShownTask | undefined {
    return this.#tasks.get(id);
  }

  replace(tasks: readonly ShownTask[]): void {
    this.#tasks = new Map(tasks.map((task) => [task.id, task]));
    this.#outline = null;
  }

  put(tasks: readonly ShownTask[]): void {
    for (const task of tasks) this.#tasks.set(task.id, task);
    this.#outline = null;
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.#tasks.delete(id);
    this.#outline = null;
  }

  /** A place for a new task: directly after a sibling, or at the end. The server says the real one. */
  keyFor(parent: string | null, after: string | undefined): string {
    const before = after === undefined ? undefined : this.#tasks.get(after);
    if (before !== undefined) return `${before.key} `;
    const keys = [...this.#tasks.values()].filter((task) => task.parent === parent).map(({ key }) => key);
    return `${keys.reduce((last, key) => (key > last ? key : last), '')}~`;
  }
}
