// The order of results: by date, creation, title, label or duration. What has no such value comes last, both ways round;
// what is equal stays in the order of creation.
import type { Id } from '#core/ids.ts';
import type { PersistentSort } from '#core/model.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import { nameOf } from '../row-reading.ts';
import type { World } from './world.ts';

type Key = number | string | null;

export interface Sorter {
  keyOf(id: Id): Key;
  readonly compare: (a: Sorted, b: Sorted) => number;
  /** The first `most` in order; null: all. */
  sorted(ids: readonly Id[], most: number | null): Id[];
}

export interface Sorted {
  readonly id: Id;
  readonly key: Key;
  readonly createdAt: number;
}

/** Null: in the order of creation. */
export function sorterOf(world: World, sort: PersistentSort | null): Sorter {
  const field = sort?.field ?? 'creation-date';
  const sign = sort?.order === 'desc' ? -1 : 1;
  const { zone } = world.context();
  const keyOf = (id: Id) => keyFor(world, field, id, zone);
  const compare = (a: Sorted, b: Sorted) => {
    if (a.key !== b.key) {
      if (a.key === null) return 1;
      if (b.key === null) return -1;
      return (a.key < b.key ? -1 : 1) * sign;
    }
    return a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  };
  return {
    keyOf,
    compare,
    sorted(ids, most) {
      const all = ids.map((id) => sortedOf(world, id, keyOf(id))).toSorted(compare);
      return (most === null ? all : all.slice(0, most)).map(({ id }) => id);
    },
  };
}

export function sortedOf(world: World, id: Id, key: Key): Sorted {
  return { id, key, createdAt: world.replica.row(id)?.createdAt ?? 0 };
}

function keyFor(world: World, field: PersistentSort['field'], id: Id, zone: string): Key {
  const row = world.replica.row(id);
  if (!row) return null;
  switch (field) {
    case 'due-date':
      return timeOf(row.fields.due as When | undefined, zone);
    case 'start-date':
      return timeOf(row.fields.start as When | undefined, zone);
    case 'creation-date':
      return row.createdAt;
    case 'alphabetically':
      return titleKey(world, id);
    case 'duration':
      return (row.fields.duration as number | undefined) ?? null;
    case 'label':
      return labelKey(world, id);
  }
}

function titleKey({ index }: World, id: Id): string {
  const slot = index.slotOf(id);
  const text = slot === undefined ? '' : index.textAt(slot);
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

/** The clock on the person's wall, as if it were UTC; a day comes before its hours. */
function timeOf(when: When | null | undefined, zone: string): number | null {
  if (when === null || when === undefined) return null;
  if (isDayWhen(when)) return Date.parse(`${when.on}T00:00Z`) - 1;
  if (!isInstantWhen(when)) return Date.parse(`${when.local}Z`);
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(zone);
  return when.at + offsetNanoseconds / 1e6;
}

/** By the first of its labels in the order in which labels stand. */
function labelKey(world: World, id: Id): string | null {
  const slot = world.index.slotOf(id);
  const labels = slot === undefined ? [] : world.index.labelsAt(slot);
  let best: string | null = null;
  for (const label of labels) {
    const row = world.index.named.get(label);
    if (row?.type !== 'label') continue;
    const key = `${(row.fields.place as { key?: string } | undefined)?.key ?? ''} ${nameOf(row)}`;
    if (best === null || key < best) best = key;
  }
  return best;
}
