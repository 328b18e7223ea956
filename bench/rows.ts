// Stored rows for a dataset, as a device that made all its tasks itself would hold them.
import { generateNKeysBetween } from 'fractional-indexing';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import { asRow, type Fields, type Row } from '#sync/rows/row.ts';
import { type Dataset, openCount } from './datasets.ts';
import { taskTitle } from './tasks.ts';

export interface RowPorts {
  readonly scope: Id;
  readonly now: number;
  readonly newId: () => Id;
}

/** The Inbox holds the first tasks; the others lie in lists of the same size behind it. */
export function rowsOf(dataset: Dataset, { scope, now, newId }: RowPorts): Row[] {
  const rows: Row[] = [];
  const add = (id: Id, type: EntityType, fields: Fields): void => {
    const seq = rows.length + 1;
    rows.push(
      asRow({
        id,
        type,
        scope,
        version: 1,
        fields,
        stamp: [1, now, 0, seq],
        createdAt: now,
        updatedAt: now,
      }),
    );
  };
  const perList = openCount(dataset);
  const listKeys = generateNKeysBetween(null, null, dataset.lists);
  const taskKeys = generateNKeysBetween(null, null, perList);
  for (let list = 0; list < dataset.lists; list += 1) {
    const isInbox = list === 0;
    const id = isInbox ? inboxId(scope) : newId();
    const place = { parent: listsRoot(scope), key: listKeys[list] ?? '' };
    add(
      id,
      'list',
      isInbox ? { listType: 'inbox', place } : { listType: 'list', name: `List ${list}`, place },
    );
    const end = Math.min(dataset.tasks, (list + 1) * perList);
    for (let task = list * perList; task < end; task += 1) {
      add(newId(), 'task', {
        title: taskTitle(task),
        place: { parent: id, key: taskKeys[task - list * perList] ?? '' },
      });
    }
  }
  return rows;
}
