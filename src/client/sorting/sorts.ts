// The possible orders of a list, and their names. Sort keys are in sort-keys.ts. Loaded later: the first load holds nothing of the
// table of task fields, so that a new field costs it nothing.
import type { OwnSort, PersistentSort, SortField } from '#core/model.ts';
import { eachScalar } from '#core/task-fields.ts';

const NAMES: Readonly<Record<SortField, readonly [name: string, asc: string, desc: string]>> = {
  'due-date': ['Due date', 'soonest first', 'latest first'],
  'start-date': ['Start date', 'soonest first', 'latest first'],
  'creation-date': ['Creation date', 'oldest first', 'newest first'],
  alphabetically: ['Title', 'A to Z', 'Z to A'],
  label: ['Label', 'in their order', 'reversed'],
  ...eachScalar((_, { title, orders: [asc, desc] }) => [title, asc, desc] as const),
};

const BY_HAND = 'by-hand';
const MY_ORDER = 'my-order';

/** The orders to choose from. */
export const sortChoices: readonly { readonly value: string; readonly title: string }[] = [
  { value: BY_HAND, title: 'By hand' },
  { value: MY_ORDER, title: 'My order (only you see it)' },
  ...Object.entries(NAMES).flatMap(([field, [name, asc, desc]]) => [
    { value: `${field} asc`, title: `${name}, ${asc}` },
    { value: `${field} desc`, title: `${name}, ${desc}` },
  ]),
];

/** Null: manual; undefined: the text is none of the choices. */
export function sortOf(value: string): PersistentSort | typeof MY_ORDER | null | undefined {
  if (value === BY_HAND) return null;
  if (value === MY_ORDER) return MY_ORDER;
  if (!sortChoices.some((choice) => choice.value === value)) return undefined;
  const [field, order] = value.split(' ');
  return { field, order } as PersistentSort;
}

/** The value of an order among `sortChoices`; the reverse of `sortOf`. */
export function valueOf(sort: OwnSort | null | undefined): string {
  if (typeof sort === 'string') return sort;
  return sort ? `${sort.field} ${sort.order}` : BY_HAND;
}

/** "due date, soonest first" */
export function saySort({ field, order }: PersistentSort): string {
  const [name, asc, desc] = NAMES[field];
  return `${name.toLowerCase()}, ${order === 'asc' ? asc : desc}`;
}
