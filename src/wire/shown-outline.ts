// The tasks of a public link in the order in which its page shows them, the same for the server, which draws them first, and for the
// page, which goes on with them.
import type { ShownTask } from './public-links.ts';

/** A task in its place. */
export interface OutlinedTask {
  readonly task: ShownTask;
  /** 1: the top level of the list. */
  readonly level: number;
}

const byKey = (a: ShownTask, b: ShownTask) =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

/** "2 of 8 done", and how much of a hundred that is; the text is empty where there are no tasks. */
export function doneOf(tasks: Iterable<ShownTask>): { readonly text: string; readonly percent: number } {
  let [all, done] = [0, 0];
  for (const { isDone } of tasks) {
    all += 1;
    if (isDone) done += 1;
  }
  return { text: all === 0 ? '' : `${done} of ${all} done`, percent: all === 0 ? 0 : (done / all) * 100 };
}

/** Each task after the one that it follows on the page. What hangs under nothing that is shown is left out. */
export function outlined(tasks: Iterable<ShownTask>): readonly OutlinedTask[] {
  const beneath = Map.groupBy(tasks, ({ parent }) => parent);
  for (const siblings of beneath.values()) siblings.sort(byKey);
  const outline: OutlinedTask[] = [];
  const open: OutlinedTask[] = [];
  const enter = (parent: string | null, level: number) => {
    for (const task of (beneath.get(parent) ?? []).toReversed()) open.push({ task, level });
  };
  enter(null, 1);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    outline.push(next);
    enter(next.task.id, next.level + 1);
  }
  return outline;
}
