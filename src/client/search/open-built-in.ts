// Opens Today and Upcoming.
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';
import { type BuiltIn, builtInId, creationOf, updateOf } from './built-in.ts';

/** Opens a list that everybody has; it is stored first, or brought back from the trash. */
export function openBuiltIn(program: Program, key: BuiltIn): CommandResult {
  const { replica, sidebar } = program;
  const id = builtInId(replica.scope, key);
  const row = replica.row(id);
  // No undo: to the person it was there before.
  if (!row) program.change([creationOf(replica.scope, key)], 'added a list', { undoable: false });
  else {
    if (isTrashed(row)) program.change([{ a: 'restore', id }], `restored ${quoted(nameOf(row))}`);
    const update = updateOf(row, key);
    if (update.length > 0) program.change(update, 'changed a list', { undoable: false });
  }
  sidebar.invalidate();
  program.open({ type: 'list', id });
  return done;
}
