// Rows in a plain map, as `apply` needs to see them: every look is a walk over all of them.
import type { Id } from '#core/ids.ts';
import { registerChecks } from '#wire/registers.ts';
import type { ApplyState } from '#sync/rows/apply.ts';
import type { Sibling } from '#sync/rows/placement.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';

export class Table implements ApplyState {
  readonly checks = registerChecks;
  readonly rows = new Map<Id, Row>();
  readonly purged = new Set<Id>();

  row(id: Id): Row | undefined {
    return this.rows.get(id);
  }

  absence(id: Id): 'unknown' | 'purged' | 'elsewhere' {
    return this.purged.has(id) ? 'purged' : 'unknown';
  }

  put(row: Row): void {
    this.rows.set(row.id, row);
  }

  neighbour(
    parent: Id,
    from: string | null,
    direction: 'ascending' | 'descending',
    skip: Id,
  ): Sibling | undefined {
    const siblings = this.children(parent).filter(({ id }) => id !== skip);
    if (direction === 'ascending') return siblings.find(({ key }) => from === null || key > from);
    return siblings.findLast(({ key }) => from === null || key < from);
  }

  children(parent: Id): Sibling[] {
    const siblings: Sibling[] = [];
    for (const row of this.rows.values()) {
      const place = fieldOf(row, 'place');
      if (place?.parent === parent) siblings.push({ id: row.id, key: place.key });
    }
    return siblings.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }
}
