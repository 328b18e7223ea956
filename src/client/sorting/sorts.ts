// The orders a list can be kept in: what they are called, and the values that rows are compared by. What has no value stands
// last, both ways round; equals keep the order in which they were put by hand.
import type { PersistentSort, SortField } from '#core/model.ts';
import type { Id } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import type { When } from '#core/when.ts';
import type { Row } from '#sync/row.ts';
import { placeOf } from '../children.ts';
import { labelName } from '../labels/catalog.ts';
import { nameOf } from '../row-facts.ts';
import type { Workspace } from '../workspace.ts';

const NAMES: Readonly<Record<SortField, readonly [name: string, asc: string, desc: string]>> = {
  'due-date': ['Due date', 'soonest first', 'latest first'],
  'start-date': ['Start date', 'soonest first', 'latest first'],
  'creation-date': ['Creation date', 'oldest first', 'newest first'],
  alphabetically: ['Title', 'A to Z', 'Z to A'],
  label: ['Label', 'in their order', 'the other way round'],
  duration: ['Duration', 'shortest first', 'longest first'],
};

export const BY_HAND = 'by-hand';

/** What a list can be sorted by, for choosing among. */
export const sortChoices: readonly { readonly value: string; readonly title: string }[] = [
  { value: BY_HAND, title: 'By hand' },
  ...Object.entries(NAMES).flatMap(([field, [name, asc, desc]]) => [
    { value: `${field} asc`, title: `${name}, ${asc}` },
    { value: `${field} desc`, title: `${name}, ${desc}` },
  ]),
];

/** Null: by hand; undefined: the text is none of the choices. */
export function sortOf(value: string): PersistentSort | null | undefined {
  if (value === BY_HAND) return null;
  if (!sortChoices.some((choice) => choice.value === value)) return undefined;
  const [field, order] = value.split(' ');
  return { field, order } as PersistentSort;
}

export function valueOf(sort: PersistentSort | null | undefined): string {
  return sort ? `${sort.field} ${sort.order}` : BY_HAND;
}

/** "due date, soonest first" */
export function saySort({ field, order }: PersistentSort): string {
  const [name, asc, desc] = NAMES[field];
  return `${name.toLowerCase()}, ${order === 'asc' ? asc : desc}`;
}

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
