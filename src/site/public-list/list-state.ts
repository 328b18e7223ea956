// The tasks of the page as it holds them: what the server said, under ids of the page. A task that was made here keeps the id that it got
// here, whatever the server calls it: so what is being done with it goes on.
import type { LinkMay, ShownTask, VisitorChange } from '#wire/public-links.ts';
import { outlined, type OutlinedTask } from '#wire/public-page/shown-outline.ts';

const NOTHING: LinkMay = { add: false, complete: false, titles: false, notes: false, labels: false };
const NEW = 'new-';

/** The page's id of a task that is made by the change of this key. */
export const newId = (key: string): string => `${NEW}${key}`;

/** The task as a change leaves it. */
export function changedTask(task: ShownTask, change: VisitorChange): ShownTask {
  const { isDone: _isDone, ...open } = task;
  const { notes: _notes, ...bare } = task;
  switch (change.do) {
    case 'complete':
      return { ...open, isDone: true };
    case 'reopen':
      return open;
    case 'title':
      return { ...task, title: change.title };
    case 'notes':
      return change.notes === '' ? bare : { ...task, notes: change.notes };
    case 'add':
      return task;
  }
}

/** The task of a change as the server left it (null: it is shown no more), and the state of the list that it was read in. */
export interface Made {
  readonly task: ShownTask | null;
  readonly at: string;
}

/** Whether a state of the list comes before another, by their names. Those of different generations have no order. */
function isBefore(one: string, other: string): boolean {
  const [generation, version] = one.split('.');
  const [otherGeneration, otherVersion] = other.split('.');
  return generation === otherGeneration && Number(version) < Number(otherVersion);
}

/** The list that is shown. */
export class ListState {
  may: LinkMay = NOTHING;
  name = '';
  #tasks = new Map<string, ShownTask>();
  #outline: OutlinedTask[] | null = null;
  /** Different since they were last taken; null: the order may be, too. */
  #changed: Map<string, OutlinedTask> | null = null;
  /** Tasks that were made here: the server's id by the page's, and the other way round. */
  readonly #made = new Map<string, string>();
  readonly #own = new Map<string, string>();
  /** Which task a new one was made behind, until it is saved. */
  readonly #behind = new Map<string, string>();
  /** The last answer to a change of a task, until something newer is heard of it. */
  readonly #answers = new Map<string, Made>();

  /** All tasks in their order. */
  get outline(): readonly OutlinedTask[] {
    return (this.#outline ??= [...outlined(this.#tasks.values())]);
  }

  /** What is different since this was asked last, each task in the place that it had; null: they may stand elsewhere. */
  takeChanged(): readonly OutlinedTask[] | null {
    const changed = this.#changed;
    this.#changed = new Map();
    return changed === null ? null : [...changed.values()];
  }

  #reorder(): void {
    this.#outline = null;
    this.#changed = null;
  }

  /** Puts these in the place of what they were. */
  #renew(tasks: readonly ShownTask[]): void {
    const left = new Map(tasks.map((task) => [task.id, task]));
    const outline = this.#outline ?? [];
    for (const [at, { task: was, level }] of outline.entries()) {
      const task = left.get(was.id);
      if (task === undefined) continue;
      outline[at] = { task, level };
      this.#changed?.set(task.id, outline[at]);
      left.delete(task.id);
      if (left.size === 0) return;
    }
  }

  task(id: string): ShownTask | undefined {
    return this.#tasks.get(id);
  }

  /** The server's id of a task of the page; null: it is not saved yet. */
  serverId(id: string): string | null {
    return this.#made.get(id) ?? (id.startsWith(NEW) ? null : id);
  }

  /** From now on the server's task is the one that was made here. */
  know(id: string, served: string): void {
    this.#made.set(id, served);
    this.#own.set(served, id);
    // It may have been heard of before the answer came.
    this.remove([served]);
  }

  /** A task of the server under the ids of the page. */
  own(task: ShownTask): ShownTask {
    if (this.#own.size === 0) return task;
    const { id, parent } = task;
    const above = parent === null ? null : this.ownId(parent);
    return { ...task, id: this.ownId(id), parent: above };
  }

  /** What the server answered to a change. Older news of the task may still come: they came another way. */
  answered(id: string, made: Made): void {
    this.#answers.set(id, made);
  }

  /** Tasks of the server as they were in a state, under the ids of the page; in the place of what is older than an answer, the answer. */
  newest(tasks: readonly ShownTask[], at: string): readonly ShownTask[] {
    return tasks.flatMap((served) => {
      const task = this.own(served);
      const answer = this.#laterAnswer(task.id, at);
      if (answer === undefined) return [task];
      return answer.task === null ? [] : [this.own(answer.task)];
    });
  }

  /** Of tasks that a state does not show anymore those that are not known to be there later, under the ids of the page. */
  stillGone(served: readonly string[], at: string): readonly string[] {
    return served.map((id) => this.ownId(id)).filter((id) => this.#laterAnswer(id, at) === undefined);
  }

  #laterAnswer(id: string, at: string): Made | undefined {
    const answer = this.#answers.get(id);
    if (answer === undefined || isBefore(at, answer.at)) return answer;
    if (at !== answer.at) this.#answers.delete(id);
    return undefined;
  }

  ownId(served: string): string {
    return this.#own.get(served) ?? served;
  }

  /** All that there was in a state, and what is not saved yet or was saved later. */
  replace(tasks: readonly ShownTask[], at: string): void {
    const isKept = ({ id }: ShownTask) =>
      this.serverId(id) === null || (this.#laterAnswer(id, at)?.task ?? null) !== null;
    const kept = [...this.#tasks.values()].filter(isKept);
    this.#tasks = new Map([...tasks, ...kept].map((task) => [task.id, task]));
    this.#keepBehind();
    this.#reorder();
  }

  /** What stays in its place does not order the list anew. */
  put(tasks: readonly ShownTask[]): void {
    const isInPlace = tasks.every(({ id, parent, key }) => {
      const was = this.#tasks.get(id);
      return was?.parent === parent && was.key === key;
    });
    for (const task of tasks) this.#tasks.set(task.id, task);
    this.#keepBehind();
    if (isInPlace) this.#renew(tasks);
    else this.#reorder();
  }

  remove(ids: readonly string[]): void {
    const wasThere = ids.map((id) => this.#tasks.delete(id)).includes(true);
    if (wasThere) this.#reorder();
  }

  /** A new task stays directly behind another one until it is saved, also when that one gets its real place. */
  stayBehind(id: string, after: string): void {
    this.#behind.set(id, after);
  }

  #keepBehind(): void {
    for (const [id, after] of this.#behind) {
      const [task, before] = [this.#tasks.get(id), this.#tasks.get(after)];
      if (task === undefined || this.serverId(id) !== null) this.#behind.delete(id);
      else if (before !== undefined && task.key !== `${before.key} `)
        this.#tasks.set(id, { ...task, key: `${before.key} ` });
    }
  }

  /** A place for a new task: directly after a sibling, or at the end. The server says the real one. */
  keyFor(parent: string | null, after: string | undefined): string {
    const before = after === undefined ? undefined : this.#tasks.get(after);
    if (before !== undefined) return `${before.key} `;
    const keys = [...this.#tasks.values()].filter((task) => task.parent === parent).map(({ key }) => key);
    return `${keys.reduce((last, key) => (key > last ? key : last), '')}~`;
  }
}
