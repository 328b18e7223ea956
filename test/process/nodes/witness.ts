// Notes what devices did and were told, and judges in the end whether anything of it is missing. It knows which write was made over which other one,
// and nothing of clocks, versions or servers.
import type { Id } from '#core/ids.ts';

/** A task, as somebody has it in the end. */
export interface SeenTask {
  readonly id: string;
  readonly title: unknown;
  readonly isDone: boolean;
}

/** An operation, as it is sent. */
export interface SentOperation {
  readonly u: string;
  readonly a: string;
  readonly id?: string;
  readonly field?: string;
  readonly value?: unknown;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly type?: string;
}

export class Witness {
  /** For each title the one over which it was written; null: the task was made with it. No title is used twice. */
  readonly #over = new Map<string, string | null>();
  readonly #acknowledged: SentOperation[] = [];
  readonly #shown = new Map<string, ReadonlyMap<string, boolean>>();

  writes(title: string, over: string | null): void {
    this.#over.set(title, over);
  }

  acknowledges(operation: SentOperation): void {
    this.#acknowledged.push(operation);
  }

  /** What one device shows now. Returns what it showed before and does not any more: nobody takes anything away. */
  shows(device: string, tasks: readonly SeenTask[]): readonly string[] {
    const before = this.#shown.get(device) ?? new Map<string, boolean>();
    const now = new Map(tasks.map(({ id, isDone }) => [id, isDone]));
    this.#shown.set(device, now);
    return [...before].flatMap(([id, wasDone]) => {
      if (!now.has(id)) return [`${device} showed task ${id} and does not any more`];
      return wasDone && now.get(id) !== true
        ? [`${device} showed task ${id} as done and does not any more`]
        : [];
    });
  }

  /** What is missing of all that was acknowledged where `tasks` is what somebody has. */
  missing(tasks: readonly SeenTask[]): readonly string[] {
    const byId = new Map(tasks.map((task) => [task.id, task]));
    return this.#acknowledged.flatMap((operation) => {
      const { a, type, id = '', field, value, fields = {} } = operation;
      if (a === 'create' && type !== 'task') return [];
      if (a !== 'create' && a !== 'set') return [];
      const task = byId.get(id);
      if (task === undefined) return [`task ${id} is missing`];
      if (field === 'status') return task.isDone ? [] : [`task ${id} was done and is not`];
      const title = a === 'create' ? fields['title'] : field === 'title' ? value : null;
      if (typeof title !== 'string' || title === task.title) return [];
      return this.#isBefore(task.title, title)
        ? [`task ${id} is “${String(task.title)}” again, after “${title}”`]
        : [];
    });
  }

  /** Tasks with a title that nobody gave, or more of them than were made. */
  surplus(tasks: readonly SeenTask[], made: ReadonlySet<Id>): readonly string[] {
    return tasks.flatMap(({ id, title }) =>
      made.has(id as Id) && typeof title === 'string' && this.#over.has(title)
        ? []
        : [`nobody made ${id} “${String(title)}”`],
    );
  }

  #isBefore(earlier: unknown, later: string): boolean {
    for (let at = this.#over.get(later) ?? null; at !== null; at = this.#over.get(at) ?? null)
      if (at === earlier) return true;
    return false;
  }
}
