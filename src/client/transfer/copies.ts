// Copies of tasks with all their fields and descendants; files and the history stay with the original.
import { mineId, type Id } from '#core/ids.ts';
import type { Action, Position } from '#sync/rows/operation.ts';
import { isShown } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import { mineOf } from '../outline/personal-fields.ts';
import type { Program } from '../app/program.ts';

/** Registers that are not copied. */
const LEFT_BEHIND: ReadonlySet<string> = new Set([
  'place',
  'del',
  'notesDoc',
  'origin',
  'mailAddress',
  'occ',
]);

const taken = ({ fields }: Row, keeps: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => keeps(name)));

/** Copies the personal fields: snooze, and private labels. */
function ownCopy({ replica }: Program, original: Id, of: Id): readonly Action[] {
  const mine = mineOf(replica, original);
  const kept = mine
    ? taken(mine, (name) => name === 'snooze' || name === 'snoozeCount' || name.startsWith('label:'))
    : {};
  if (Object.keys(kept).length === 0) return [];
  return [{ a: 'create', id: mineId(replica.scope, of), type: 'mine', fields: { of, ...kept } }];
}

/** The actions that copy a task, the task itself first. Includes snoozed subtasks, omits cleared ones. */
export function copyActions(program: Program, start: Id, where: Position): readonly Action[] {
  const { replica } = program;
  const actions: Action[] = [];
  const waiting: { readonly id: Id; readonly place: Position }[] = [{ id: start, place: where }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const row = replica.row(next.id);
    if (row?.type !== 'task') continue;
    const id = replica.newId();
    const fields = taken(row, (name) => !LEFT_BEHIND.has(name));
    actions.push({ a: 'create', id, type: 'task', fields, place: next.place });
    actions.push(...ownCopy(program, row.id, id));
    for (const child of replica.children(row.id).filter(isShown).toReversed())
      waiting.push({ id: child.id, place: { parent: id } });
  }
  return actions;
}
