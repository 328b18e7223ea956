// A plain recomputation of the outline, to compare the incremental one with, and seeded randomness to drive both.
import type { Id } from '#core/ids.ts';
import type { RowView } from '#client/app/view.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { fieldOf } from '#sync/rows/row.ts';

/** Mulberry32: small, seeded, good enough to choose keys. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export interface Line {
  readonly id: Id;
  readonly level: number;
  readonly posInSet: number;
  readonly setSize: number;
  readonly expanded: boolean | null;
  readonly childCount: number;
}

/** The outline of a root, worked out from nothing. */
export function naiveLines(replica: Pick<Replica, 'children' | 'all'>, root: Id): Line[] {
  const shown = (parent: Id) =>
    replica
      .children(parent)
      .filter(
        (row) =>
          row.type === 'task' &&
          !row.fields.del &&
          !(row.fields.status as { cleared?: number } | undefined)?.cleared,
      );
  const mine = [...replica.all()].filter((row) => row.type === 'mine' && row.fields.collapsed === true);
  const collapsed = new Set(mine.map((row) => fieldOf(row, 'of')));
  const lines: Line[] = [];
  const visit = (parent: Id, level: number) => {
    const rows = shown(parent);
    rows.forEach((row, index) => {
      const under = shown(row.id);
      const isCollapsed = collapsed.has(row.id);
      const expanded = under.length === 0 ? null : !isCollapsed;
      lines.push({
        id: row.id,
        level,
        posInSet: index + 1,
        setSize: rows.length,
        expanded,
        childCount: under.length,
      });
      if (!isCollapsed) visit(row.id, level + 1);
    });
  };
  visit(root, 1);
  return lines;
}

export function shownLines(rows: readonly RowView[]): Line[] {
  return rows.map(({ id, level, posInSet, setSize, expanded, childCount }) => ({
    id,
    level,
    posInSet,
    setSize,
    expanded,
    childCount,
  }));
}

/** Open tasks that a list shows, collapsed ones included. */
export function naiveCount(replica: Pick<Replica, 'children' | 'all'>, list: Id): number {
  let open = 0;
  for (const row of replica.children(list)) {
    const status = fieldOf(row, 'status');
    if (row.type !== 'task' || row.fields.del || status?.cleared !== undefined) continue;
    open += (status ? 0 : 1) + naiveCount(replica, row.id);
  }
  return open;
}
