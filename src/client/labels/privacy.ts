// Decides where a label is written: a shared one on the task, for everybody who sees it; a private one in the person's
// own row of the task. Every change passes here, so that nothing private ends up on a task.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { mineOf, setMine } from '../outline/personal-fields.ts';
import { groupOf, isExclusive } from './catalog.ts';
import { registersOf } from '#sync/rows/row.ts';

const PREFIX = 'label:';

/** The label of a register; null: it is another register. */
function labelIn(register: string): Id | null {
  return register.startsWith(PREFIX) ? (register.slice(PREFIX.length) as Id) : null;
}

/** Labels of the exclusive group on the other row of the task: choosing one replaces them too. */
function replacedIn(replica: Replica, fields: Readonly<Record<string, unknown>>, label: Id): string[] {
  const row = replica.row(label);
  const group = row ? groupOf(replica, row) : null;
  if (group === null || !isExclusive(group)) return [];
  return replica
    .children(group.id)
    .map(({ id }) => PREFIX + id)
    .filter((register) => register !== PREFIX + label && fields[register] === true);
}

/** The same actions, with private labels moved to the person's own row. */
export function keptPrivate(
  replica: Replica,
  privates: ReadonlySet<Id>,
  actions: readonly Action[],
): readonly Action[] {
  return actions.flatMap((action): readonly Action[] => {
    if (action.a === 'create' && action.type === 'task') return splitCreation(replica, privates, action);
    if (action.a !== 'set' || action.only !== undefined) return [action];
    const label = labelIn(action.field);
    const task = replica.row(action.id);
    if (label === null || task?.type !== 'task') return [action];
    const own = registersOf(mineOf(replica, task.id));
    const clearedHere = own[action.field] === true ? { [action.field]: null } : {};
    if (action.value !== true)
      return own[action.field] === true ? [action, ...setMine(replica, task.id, clearedHere)] : [action];
    if (!privates.has(label)) {
      const replaced = replacedIn(replica, own, label).map((register) => [register, null] as const);
      const cleared = { ...clearedHere, ...Object.fromEntries(replaced) };
      return Object.keys(cleared).length === 0 ? [action] : [action, ...setMine(replica, task.id, cleared)];
    }
    const there = [
      ...(registersOf(task)[action.field] === true ? [action.field] : []),
      ...replacedIn(replica, task.fields, label),
    ];
    return [
      ...setMine(replica, task.id, { [action.field]: true }),
      ...there.map((field): Action => ({ a: 'set', id: task.id, field, value: null })),
    ];
  });
}

function splitCreation(
  replica: Replica,
  privates: ReadonlySet<Id>,
  action: Extract<Action, { readonly a: 'create' }>,
): readonly Action[] {
  const isOwn = (register: string) => privates.has(labelIn(register) ?? ('' as Id));
  const entries = Object.entries(action.fields);
  const own = entries.filter(([register, value]) => value === true && isOwn(register));
  if (own.length === 0) return [action];
  const fields = Object.fromEntries(entries.filter(([register]) => !isOwn(register)));
  return [{ ...action, fields }, ...setMine(replica, action.id, Object.fromEntries(own))];
}
