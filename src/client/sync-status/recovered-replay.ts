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
): Action | null {
  const { type, place, createdAt } = operation;
  if (!isEntityType(type)) return null;
  const { del: _del, ...fields } = operation.fields;
  const isHere = place !== undefined && held.row(place.parent) !== undefined;
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

/** Where what cannot go to its place goes in its own scope: to the Inbox, or to the list of a scope that has none. */
function topOf(held: Held, { type, scope }: Row): Id {
  const inbox = inboxId(scope);
  if (type !== 'task') return listsRoot(scope);
  return held.row(inbox) === undefined ? (held.children(listsRoot(scope))[0]?.id ?? inbox) : inbox;
}
