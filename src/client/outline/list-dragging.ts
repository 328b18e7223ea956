// Dragging a list or folder in the sidebar: allowed positions, and the drop. Keys can do the same: move up, move down,
// into the folder above, out of it. A lazy part.
import { listsRoot, type Id } from '#core/ids.ts';
import type { Position } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, done, refused } from '../commands/define.ts';
import { setCollapsed } from '../commands/folding.ts';
import { placeList } from '../commands/lists.ts';
import { builtInOf } from '../search/built-in.ts';
import { quoted } from '../text/editor.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from './row-facts.ts';
import type { Beside } from '../app/view.ts';
import { fieldOf } from '#sync/rows/row.ts';

/** False: it cannot be moved. */
export function isMovableList(program: Program, id: Id): boolean {
  const row = program.replica.row(id);
  if (row?.type !== 'list' || row.fields.listType === 'inbox') return false;
  return builtInOf(program.replica.scope, id) === null && !program.workspace.facts.isHidden(id);
}

/** Null: it cannot go there. */
export function besideList(program: Program, dragged: Id, { id, part }: Beside): Position | null {
  const { replica, workspace } = program;
  // Today, Upcoming and the Inbox always stand first.
  if (builtInOf(replica.scope, id) !== null) return null;
  const row = replica.row(id);
  const inside = new Set([dragged]);
  if (row?.type !== 'list' || id === dragged || workspace.hasAncestorIn(id, inside)) return null;
  if (part === 'into') return row.fields.listType === 'folder' ? { parent: id } : null;
  if (row.fields.listType === 'inbox')
    return part === 'after' ? { parent: listsRoot(replica.scope), at: 'start' } : null;
  const parent = placeOf(row)?.parent;
  if (parent === undefined) return null;
  return part === 'before' ? { parent, before: id } : { parent, after: id };
}

export function dropList(program: Program, dragged: Id, position: Position): CommandResult {
  const row = program.replica.row(dragged);
  if (!row || !isMovableList(program, dragged)) return refused('That list is gone.');
  const before = placeOf(row);
  if (fieldOf(program.replica.row(position.parent), 'listType') === 'folder')
    setCollapsed(program, [position.parent], false);
  const lines = program.sidebar.lines
    .map((line) => line.row)
    .filter((line) => placeOf(line)?.parent === before?.parent);
  const at = lines.findIndex(({ id }) => id === dragged);
  const stays =
    before?.parent === position.parent &&
    ((position.after !== undefined && lines[at - 1]?.id === position.after) ||
      (position.before !== undefined && lines[at + 1]?.id === position.before));
  program.sidebar.cursor = dragged;
  if (stays) return done;
  const result = placeList(program, row, position);
  return before?.parent === position.parent ? announced(`Moved ${quoted(nameOf(row))}.`) : result;
}
