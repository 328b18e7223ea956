// Commands of the search line: open, leave, focus the results, and accept completions; also going to a task by its
// words.
import type { Id } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import { openReplacing } from '../replacing/lazy.ts';
import { taskEntry } from '../entry/part.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, type Command, define, done, passed, refused } from '../commands/define.ts';
import { revealRow } from '../commands/places.ts';
import { findingOf } from './searching.ts';

/** Escape in the search line: empties it, then leaves. */
function leaveSearch(program: Program): CommandResult {
  if (program.query !== null && program.query !== '') {
    program.query = '';
    program.workspace.hideResults();
    return done;
  }
  program.query = null;
  program.workspace.hideResults();
  program.pane = 'outline';
  program.rows.follow();
  return done;
}

function enterResults(program: Program): CommandResult {
  if (program.query === null) return passed;
  // While the search is running, there may still be results.
  if (program.workspace.results?.length === 0 && !findingOf(program).isRunning)
    return createFromSearch(program);
  program.pane = 'outline';
  program.rows.follow();
  return done;
}

function downToResults(program: Program): CommandResult {
  const { results } = program.workspace;
  return results?.length === 0 && !findingOf(program).isRunning ? passed : enterResults(program);
}

function createFromSearch(program: Program): CommandResult {
  const text = (program.query ?? '').trim();
  if (text === '') return refused('Type what to look for first.');
  if (findingOf(program).isTitle(text) !== true) return refused(findingOf(program).saidOfNone(text));
  program.query = null;
  program.open({ type: 'list', id: program.workspace.inbox });
  const added = program.part(taskEntry).add(text);
  if (added === null) return refused('You can’t add tasks to the Inbox now.');
  program.moveTo(added.id);
  return announced(added.said);
}

function goToTask(program: Program, id: Id): CommandResult {
  const row = program.replica.row(id);
  const isGone = row?.type !== 'task' || program.workspace.facts.isHidden(id);
  if (isGone || !revealRow(program, row)) return refused('That task is gone.');
  return done;
}

/** Going to a task, and working in the search line. */
export const findingCommands: readonly Command[] = [
  define({
    id: 'go.task',
    title: 'Go to task…',
    aliases: ['jump to task', 'open task by name', 'find task'],
    group: 'Go to',
    args: [{ name: 'task', kind: 'task', prompt: 'Go to which task?' }],
    run: (program, args) => goToTask(program, args.task as Id),
  }),
  define({
    id: 'search.open',
    title: 'Search',
    aliases: ['find', 'look for', 'filter', 'search operators', 'query language', 'advanced search'],
    group: 'View',
    run(program) {
      program.leaveText();
      program.editor.flush();
      if (program.query === null) findingOf(program).edit(null);
      program.query ??= '';
      program.pane = 'search';
      return done;
    },
  }),
  define({
    id: 'search.for',
    title: 'Search for…',
    aliases: ['find text', 'look up words'],
    group: 'View',
    args: [{ name: 'query', kind: 'text', prompt: 'Search tasks for' }],
    run(program, args) {
      program.leaveText();
      findingOf(program).edit(null);
      findingOf(program).find(args.query ?? '');
      program.pane = 'search';
      return done;
    },
  }),
  define({
    id: 'edit.replace',
    title: 'Find and replace…',
    aliases: ['substitute', 'rename many', 'change titles', 'regex', 'regular expression'],
    group: 'Edit',
    run: (program) => openReplacing(program),
  }),
  define({
    id: 'search.leave',
    title: 'Leave the search',
    group: 'View',
    inPalette: false,
    run: leaveSearch,
  }),
  define({
    id: 'search.enter',
    title: 'Go to the results, or create the task',
    group: 'View',
    inPalette: false,
    run: enterResults,
  }),
  define({
    id: 'search.down',
    title: 'Down to the results',
    group: 'View',
    inPalette: false,
    run: downToResults,
  }),
  define({
    id: 'search.create',
    title: 'Create task',
    group: 'View',
    inPalette: false,
    run: createFromSearch,
  }),
  define({
    id: 'search.accept',
    title: 'Accept the search suggestion',
    group: 'View',
    inPalette: false,
    run: (program) => (!program.tabMovesFocus && findingOf(program).accept() ? done : passed),
  }),
  define({
    id: 'search.nextOption',
    title: 'Next search suggestion',
    group: 'View',
    inPalette: false,
    repeats: true,
    run: (program) => (findingOf(program).choose(1) ? done : passed),
  }),
  define({
    id: 'search.previousOption',
    title: 'Previous search suggestion',
    group: 'View',
    inPalette: false,
    repeats: true,
    run: (program) => (findingOf(program).choose(-1) ? done : passed),
  }),
];
