// Pastes tasks from the clipboard with all their fields: cut tasks are moved, copied ones are duplicated. The text
// alone would lose dates and labels.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import type { Action, Position } from '#sync/rows/operation.ts';
import { isShown, isTrashed } from '#sync/rows/row-reading.ts';
import { whyNot } from './importing.ts';
import { definePart } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from '../commands/command.ts';
import { copyActions } from './copies.ts';
import { announced, refused } from '../commands/define.ts';
import { inBatches } from '../commands/rows.ts';
import { registersOf } from '#sync/rows/row.ts';

export interface TakenTasks {
  /** The text on the clipboard. */
  readonly text: string;
  readonly ids: readonly Id[];
}

/** The tasks that were copied or cut last. */
export const taskClipboard = definePart({
  name: 'Task clipboard',
  create: (): { taken: TakenTasks | null } => ({ taken: null }),
});

/** Line ends differ between programs and systems. */
const plain = (text: string) => text.replaceAll(/\r\n?/g, '\n').trimEnd();

/** Pastes the tasks that this text was made from; null if the text has another origin, or the tasks have changed. */
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
  const { replica } = program;
  const { taken } = program.part(taskClipboard);
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

/**
 * Restores tasks from the trash and moves them there, in order. They get the values that the place requires, unless
 * they have their own.
 */
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
    const own = registersOf(program.replica.row(id));
    for (const [field, value] of Object.entries(fields))
      if ((own[field] ?? null) === null) actions.push({ a: 'set', id, field, value });
    place = { ...place, after: id };
  }
  const name = program.describe(ids);
  const failed = inBatches(program, actions, `moved ${name}`);
  if (failed.size > 0) return refused(`Couldn’t put ${name} here${whyNot(failed)}.`);
  const [first] = ids;
  if (first !== undefined && program.workspace.outline.has(first)) program.moveTo(first);
  return announced(`Moved ${name}.`);
}
