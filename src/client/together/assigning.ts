// Who does a task: choosing a person of its list, taking it oneself, giving it back.
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import type { Availability, CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { needsLiving } from '../commands/needs.ts';
import { inBatches, rowsOf } from '../commands/rows.ts';
import { peopleForAll } from './people.ts';

/** The answer that takes a task from everybody. */
export const NOBODY = 'nobody';

const PRIVATE = 'Nobody else is in this list. Share the list first, then its people can take tasks.';

function targets(program: Program): readonly Row[] {
  return rowsOf(program, program.workspace.targets()).filter(({ type }) => type === 'task');
}

/** Null: the tasks can be assigned. */
export function needsPeople(program: Program): Availability {
  const missing = needsLiving(program);
  if (missing !== null) return missing;
  const rows = targets(program);
  if (peopleForAll(program, rows).length > 0) return null;
  const isAllShared = rows.every(({ scope }) => scope !== program.replica.scope);
  return isAllShared ? 'No one is in all of these lists. Select tasks of one list.' : PRIVATE;
}

/** The people to choose from, oneself first, and nobody. */
export function assigneeChoices(
  program: Program,
): readonly { readonly value: string; readonly title: string }[] {
  const rows = targets(program);
  const people = peopleForAll(program, rows);
  const [me, others] = [people.filter(({ isMe }) => isMe), people.filter(({ isMe }) => !isMe)];
  const isAny = rows.some((row) => fieldOf(row, 'assignee') !== undefined);
  return [
    ...me.map(({ account, name }) => ({ value: `${account}`, title: `${name} (you)` })),
    ...others.map(({ account, name }) => ({ value: `${account}`, title: name })),
    ...(isAny ? [{ value: NOBODY, title: 'Nobody' }] : []),
  ];
}

/** Whom all of the tasks are assigned to, as a value of the choices; null: it differs. */
export function assigneeNow(program: Program): string | null {
  const values = new Set(targets(program).map((row) => fieldOf(row, 'assignee')));
  if (values.size !== 1) return null;
  const [account] = values;
  return account === undefined ? NOBODY : `${account}`;
}

/** Gives the tasks to a person of their list, or to nobody. */
export function assign(program: Program, value: string): CommandResult {
  const rows = targets(program);
  const person = peopleForAll(program, rows).find(({ account }) => `${account}` === value);
  if (value !== NOBODY && person === undefined)
    return refused('That person isn’t in the list. Choose another.');
  return give(program, rows, person ?? null);
}

/** Takes the tasks oneself; gives them back if all of them are one’s own. */
export function take(program: Program): CommandResult {
  const rows = targets(program);
  const me = peopleForAll(program, rows).find(({ isMe }) => isMe);
  if (me === undefined) return refused(PRIVATE);
  const areMine = rows.every((row) => fieldOf(row, 'assignee') === me.account);
  return give(program, rows, areMine ? null : me);
}

function give(
  program: Program,
  rows: readonly Row[],
  person: { readonly account: number; readonly name: string; readonly isMe: boolean } | null,
): CommandResult {
  const value = person?.account ?? null;
  const changed = rows.filter((row) => (fieldOf(row, 'assignee') ?? null) !== value);
  const name = program.describe(rows.map(({ id }) => id));
  const to = person === null ? 'nobody' : person.isMe ? 'you' : person.name;
  if (changed.length === 0) return refused(`${name} is assigned to ${to} already.`, 'info');
  const said =
    person === null ? `unassigned ${name}` : person.isMe ? `took ${name}` : `assigned ${name} to ${to}`;
  inBatches(
    program,
    changed.map(({ id }) => ({ a: 'set', id, field: 'assignee', value })),
    said,
  );
  return announced(`${said.slice(0, 1).toUpperCase()}${said.slice(1)}.`);
}
