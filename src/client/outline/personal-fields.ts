// A person's own fields of a task: reading them, and the actions that set them whether their row exists or not.
import { mineId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { MineRow } from '#sync/rows/row.ts';

/** The person's own row of a task; undefined without one. */
export function mineOf(replica: Pick<Replica, 'row' | 'scope'>, task: Id): MineRow | undefined {
  const row = replica.row(mineId(replica.scope, task));
  return row?.type === 'mine' ? row : undefined;
}

/** Sets registers of the personal row of a task; creates the row if there is none. */
export function setMine(replica: Replica, of: Id, values: Readonly<Record<string, unknown>>): Action[] {
  const id = mineId(replica.scope, of);
  if (replica.row(id) === undefined) {
    const given = Object.entries(values).filter(([, value]) => value !== null);
    return [{ a: 'create', id, type: 'mine', fields: { of, ...Object.fromEntries(given) } }];
  }
  return Object.entries(values).map(([field, value]) => ({ a: 'set', id, field, value }) as Action);
}
