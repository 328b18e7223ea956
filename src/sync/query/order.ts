// Sort keys of results: date, creation, title, label or duration. Tasks without a value come last in both directions;
// equal ones stay in the order of creation. A snoozed task stands at the day it comes back, if that is after its due date.
import type { Id } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import type { SearchSort } from '#core/search/query.ts';
import { fieldOf } from '../rows/row.ts';
import { nameOf, placeOf } from '../rows/row-reading.ts';
import { NumberColumn } from './columns.ts';
import type { SlotOrder } from './slot-order.ts';
import { TimeLine, zoneClock } from './slot-test.ts';
import { bits, type TaskIndex } from './task-index.ts';
import { isDayCode, type ZoneClock } from './when-code.ts';
import type { World } from './world.ts';

/** The order for a sort; null: the order of creation. */
export function orderOf(world: World, sort: SearchSort | null): SlotOrder {
  const { index } = world;
  const sign = sort?.order === 'desc' ? -1 : 1;
  if (sort === null) return byNumber(index, sign, (slot) => index.created.at(slot));
  switch (sort.field) {
    case 'due-date':
    case 'start-date': {
      const dateOf = sort.field === 'due-date' ? standingDate(world) : (slot: number) => index.start.at(slot);
      const clock = zoneClock(world.context().zone);
      return byNumber(index, sign, (slot) => wallOf(dateOf(slot), clock));
    }
    case 'alphabetically':
      return byText(index, sign, (slot) => titleAt(index, slot));
    case 'label':
      return byText(index, sign, labelKeys(index));
    case 'assignee':
      return byText(index, sign, assigneeNames(world));
    case 'creation-date':
      return byNumber(index, sign, (slot) => index.created.at(slot));
    default: {
      const column = index.scalars[sort.field];
      return byNumber(index, sign, (slot) => column.at(slot));
    }
  }
}

/**
 * The date, as a code, at which a task stands among others that are sorted by due date: when it is due, or when it comes
 * back from a snooze that ends later or has no due date. NaN: neither.
 */
export function standingDate(world: World): (slot: number) => number {
  const { index } = world;
  let context = world.context();
  let line = new TimeLine({ context });
  return (slot) => {
    const due = index.due.at(slot);
    if ((index.bitsAt(slot) & bits.snooze) === 0) return due;
    const present = world.context();
    if (present.now !== context.now) line = new TimeLine({ context: present });
    context = present;
    const clock = zoneClock(context.zone);
    const snooze = index.snooze.at(slot);
    if (!line.isAhead(snooze)) return due;
    return Number.isNaN(due) || wallOf(due, clock) < wallOf(snooze, clock) ? snooze : due;
  };
}

/** The name of who does a task. Somebody whom no list knows has none, as on the screen. */
function assigneeNames(world: World): (slot: number) => string | null {
  const names = new Map<number, string>();
  for (const { account, name } of world.people())
    if (!names.has(account) && name !== '') names.set(account, fold(name));
  return (slot) => names.get(fieldOf(world.index.rowAt(slot), 'assignee') ?? 0) ?? null;
}

function byNumber(index: TaskIndex, sign: 1 | -1, keyOf: (slot: number) => number): SlotOrder {
  const keys = new NumberColumn(index.size);
  return {
    learn: (slot) => keys.set(slot, keyOf(slot)),
    compare(a, b) {
      const x = keys.at(a);
      const y = keys.at(b);
      if (x === y) return byCreation(index, a, b);
      // NaN equals none, itself included.
      if (Number.isNaN(x)) return Number.isNaN(y) ? byCreation(index, a, b) : 1;
      return Number.isNaN(y) ? -1 : (x - y) * sign;
    },
  };
}

function byText(index: TaskIndex, sign: 1 | -1, keyOf: (slot: number) => string | null): SlotOrder {
  const keys: (string | null)[] = [];
  return {
    learn(slot) {
      while (keys.length <= slot) keys.push(null);
      keys[slot] = keyOf(slot);
    },
    compare(a, b) {
      const x = keys[a] ?? null;
      const y = keys[b] ?? null;
      if (x === y) return byCreation(index, a, b);
      if (x === null) return 1;
      return y === null ? -1 : x < y ? -sign : sign;
    },
  };
}

function byCreation(index: TaskIndex, a: number, b: number): number {
  const apart = index.created.at(a) - index.created.at(b);
  if (apart !== 0) return apart;
  const x = index.idAt(a) ?? '';
  const y = index.idAt(b) ?? '';
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The person's wall clock, as if it were UTC; a day comes before its hours. */
function wallOf(code: number, clock: ZoneClock): number {
  if (Number.isNaN(code)) return code;
  const whole = Math.floor(code);
  if (whole === code) return clock.wallAt(code);
  return isDayCode(code) ? whole - 1 : whole;
}

function titleAt(index: TaskIndex, slot: number): string {
  const text = index.textAt(slot);
  if ((index.bitsAt(slot) & bits.notes) === 0) return text;
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

/** Sorts by the first of a task's labels, in the order of labels. */
function labelKeys(index: TaskIndex): (slot: number) => string | null {
  const known = new Map<Id, string | null>();
  const keyOf = (label: Id): string | null => {
    let key = known.get(label);
    if (key === undefined) {
      const row = index.named.get(label);
      key = row?.type === 'label' ? `${placeOf(row)?.key ?? ''} ${nameOf(row)}` : null;
      known.set(label, key);
    }
    return key;
  };
  return (slot) => {
    let best: string | null = null;
    for (const label of index.labelsAt(slot)) {
      const key = keyOf(label);
      if (key !== null && (best === null || key < best)) best = key;
    }
    return best;
  };
}
