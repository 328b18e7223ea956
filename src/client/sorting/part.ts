// Lazy part of sorted lists: only this file is in the first load. Until it is loaded, such a list has its manual order.
import type { Id } from '#core/ids.ts';
import type { PersistentSort } from '#core/model.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Outline } from '../outline/outline.ts';
import { definePart } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { fieldOf } from '#sync/rows/row.ts';

/** Outlines of sorted lists, and what their orders are called. Loaded when idle or when a sorted list is opened. */
export const sortingPart = lazyPart('Sorting', async () => {
  const [{ SortedOutline }, { saySort }] = await Promise.all([
    import('./sorted-outline.ts'),
    import('./sorts.ts'),
  ]);
  return { SortedOutline, saySort };
});

/** The order of a list, or of the list that a task is in; null: manual. */
export function sortAt(
  { workspace, replica }: Pick<Program, 'workspace' | 'replica'>,
  id: Id,
): PersistentSort | null {
  const list = replica.row(id)?.type === 'list' ? replica.row(id) : workspace.listOf(id);
  return fieldOf(list, 'sort') ?? null;
}

/** The outline of a sorted list, or of a task in one; null: manual order, or not loaded yet. */
function sortedOutline(program: Program, root: Id): Outline | null {
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
    // The next visit tries again.
    () => undefined,
  );
  return null;
}

/** Gives sorted lists their outline. */
export const sortedLists = definePart({
  name: 'Sorted lists',
  create(program) {
    program.workspace.sortedOutline = (root) => sortedOutline(program, root);
    return {};
  },
});
