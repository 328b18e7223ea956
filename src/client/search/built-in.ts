// Today and Upcoming: the two smart lists that everybody has. Each is stored once it is opened; until then it is known
// here, and is an ordinary smart list from then on.
import { deriveId, type Id } from '#core/ids.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { asRow, fieldOf, type Row } from '#sync/rows/row.ts';

const definitions = {
  today: { name: 'Today', query: 'is:due sort:due-date' },
  upcoming: { name: 'Upcoming', query: 'is:incomplete (due:>today OR is:snoozed) sort:due-date' },
} as const;

/** A list that everybody has. */
export type BuiltIn = keyof typeof definitions;

/** Both of them. */
export const builtIns = Object.keys(definitions) as readonly BuiltIn[];

/** The id of a built-in list; every device derives the same one. */
export const builtInId = (scope: Id, key: BuiltIn): Id => deriveId('smart list', scope, key);

/** Under which late tasks are counted, as if they were a list. */
export const lateId = 'late' as Id;

/** Under which what Today leaves out until later is counted, as if it were a list. */
export const asleepId = 'asleep' as Id;

/** Which built-in list has the id; null: none. */
export function builtInOf(scope: Id, id: Id): BuiltIn | null {
  return builtIns.find((key) => builtInId(scope, key) === id) ?? null;
}

/** What a built-in list holds when it is stored. */
export const fieldsOf = (key: BuiltIn) => ({ listType: 'smart', ...definitions[key] });

/** Whether the list still asks what it asked from the beginning. */
export const isAsBuilt = (row: Row | undefined, key: BuiltIn): boolean =>
  fieldOf(row, 'query') === definitions[key].query;

/** The built-in lists that are not stored yet, as the rows that they will be. */
export function missingBuiltIns(replica: Pick<Replica, 'scope' | 'row'>): readonly Row[] {
  const { scope } = replica;
  const stamp = [0, 0, 0, 0] as const;
  return builtIns.flatMap((key) => {
    const id = builtInId(scope, key);
    if (replica.row(id) !== undefined) return [];
    const fields = fieldsOf(key);
    return asRow({ id, type: 'list', scope, version: 0, fields, stamp, createdAt: 0, updatedAt: 0 });
  });
}
