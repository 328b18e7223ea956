// What a twin of files keeps in step: the content of tasks as a file can hold it, and where they stand.
import type { Id } from '#core/ids.ts';

/** A task as a file holds it. Texts of the server are brought into this form before they are compared. */
export interface Content {
  readonly title: string;
  readonly isDone: boolean;
  /** A day, or an ISO time in UTC. */
  readonly due: string | null;
  readonly start: string | null;
  readonly snooze: string | null;
  /** In words. */
  readonly repeat: string | null;
  readonly minutes: number | null;
  /** Names, sorted. */
  readonly labels: readonly string[];
  readonly notes: string;
}

/** A task with its place. */
export interface TwinTask extends Content {
  readonly id: Id;
  readonly list: Id;
  /** Null: at the top of its list. */
  readonly parent: Id | null;
}

/** Tasks, and the order of those under each list and task. */
export interface Tree {
  readonly tasks: ReadonlyMap<Id, TwinTask>;
  readonly order: ReadonlyMap<Id, readonly Id[]>;
}

/** A list that can have a file, or a folder. */
export interface TwinList {
  readonly id: Id;
  readonly name: string;
  readonly isFolder: boolean;
  /** The folder it is in. */
  readonly parent: Id | null;
}

/** Fields whose value is replaced as a whole. */
export const scalarNames = ['due', 'start', 'snooze', 'repeat', 'minutes'] as const;

/** A tree of tasks given in the order in which they stand. */
export function treeOf(tasks: Iterable<TwinTask>): Tree {
  const byId = new Map<Id, TwinTask>();
  const order = new Map<Id, Id[]>();
  for (const task of tasks) {
    byId.set(task.id, task);
    const under = task.parent ?? task.list;
    const siblings = order.get(under);
    if (siblings) siblings.push(task.id);
    else order.set(under, [task.id]);
  }
  return { tasks: byId, order };
}

/** The tasks of a list as its lines stand: parents before children. */
export function linesOf({ tasks, order }: Tree, list: Id): readonly TwinTask[] {
  const lines: TwinTask[] = [];
  const waiting = [...(order.get(list) ?? [])].toReversed();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const task = tasks.get(id);
    if (task === undefined) continue;
    lines.push(task);
    waiting.push(...(order.get(id) ?? []).toReversed());
  }
  return lines;
}

/** A title on one line. */
export const plainTitle = (text: string) => text.replaceAll(/\s+/gu, ' ').trim();

/** Notes without what a file cannot show: spaces at the ends of lines that have nothing else, empty lines around. */
export function plainNotes(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) => (line.trim() === '' ? '' : line));
  while (lines.at(-1) === '') lines.pop();
  while (lines[0] === '') lines.shift();
  return lines.join('\n');
}

/** Whether both look the same in a file. */
export function isSameContent(a: Content, b: Content): boolean {
  return (
    a.title === b.title &&
    a.isDone === b.isDone &&
    a.notes === b.notes &&
    scalarNames.every((name) => a[name] === b[name]) &&
    a.labels.join('\n') === b.labels.join('\n')
  );
}
