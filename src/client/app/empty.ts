// The message of an outline without rows: one sentence, the main key, and other ways on.
import { isTrashed } from '#sync/rows/row-reading.ts';
import { quoted } from '../text/editor.ts';
import type { Program } from './program.ts';
import { FIRST_RUN, titleAtFirst } from '../teaching/first-run-lazy.ts';
import type { EmptyView } from './view.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { teaching } from '../teaching/part.ts';
import { smartLists } from '../search/smart-lists.ts';
import { findingOf } from '../search/searching.ts';

/** The message and the commands offered with it, the likeliest first. */
type Empty = readonly [text: string, command: string, ...others: string[]];

/** The view of an empty outline. Null while there are rows, or while they are loading or being searched for. */
export function emptyOf(program: Program): EmptyView | null {
  const { workspace, engine } = program;
  if (workspace.outline.length > 0 || engine.state.get().type === 'loading') return null;
  if (workspace.results && findingOf(program).isRunning) return null;
  const [text, command, ...others] = said(program);
  const action = (id: string) => ({
    command: id,
    title: titleAtFirst(id, program.platform) ?? program.titleOf(id),
  });
  return { text, ...action(command), others: others.map(action) };
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
  if (program.part(teaching).isOffered)
    return [
      program.platform.touch
        ? 'Welcome. Taps and swipes do it all. Learn the first five by doing them.'
        : 'Welcome. You need five keys to start. Learn them by using them.',
      ...(isSetUp(program)
        ? (['lesson.start', 'setup.open'] as const)
        : (['setup.open', 'lesson.start'] as const)),
      'task.createBelow',
      'file.import',
      ...(program.platform.account.email === null ? ['account.signUp', 'account.signIn'] : []),
    ];
  const isAllDone = program.replica.children(root).some((row) => row.type === 'task' && !isTrashed(row));
  return [isAllDone ? 'All done.' : 'Nothing here.', 'task.createBelow'];
}

/** The first run was completed on this device. */
const isSetUp = ({ platform }: Program) => platform.preferences.get(FIRST_RUN) !== null;

function ofSmartList(program: Program): Empty {
  const smart = program.part(smartLists);
  const made = smart.newTask();
  if (!made.ok) return [`Nothing here. ${made.problem}`, 'list.editQuery'];
  const asked = (smart.open && fieldOf(program.replica.row(smart.open), 'query')) ?? '';
  return [`Nothing here. No task matches ${quoted(asked)}.`, 'task.createBelow', 'list.editQuery'];
}
