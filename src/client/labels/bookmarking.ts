// Setting and removing bookmarks. What they are about is commands/bookmarks.ts; it is loaded with the labels.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced } from '../commands/define.ts';
import { inBatches } from '../commands/rows.ts';
import { quoted } from '../editor.ts';
import { setMine } from '../mine.ts';
import type { Program } from '../program.ts';
import { nameOf } from '../row-facts.ts';

/** As one undo step. */
export function setBookmarks(program: Program, ids: readonly Id[], isAdding: boolean): CommandResult {
  const chosen = !isAdding ? ids : ids.filter((id) => !program.workspace.facts.bookmarks.has(id));
  const bookmarkedAt = !isAdding ? null : program.replica.now();
  const actions = chosen.flatMap((id): Action[] => setMine(program.replica, id, { bookmarkedAt }));
  const [only] = chosen;
  const name =
    chosen.length === 1 && only !== undefined
      ? quoted(nameOf(program.replica.row(only)))
      : program.describe(chosen);
  inBatches(program, actions, !isAdding ? `took the bookmark of ${name} away` : `bookmarked ${name}`);
  return announced(!isAdding ? `Took the bookmark of ${name} away.` : `Bookmarked ${name}.`);
}
