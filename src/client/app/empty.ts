// The message of an outline without rows: one sentence, the main key, and other ways on.
import { isTrashed } from '#sync/rows/row-reading.ts';
import { quoted } from '../text/editor.ts';
import type { Program } from './program.ts';
import type { EmptyView } from './view.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { teaching } from '../teaching/part.ts';
import { type BuiltIn, builtInOf, isAsBuilt } from '../search/built-in.ts';
import { smartLists } from '../search/smart-lists.ts';
import { findingOf } from '../search/searching.ts';

/** The message and the commands offered with it, the likeliest first. */
type Empty = readonly [text: string, command: string, ...others: string[]];

/** The view of an empty outline. Null while there are rows, or while they are loading or being searched for. */
export function emptyOf(program: Program): EmptyView | null {
  const { workspace, engine } = program;
  if (workspace.outline.length > 0 || engine.state.get().type === 'loading') return null;
  if (workspace.results && findingOf(program).isRunning) return null;
  if (isFirstScreen(program)) return firstScreen(program);
  const [text, command, ...others] = said(program);
  const action = (id: string) => ({ command: id, title: program.titleOf(id) });
  return { text, ...action(command), others: others.map(action) };
}

/** A new person's Inbox. */
function isFirstScreen(program: Program): boolean {
  const { place, results, inbox } = program.workspace;
  return results === null && place.type === 'list' && place.id === inbox && program.part(teaching).isOffered;
}

/** One thing to do. Its titles are there before the commands are loaded, so that nothing moves. */
function firstScreen({ platform }: Program): EmptyView {
  const isSignedIn = platform.account.email !== null;
  return {
    text: 'What do you have to do? Type it with its day, like “Call Ann tomorrow 5pm.”',
    command: 'task.createBelow',
    title: 'Write your first task',
    others: isSignedIn
      ? []
      : [
          { command: 'account.signIn', title: 'Sign in' },
          { command: 'account.signUp', title: 'Create an account' },
        ],
  };
}

function said(program: Program): Empty {
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
