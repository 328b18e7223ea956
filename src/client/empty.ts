// What the outline says where it has no rows: one sentence, the key that leads on, and what else does.
import { isTrashed } from '#sync/row-reading.ts';
import { quoted } from './editor.ts';
import type { Program } from './program.ts';
import { FIRST_RUN, lessonTitle } from './teaching/first-run-door.ts';
import type { EmptyView } from './view.ts';

/** What is said, and the commands that lead on, the likeliest first. */
type Empty = readonly [text: string, command: string, ...others: string[]];

export function emptyOf(program: Program): EmptyView | null {
  const { workspace, engine } = program;
  if (workspace.outline.length > 0 || engine.state.get().type === 'loading') return null;
  if (workspace.results && program.finding.isRunning) return null;
  const [text, command, ...others] = said(program);
  const action = (id: string) => ({
    command: id,
    title: id === 'lesson.start' ? lessonTitle(program.platform) : program.titleOf(id),
  });
  return { text, ...action(command), others: others.map(action) };
}

function said(program: Program): Empty {
  const { workspace, query } = program;
  if (workspace.results) {
    const text = `No task matches “${query ?? ''}”. It can be added to the Inbox.`;
    return [text, 'search.create', 'search.leave'];
  }
  const { place } = workspace;
  if (place.type === 'trash')
    return ['The trash is empty. What you delete waits here for a while.', 'go.inbox', 'go.back'];
  if (place.type === 'task') return ['No subtasks yet.', 'task.createBelow', 'task.focusOut'];
  if (program.smart.open !== null) return ofSmartList(program);
  const { root } = workspace;
  if (root === null) {
    const holds = program.replica.children(place.id).some((row) => row.type === 'list' && !isTrashed(row));
    if (!holds) return ['This folder is empty. Make a list in it.', 'list.create'];
    return ['A folder holds lists. Open one of them.', 'go.list', 'list.create'];
  }
  const { snoozed, unstarted } = workspace.away.countUnder(root);
  if (snoozed > 0) return ['Everything here is snoozed for now.', 'view.snoozed', 'task.createBelow'];
  if (unstarted > 0) return ['Nothing here has started yet.', 'view.unstarted', 'task.createBelow'];
  if (program.teaching.isOffered)
    return [
      program.platform.touch
        ? 'Welcome. Taps and swipes do it all: learn the first five things by doing them.'
        : 'Welcome. Five keys are enough to begin with: learn them by using them.',
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

/** The first run was gone through on this device. */
const isSetUp = ({ platform }: Program) => platform.preferences.get(FIRST_RUN) !== null;

function ofSmartList({ smart, replica }: Program): Empty {
  const made = smart.newTask();
  if (typeof made === 'string') return [`Nothing here. ${made}`, 'list.editQuery'];
  const asked = (smart.open && (replica.row(smart.open)?.fields.query as string | undefined)) ?? '';
  return [`Nothing here. No task matches ${quoted(asked)}.`, 'task.createBelow', 'list.editQuery'];
}
