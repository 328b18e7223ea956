// The tasks of a public link in the order in which its page shows them, the same for the server, which draws them first, and for the
// page, which goes on with them.
import type { ShownTask } from '../public-links.ts';

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

/** The letters of an id are random: one in thirty-two. */
const BEGINNINGS: ReadonlySet<number> = new Set(['A', 'a'].map((letter) => letter.charCodeAt(0)));

/** Rows that are laid out together at most. */
const MOST_IN_PART = 50;

/** Rows that are laid out together. */
export interface Part {
  readonly rows: readonly OutlinedTask[];
  /** The class of its element: what is far from the beginning is laid out when it comes near, and nothing above it moves then. */
  readonly look: 'part' | 'part far';
}

/**
 * The rows in parts that the browser lays out one by one. A part begins with a task whose id says so, and not after so many: so what
 * comes or goes changes one part, and not all after it.
 */
export function partsOf(outline: readonly OutlinedTask[]): readonly Part[] {
  const parts: { rows: OutlinedTask[]; look: Part['look'] }[] = [];
  for (const [at, each] of outline.entries()) {
    const part = parts.at(-1);
    if (part === undefined || part.rows.length >= MOST_IN_PART || BEGINNINGS.has(each.task.id.charCodeAt(3)))
      parts.push({ rows: [each], look: at >= MOST_IN_PART ? 'part far' : 'part' });
    else part.rows.push(each);
  }
  return parts;
}
