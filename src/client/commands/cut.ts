// What was cut goes elsewhere: the tasks themselves, with all there is about them, as long as the clipboard still holds
// their text and they still lie in the trash. Text alone would lose their dates, labels and files.
import type { Id } from '#core/ids.ts';
import type { Action, Position } from '#sync/operation.ts';
import { isTrashed } from '#sync/row-reading.ts';
import { whyNot } from '../importing.ts';
import type { Program } from '../program.ts';
import type { CommandResult } from './command.ts';
import { announced, refused } from './define.ts';
import { inBatches } from './rows.ts';

export interface CutTasks {
  /** As it was put on the clipboard. */
  readonly text: string;
  readonly ids: readonly Id[];
}

/** Programs and systems write line ends in their own way. */
const plain = (text: string) => text.replaceAll(/\r\n?/g, '\n').trimEnd();

/** The tasks that this text was cut from; none where one of them is elsewhere by now. */
export function cutAs(program: Program, text: string): readonly Id[] {
  const { cut, replica } = program;
  if (cut === null || plain(cut.text) !== plain(text)) return [];
  const isGone = (id: Id) => {
    const row = replica.row(id);
    return row !== undefined && isTrashed(row);
  };
  return cut.ids.every(isGone) ? cut.ids : [];
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
