// Opens Today and Upcoming.
import { type Id, listsRoot } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';
import { type BuiltIn, builtInId, fieldsOf } from './built-in.ts';

/** What the lists asked in earlier versions. */
const FORMERLY: ReadonlySet<unknown> = new Set([
  'is:due -is:snoozed sort:due-date',
  'is:incomplete due:>today sort:due-date',
  'is:incomplete (due:>today OR snoozed:>today) sort:due-date',
]);

/** What brings a stored list up to date that still asks what an earlier version did; nothing, if it was changed. */
function updateOf(row: Row, key: BuiltIn): readonly Action[] {
  const isOld = FORMERLY.has(fieldOf(row, 'query'));
  return isOld ? [{ a: 'set', id: row.id, field: 'query', value: fieldsOf(key).query }] : [];
}

/** Stores a built-in list. */
function creationOf(scope: Id, key: BuiltIn): Action {
  const place = { parent: listsRoot(scope), at: 'start' } as const;
  return { a: 'create', id: builtInId(scope, key), type: 'list', fields: fieldsOf(key), place };
}

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
