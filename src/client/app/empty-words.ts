// What is said of a place without rows. Loaded with the rest of the app; until then it is “Nothing here.”
import { quoted as quotedTerm } from '#core/search/pieces.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { asleepId, type BuiltIn, builtInOf, isAsBuilt } from '../search/built-in.ts';
import { findingOf } from '../search/searching.ts';
import { smartLists } from '../search/smart-lists.ts';
import { queryOf } from '../labels/carriers.ts';
import { labelName } from '../labels/catalog.ts';
import { allLabels } from '../labels/label-scopes.ts';
import { same } from '../labels/creating.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';
import type { Empty } from './empty.ts';
import type { Program } from './program.ts';

/** Of a place that is empty, or of a search without results. */
export function emptyWords(program: Program): Empty {
  const { workspace } = program;
  if (workspace.results) return ofSearch(program);
  const { place } = workspace;
  if (place.type === 'trash')
    return ['trash', 'The trash is empty', 'Deleted tasks stay here for a while.', 'go.inbox', 'go.back'];
  if (place.type === 'task')
    return ['list', 'No subtasks yet', 'Break it into steps.', 'task.createBelow', 'task.focusOut'];
  if (program.part(smartLists).open !== null) return ofSmartList(program);
  const { root } = workspace;
  if (root === null) {
    const holds = program.replica.children(place.id).some((row) => row.type === 'list' && !isTrashed(row));
    if (!holds) return ['folder', 'This folder is empty', 'Add a list to it.', 'list.create'];
    return ['folder', 'Folders hold lists, not tasks', 'Open one of them.', 'go.list', 'list.create'];
  }
  const { snoozed, unstarted } = workspace.away.countUnder(root);
  if (snoozed > 0) {
    const text = 'Each task comes back when its snooze is over.';
    return ['moon', 'Everything here is snoozed for now', text, 'view.snoozed', 'task.createBelow'];
  }
  if (unstarted > 0) {
    const text = 'Each task comes on the day it starts.';
    return ['moon', 'Nothing here has started yet', text, 'view.unstarted', 'task.createBelow'];
  }
  if (root === workspace.inbox) {
    const text = 'What you add from anywhere lands here first.';
    return ['inbox', 'All sorted', text, 'task.createBelow', 'go.today'];
  }
  const isAllDone = program.replica.children(root).some((row) => row.type === 'task' && !isTrashed(row));
  if (isAllDone) return ['done', 'All done', 'What you finished here is cleared away.', 'task.createBelow'];
  const text = 'Type the first task, or paste a whole list. Indented lines become subtasks.';
  return ['list', 'A clean sheet', text, 'task.createBelow', 'task.paste'];
}

function ofSearch(program: Program): Empty {
  const finding = findingOf(program);
  const query = program.query ?? '';
  const problem = finding.problemIn(query);
  if (problem !== null) return ['search', 'Nothing found', problem, 'search.leave'];
  const heading = `No task matches “${query}”`;
  const isOfLabel = allLabels(program.replica).some(({ row }) => same(`#${labelName(row)}`, query.trim()));
  if (isOfLabel) return ['search', heading, 'No task has this label.', 'search.leave'];
  const meant = queryFor(program, query.trim());
  if (meant !== null) return ['search', heading, `Search for “${meant}” to find its tasks.`, 'search.leave'];
  if (finding.isTitle(query) !== true)
    return ['search', heading, 'Ask for less, or leave the search.', 'search.leave'];
  return ['search', heading, 'Add it to the Inbox instead.', 'search.create', 'search.leave'];
}

/** The query for a label or a list that was asked for by its name, or a list as a title names it, `@shed`; null: there is none. */
function queryFor({ replica, sidebar }: Program, query: string): string | null {
  const isList = query.startsWith('@');
  const name = isList ? query.slice(1) : query;
  const label = isList ? undefined : allLabels(replica).find(({ row }) => same(labelName(row), name));
  if (label !== undefined) return queryOf(label.row);
  // The operator knows no smart lists and no folders.
  const holdsTasks = (row: Row) =>
    fieldOf(row, 'listType') === 'list' || fieldOf(row, 'listType') === 'inbox';
  const list = sidebar.everything().find((row) => holdsTasks(row) && same(nameOf(row), name));
  return list ? `list:${quotedTerm(nameOf(list))}` : null;
}

const NOTHING_IN: Readonly<Record<BuiltIn, Empty>> = {
  today: [
    'today',
    'Nothing left for today',
    'Upcoming has what comes next.',
    'task.createBelow',
    'go.upcoming',
  ],
  upcoming: ['today', 'Nothing is coming up', 'What gets a due date stands here.', 'task.createBelow'],
};

function ofSmartList(program: Program): Empty {
  const smart = program.part(smartLists);
  const list = smart.open === null ? undefined : program.replica.row(smart.open);
  const builtIn = list === undefined ? null : builtInOf(program.replica.scope, list.id);
  const asleep = builtIn === 'today' ? (smart.countOf(asleepId) ?? 0) : 0;
  if (asleep > 0) {
    const text =
      asleep === 1 ? 'One task is snoozed until later.' : `${asleep} tasks are snoozed until later.`;
    return ['moon', 'Nothing left for now', text, 'view.snoozed', 'go.upcoming'];
  }
  if (builtIn !== null && isAsBuilt(list, builtIn)) return NOTHING_IN[builtIn];
  const made = smart.newTask();
  if (!made.ok) return ['search', 'Nothing here', made.problem, 'list.editQuery'];
  const asked = fieldOf(list, 'query') ?? '';
  const text = `No task matches ${quoted(asked)}.`;
  return ['search', 'Nothing here', text, 'task.createBelow', 'list.editQuery'];
}
