// Replays a refused change where possible: an entity without its place goes to the Inbox, a text whose task is gone
// becomes a new task. Dropping recovered changes is elsewhere.
import { inboxId, type Id, listsRoot } from '#core/ids.ts';
import { isEntityType } from '#core/model.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import type { RecoveredItem } from '#sync/replica/ports.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { Row } from '#sync/rows/row.ts';
import { actionOf } from './unsent-actions.ts';

type Held = Pick<Replica, 'row' | 'children' | 'scope'>;

/** Fields with a person's own words: worth a new task when theirs is gone. */
const WORDS: ReadonlySet<string> = new Set(['title', 'name', 'notes']);

function createAgain(
  held: Held,
  operation: Extract<Operation, { a: 'create' | 'reoffer' }>,
  newId: Id,
  isMade: (id: Id) => boolean = () => false,
): Action | null {
  const { type, place, createdAt } = operation;
  if (!isEntityType(type)) return null;
  const { del: _del, ...fields } = operation.fields;
  const isHere = place !== undefined && (isMade(place.parent) || held.row(place.parent) !== undefined);
  const root = type === 'task' ? inboxId(held.scope) : type === 'list' ? listsRoot(held.scope) : null;
  const parent = isHere ? place.parent : root;
  if (place !== undefined && parent === null) return null;
  const id = held.row(operation.id) === undefined ? newId : operation.id;
  return {
    a: 'create',
    id,
    type,
    fields,
    ...(parent === null || place === undefined ? {} : { place: { parent } }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
}

/** The action that replays the change; null when its target no longer exists. */
export function reapplyAction(held: Held, { operation }: RecoveredItem, newId: Id): Action | null {
  if (operation.a === 'create' || operation.a === 'reoffer') return createAgain(held, operation, newId);
  const row = held.row(operation.id);
  const action = actionOf(operation);
  if (action.a === 'set') {
    if (row) return action;
    if (!WORDS.has(action.field) || typeof action.value !== 'string') return null;
    const field = action.field === 'notes' ? 'notes' : 'title';
    const fields = { [field]: action.value };
    return { a: 'create', id: newId, type: 'task', fields, place: { parent: inboxId(held.scope) } };
  }
  if (!row) return null;
  if (operation.a !== 'place') return action;
  return { a: 'place', id: row.id, place: { parent: topOf(held, row) } };
}

/**
 * The actions that replay changes together, in order; null for each that cannot be. What is made again takes along what
 * was made in it, written on it and changed about it afterwards: the same tree, not single tasks.
 */
export function reapplyTogether(
  held: Held,
  items: readonly RecoveredItem[],
  newId: () => Id,
): readonly (Action | null)[] {
  const ids = new Map<Id, Id>();
  const made = new Set<Id>();
  return items.map((item) => {
    const { operation } = item;
    if (operation.a === 'create' || operation.a === 'reoffer') {
      const again = createAgain(held, inMade(operation, ids), newId(), (id) => made.has(id));
      if (again === null) return null;
      ids.set(operation.id, again.id);
      made.add(again.id);
      return again;
    }
    const id = held.row(operation.id) === undefined ? ids.get(operation.id) : undefined;
    if (id === undefined) {
      const again = reapplyAction(held, item, newId());
      // A text whose task is gone becomes a new one: what else was written in that task goes there, too.
      if (again?.a === 'create') ids.set(operation.id, again.id);
      return again;
    }
    // Where it was made again is where it stays, unless what it went to was made again, too.
    const action = actionOf(operation);
    if (action.a !== 'place') return { ...action, id };
    const parent = ids.get(action.place.parent);
    return parent === undefined ? null : { a: 'place', id, place: { parent } };
  });
}

type Creation = Extract<Operation, { a: 'create' | 'reoffer' }>;

/** The creation as it is beneath what was made again, with the labels that were. */
function inMade(operation: Creation, ids: ReadonlyMap<Id, Id>): Creation {
  if (ids.size === 0) return operation;
  const named = (name: string) => {
    const label = name.startsWith('label:') ? ids.get(name.slice('label:'.length) as Id) : undefined;
    return label === undefined ? name : `label:${label}`;
  };
  const entries = Object.entries(operation.fields).map(([name, value]) => [named(name), value] as const);
  const parent = operation.place && ids.get(operation.place.parent);
  const place = parent === undefined ? {} : { place: { parent } };
  return { ...operation, fields: Object.fromEntries(entries), ...place };
}

/** Tasks whose place is not here, and is not made with them, go to the Inbox. */
export function atHome(held: Held, actions: readonly Action[]): readonly Action[] {
  const made = new Set(actions.flatMap((action) => (action.a === 'create' ? action.id : [])));
  return actions.map((action) => {
    if (action.a !== 'create' || action.type !== 'task' || action.place === undefined) return action;
    const { parent } = action.place;
    if (made.has(parent) || held.row(parent) !== undefined) return action;
    return { ...action, place: { parent: inboxId(held.scope) } };
  });
}

/** Where what cannot go to its place goes in its own scope: to the Inbox, or to the list of a scope that has none. */
function topOf(held: Held, { type, scope }: Row): Id {
  const inbox = inboxId(scope);
  if (type !== 'task') return listsRoot(scope);
  return held.row(inbox) === undefined ? (held.children(listsRoot(scope))[0]?.id ?? inbox) : inbox;
}
