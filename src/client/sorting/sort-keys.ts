// Sort keys of rows. Rows without a value come last in both directions; equal rows keep their manual order.
import type { Id } from '#core/ids.ts';
import type { PersistentSort, ScalarName, SortField } from '#core/model.ts';
import { rankOf } from '#core/task-fields.ts';
import { fold } from '#core/search/fold.ts';
import type { When } from '#core/when.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { labelName } from '../labels/catalog.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { Workspace } from '../app/workspace.ts';

type Key = number | string | null;

interface Reading {
  readonly replica: Workspace['replica'];
  momentOf(when: When): number;
  /** Private labels of a task. */
  readonly ownLabelsOf: (task: Id) => readonly Id[];
}

/** The sort key of a row. */
export function keyOf(row: Row, field: SortField, reading: Reading): Key {
  const date = (when: When | undefined) => (when === undefined ? null : reading.momentOf(when));
  switch (field) {
    case 'due-date':
      return date(fieldOf(row, 'due'));
    case 'start-date':
      return date(fieldOf(row, 'start'));
    case 'creation-date':
      return row.createdAt;
    case 'alphabetically':
      return nameOf(row) === '' ? null : fold(nameOf(row));
    case 'label':
      return labelKey(row, reading);
    default:
      return rankIn(row, field);
  }
}

function rankIn(row: Row, field: ScalarName): number | null {
  const rank = row.type === 'task' ? rankOf(row.fields, field) : Number.NaN;
  return Number.isNaN(rank) ? null : rank;
}

/** The first of its labels in the order of labels. */
function labelKey(row: Row, { replica, ownLabelsOf }: Reading): string | null {
  let best: string | null = null;
  const fields = registersOf(row);
  const carried = Object.keys(fields).filter(
    (register) => register.startsWith('label:') && fields[register] === true,
  );
  for (const id of [...carried.map((register) => register.slice(6) as Id), ...ownLabelsOf(row.id)]) {
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
