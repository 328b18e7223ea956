// What is said of a place without rows. Loaded with the rest of the app; until then it is “Nothing here.”
import { fieldOf } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { type BuiltIn, builtInOf, isAsBuilt } from '../search/built-in.ts';
import { findingOf } from '../search/searching.ts';
import { smartLists } from '../search/smart-lists.ts';
import { quoted } from '../text/editor.ts';
import type { Empty } from './empty.ts';
import type { Program } from './program.ts';

/** Of a place that is empty, or of a search without results. */
export function emptyWords(program: Program): Empty {
  const { workspace, query } = program;
  if (workspace.results) {
    const text = findingOf(program).saidOfNone(query ?? '');
    if (findingOf(program).isTitle(query ?? '') !== true) return [text, 'search.leave'];
    return [`${text} Add it to the Inbox instead.`, 'search.create', 'search.leave'];
  }
  const { place } = workspace;
  if (place.type === 'trash')
    return ['The trash is empty. Deleted tasks stay here for a while.', 'go.inbox', 'go.back'];
  if (place.type === 'task') return ['No subtasks yet.', 'task.createBelow', 'task.focusOut'];
  if (program.part(smartLists).open !== null) return ofSmartList(program);
  const { root } = workspace;
  if (root === null) {
    const holds = program.replica.children(place.id).some((row) => row.type === 'list' && !isTrashed(row));
    if (!holds) return ['This folder is empty. Add a list.', 'list.create'];
    return ['Folders hold lists, not tasks. Open a list.', 'go.list', 'list.create'];
  }
  const { snoozed, unstarted } = workspace.away.countUnder(root);
  if (snoozed > 0) return ['Everything here is snoozed for now.', 'view.snoozed', 'task.createBelow'];
  if (unstarted > 0) return ['Nothing here has started yet.', 'view.unstarted', 'task.createBelow'];
  const isAllDone = program.replica.children(root).some((row) => row.type === 'task' && !isTrashed(row));
  return [isAllDone ? 'All done.' : 'Nothing here.', 'task.createBelow'];
}

const NOTHING_IN: Readonly<Record<BuiltIn, string>> = {
  today: 'Nothing is due today.',
  upcoming: 'Nothing is coming up.',
};

function ofSmartList(program: Program): Empty {
  const smart = program.part(smartLists);
  const list = smart.open === null ? undefined : program.replica.row(smart.open);
  const builtIn = list === undefined ? null : builtInOf(program.replica.scope, list.id);
  if (builtIn !== null && isAsBuilt(list, builtIn)) return [NOTHING_IN[builtIn], 'task.createBelow'];
  const made = smart.newTask();
  if (!made.ok) return [`Nothing here. ${made.problem}`, 'list.editQuery'];
  const asked = fieldOf(list, 'query') ?? '';
  return [`Nothing here. No task matches ${quoted(asked)}.`, 'task.createBelow', 'list.editQuery'];
}
