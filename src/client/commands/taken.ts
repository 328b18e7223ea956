// What was put on the clipboard is pasted as the tasks that it was made of, with all there is about them: those that were cut
// go there themselves, of those that were copied there are copies. Text alone would lose their dates and labels.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import type { Action, Position } from '#sync/operation.ts';
import { isShown, isTrashed } from '#sync/row-reading.ts';
import { whyNot } from '../importing.ts';
import type { Program } from '../program.ts';
import type { CommandResult } from './command.ts';
import { copyActions } from './copies.ts';
import { announced, refused } from './define.ts';
import { inBatches } from './rows.ts';

export interface TakenTasks {
  /** As it was put on the clipboard. */
  readonly text: string;
  readonly ids: readonly Id[];
}

/** Programs and systems write line ends in their own way. */
const plain = (text: string) => text.replaceAll(/\r\n?/g, '\n').trimEnd();

/** Pastes the tasks that this text stands for; null where it is text of another origin, or they read differently by now. */
export function pasteTaken(
  program: Program,
  text: string,
  where: Position,
  {
    fields,
    readAs,
  }: {
    readonly fields?: Readonly<Record<string, unknown>> | undefined;
    readonly readAs: (ids: readonly Id[]) => string;
  },
): CommandResult | null {
  const { taken, replica } = program;
  if (taken === null || plain(taken.text) !== plain(text)) return null;
  const rows = taken.ids.map((id) => replica.row(id));
  if (rows.every((row) => row !== undefined && isTrashed(row)))
    return putBack(program, taken.ids, where, fields);
  const isAsCopied = rows.every(isShown) && plain(readAs(taken.ids)) === plain(text);
  return isAsCopied ? putCopies(program, taken.ids, where, fields) : null;
}

function putCopies(
  program: Program,
  ids: readonly Id[],
  where: Position,
  fields: Readonly<Record<string, unknown>> = {},
): CommandResult | null {
  let place = where;
  const actions: Action[] = [];
  let first: Id | undefined;
  for (const id of ids) {
    const [copy, ...rest] = copyActions(program, id, place);
    if (copy?.a !== 'create') continue;
    actions.push({ ...copy, fields: { ...fields, ...copy.fields } }, ...rest);
    first ??= copy.id;
    place = { ...place, after: copy.id };
  }
  const count = actions.filter((action) => action.a === 'create' && action.type === 'task').length;
  const name = counted(count, 'task');
  if (inBatches(program, actions, `pasted ${name}`).size > 0) return null;
  if (first !== undefined && program.workspace.outline.has(first)) program.moveTo(first);
  return announced(`Pasted ${name}.`);
}

/** Takes tasks out of the trash and puts them there, one after the other. What that place asks for they get unless they have some. */
export function putBack(
  program: Program,
  ids: readonly Id[],
  where: Position,
  fields: Readonly<Record<string, unknown>> = {},
): CommandResult {
  let place = where;
  const actions: Action[] = [];
  for (const id of ids) {
    actions.push({ a: 'restore', id }, { a: 'place', id, place });
    const own = program.replica.row(id)?.fields ?? {};
    for (const [field, value] of Object.entries(fields))
      if ((own[field] ?? null) === null) actions.push({ a: 'set', id, field, value });
    place = { ...place, after: id };
  }
  const name = program.describe(ids);
  const failed = inBatches(program, actions, `moved ${name}`);
  if (failed.size > 0) return refused(`${name} could not be put here${whyNot(failed)}.`);
  const [first] = ids;
  if (first !== undefined && program.workspace.outline.has(first)) program.moveTo(first);
  return announced(`Moved ${name}.`);
}
