// Rows that are few enough to be offered before anything is typed: bookmarks, and the tasks of the open place.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import { isShown } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';

/** Bookmarked tasks and lists, in the order of bookmarking. */
export function bookmarkRows({ replica, workspace }: Program): readonly Row[] {
  const { facts } = workspace;
  return [...facts.bookmarks]
    .toSorted(([a, at], [b, bt]) => at - bt || (a < b ? -1 : 1))
    .flatMap(([id]) => replica.row(id) ?? [])
    .filter(({ id }) => !facts.isHidden(id));
}

/** Whether the targets may go under a task: it must not be one of them or a descendant of one. */
export function holderTest({ workspace }: Program): (id: Id) => boolean {
  const chosen = new Set(workspace.targets());
  return (id) => !chosen.has(id) && !workspace.hasAncestorIn(id, chosen);
}

/** Tasks that the targets may go under, from the lines of the open place; at most `most`. */
export function holdersHere(program: Program, most: number): readonly Row[] {
  const { outline } = program.workspace;
  const canHold = holderTest(program);
  const found: Row[] = [];
  for (let index = 0; index < outline.length && found.length < most; index += 1) {
    const id = outline.at(index);
    const row = id === undefined ? undefined : program.replica.row(id);
    if (row?.type === 'task' && isShown(row) && canHold(row.id)) found.push(row);
  }
  return found;
}
