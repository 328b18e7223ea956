// The door to lists that are kept in an order: only this is part of the first load. Until the rest has come, such a list
// stands as it was put by hand.
import type { Id } from '#core/ids.ts';
import type { PersistentSort } from '#core/model.ts';
import { door } from '../door.ts';
import type { Outline } from '../outline.ts';
import type { Program } from '../program.ts';

export const sortingPart = door('Sorting', () => import('./sorted-outline.ts'));

/** How a list, or the list that a task is in, is kept; null: by hand. */
export function sortAt(
  { workspace, replica }: Pick<Program, 'workspace' | 'replica'>,
  id: Id,
): PersistentSort | null {
  const list = replica.row(id)?.type === 'list' ? replica.row(id) : workspace.listOf(id);
  return (list?.fields.sort as PersistentSort | null | undefined) ?? null;
}

/** The outline of a list or task in a list that is kept in an order; null: by hand, or not loaded yet. */
export function sortedOutline(program: Program, root: Id): Outline | null {
  const sort = sortAt(program, root);
  if (sort === null) return null;
  const { now } = sortingPart;
  const { replica, workspace, editor, clock } = program;
  if (now)
    return new now.SortedOutline(
      {
        replica,
        children: workspace.children,
        sort,
        isCollapsed: (id) => workspace.facts.isCollapsed(id),
        momentOf: (when) => clock.momentOf(when),
        ownLabelsOf: (task) => workspace.facts.ownLabelsOf(task),
        held: () => editor.title?.id ?? null,
      },
      root,
    );
  sortingPart.load().then(
    () => program.act(() => workspace.reopen()),
    // The next visit asks again.
    () => undefined,
  );
  return null;
}
