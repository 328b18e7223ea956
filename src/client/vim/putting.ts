// Puts the tasks of a register beside a line: the tasks themselves if they were deleted for that, else full copies.
import type { Id } from '#core/ids.ts';
import type { Position } from '#sync/rows/operation.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { positionBelow } from '../commands/outline.ts';
import { putBack, taskClipboard } from '../transfer/task-clipboard.ts';
import { pasteTasks } from '../transfer/transfer-commands.ts';
import type { Program } from '../app/program.ts';
import type { Taken } from './registers.ts';

/** Null: they can be put here. */
export function whyNotHere({ workspace }: Program): string | null {
  const isHere = !workspace.isTrash && workspace.root !== null && workspace.outline.isTree;
  return isHere ? null : 'You can’t put tasks here. Open a list first.';
}

/** Beside a task; without one, in the open place. */
export function placeAt(program: Program, id: Id | null, above: boolean): Position {
  const { workspace, replica } = program;
  const row = id === null ? undefined : replica.row(id);
  const parent = placeOf(row)?.parent;
  if (!row || parent === undefined) return { parent: workspace.root ?? workspace.inbox };
  return above ? { parent, before: row.id } : positionBelow(program, row);
}

interface Where {
  readonly count: number;
  readonly place: () => Position;
}

/**
 * Puts at one fixed place: below a line the last part goes first, so that they end up in order. The cursor goes to the
 * first.
 */
export function putAt(program: Program, parts: readonly Taken[], { count, place }: Where): CommandResult {
  let result: CommandResult = done;
  const ordered = place().after === undefined ? parts : parts.toReversed();
  let first: Id | null = null;
  for (let left = count; left > 0; left -= 1) {
    for (const part of ordered) {
      result = putOne(program, part, place());
      if (result.type === 'refused') return result;
      if (ordered !== parts) first = program.workspace.cursor;
      else first ??= program.workspace.cursor;
    }
  }
  if (first !== null) program.moveTo(first);
  return result;
}

function putOne(program: Program, part: Taken, place: Position): CommandResult {
  const gone = part.cut.filter((id) => {
    const row = program.replica.row(id);
    return row !== undefined && isTrashed(row);
  });
  part.cut = [];
  if (gone.length > 0) return putBack(program, gone, place);
  // Full copies, whatever else was copied since.
  const clipboard = program.part(taskClipboard);
  const { taken } = clipboard;
  clipboard.taken = part;
  const result = pasteTasks(program, part.text, place);
  clipboard.taken = taken;
  return result;
}
