// Sets and removes bookmarks. commands/bookmarks.ts chooses the targets; loaded with the labels.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced } from '../commands/define.ts';
import { inBatches } from '../commands/rows.ts';
import { quoted } from '../text/editor.ts';
import { setMine } from '../outline/personal-fields.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';

/** Adds or removes bookmarks as one undo. */
export function setBookmarks(program: Program, ids: readonly Id[], isAdding: boolean): CommandResult {
  const chosen = !isAdding ? ids : ids.filter((id) => !program.workspace.facts.bookmarks.has(id));
  const bookmarkedAt = !isAdding ? null : program.replica.now();
  const actions = chosen.flatMap((id): Action[] => setMine(program.replica, id, { bookmarkedAt }));
  const [only] = chosen;
  const name =
    chosen.length === 1 && only !== undefined
      ? quoted(nameOf(program.replica.row(only)))
      : program.describe(chosen);
  inBatches(program, actions, !isAdding ? `removed the bookmark from ${name}` : `bookmarked ${name}`);
  return announced(!isAdding ? `Removed the bookmark from ${name}.` : `Bookmarked ${name}.`);
}
