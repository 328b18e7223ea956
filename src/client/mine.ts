// What is the person's own about a task: reading it, and the actions that change it whether it exists yet or not.
import { mineId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import type { Replica } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';

export function mineOf(replica: Replica, task: Id): Row | undefined {
  return replica.row(mineId(replica.scope, task));
}

/** Sets registers of one's own row about a task; the row is made where there is none. */
export function setMine(replica: Replica, of: Id, values: Readonly<Record<string, unknown>>): Action[] {
  const id = mineId(replica.scope, of);
  if (replica.row(id) === undefined) {
    const given = Object.entries(values).filter(([, value]) => value !== null);
    return [{ a: 'create', id, type: 'mine', fields: { of, ...Object.fromEntries(given) } }];
  }
  return Object.entries(values).map(([field, value]) => ({ a: 'set', id, field, value }) as Action);
}
