// The values that rows of a sorted list are compared by. What has no value stands last, both ways round; equals keep the order
// in which they were put by hand.
import type { Id } from '#core/ids.ts';
import type { PersistentSort, SortField } from '#core/model.ts';
import { fold } from '#core/search/fold.ts';
import type { When } from '#core/when.ts';
import type { Row } from '#sync/row.ts';
import { placeOf } from '#sync/row-reading.ts';
import { labelName } from '../labels/catalog.ts';
import { nameOf } from '../row-facts.ts';
import type { Workspace } from '../workspace.ts';

type Key = number | string | null;

interface Reading {
  readonly replica: Workspace['replica'];
  momentOf(when: When): number;
  /** Labels that the person has put on a task for themselves. */
  readonly ownLabelsOf: (task: Id) => readonly Id[];
}

/** What a row is compared by. */
export function keyOf(row: Row, field: SortField, reading: Reading): Key {
  const { fields } = row;
  const date = (when: unknown) =>
    when === undefined || when === null ? null : reading.momentOf(when as When);
  switch (field) {
    case 'due-date':
      return date(fields.due);
    case 'start-date':
      return date(fields.start);
    case 'creation-date':
      return row.createdAt;
    case 'alphabetically':
      return nameOf(row) === '' ? null : fold(nameOf(row));
    case 'duration':
      return (fields.duration as number | null | undefined) ?? null;
    case 'label':
      return labelKey(row, reading);
  }
}

/** The first of its labels in the order in which labels stand. */
function labelKey({ id: task, fields }: Row, { replica, ownLabelsOf }: Reading): string | null {
  let best: string | null = null;
  const carried = Object.keys(fields).filter(
    (register) => register.startsWith('label:') && fields[register] === true,
  );
  for (const id of [...carried.map((register) => register.slice(6) as Id), ...ownLabelsOf(task)]) {
    const label = replica.row(id);
    if (label?.type !== 'label') continue;
    const key = `${placeOf(label)?.key ?? ''} ${labelName(label)}`;
    if (best === null || key < best) best = key;
  }
  return best;
}

export function compareKeys(a: Key, b: Key, { order }: PersistentSort): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return (a < b ? -1 : 1) * (order === 'desc' ? -1 : 1);
}
