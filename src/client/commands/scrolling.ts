// Scrolling commands: half a page, first and last line on screen, position of the cursor's line; also jumping between
// matches of the last search, and closing panes beside the list.
import { goToMatch, goToSameWord } from '../search/matches.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from './command.ts';
import { type Command, define, done, refused } from './define.ts';
import { moveBy } from './navigation.ts';

type Edge = 'top' | 'middle' | 'bottom';

function toEdge(program: Program, edge: Edge): CommandResult {
  const { rows, workspace } = program;
  const first = rows.top.get();
  const shown = Math.min(rows.fit, workspace.outline.length - first);
  const on = { top: 0, middle: Math.floor((shown - 1) / 2), bottom: shown - 1 }[edge];
  return moveBy(program, first + on - workspace.cursorIndex, false);
}

function scroll(program: Program, edge: Edge): CommandResult {
  program.rows.bring(edge);
  return done;
}

function closeNext(program: Program): CommandResult {
  program.leaveText();
  program.editor.flush();
  if (program.notesOpen) {
    program.notesOpen = false;
    program.pane = 'outline';
    return done;
  }
  if (program.query !== null) {
    program.query = null;
    program.workspace.hideResults();
    program.pane = 'outline';
    program.rows.follow();
    return done;
  }
  return refused('Nothing to close. Your text is saved.', 'info');
}

const keys = { group: 'Go to', inPalette: false } as const;
const half = ({ rows }: Program) => Math.max(1, Math.floor(rows.fit / 2));

export const scrollingCommands: readonly Command[] = [
  define({
    ...keys,
    id: 'cursor.halfPageDown',
    title: 'Half a page down',
    repeats: true,
    run: (program) => moveBy(program, half(program), false),
  }),
  define({
    ...keys,
    id: 'cursor.halfPageUp',
    title: 'Half a page up',
    repeats: true,
    run: (program) => moveBy(program, -half(program), false),
  }),
  define({
    ...keys,
    id: 'cursor.screenTop',
    title: 'First task on screen',
    run: (program) => toEdge(program, 'top'),
  }),
  define({
    ...keys,
    id: 'cursor.screenMiddle',
    title: 'Middle task on screen',
    run: (program) => toEdge(program, 'middle'),
  }),
  define({
    ...keys,
    id: 'cursor.screenBottom',
    title: 'Last task on screen',
    run: (program) => toEdge(program, 'bottom'),
  }),
  define({
    ...keys,
    id: 'view.scrollTop',
    title: 'Scroll task to the top',
    run: (program) => scroll(program, 'top'),
  }),
  define({
    ...keys,
    id: 'view.scrollMiddle',
    title: 'Scroll task to the middle',
    run: (program) => scroll(program, 'middle'),
  }),
  define({
    ...keys,
    id: 'view.scrollBottom',
    title: 'Scroll task to the bottom',
    run: (program) => scroll(program, 'bottom'),
  }),
  define({
    id: 'search.next',
    title: 'Next match of the last search',
    aliases: ['find next', 'find again', 'search again'],
    group: 'Go to',
    repeats: true,
    run: (program) => goToMatch(program, 1),
  }),
  define({
    id: 'search.previous',
    title: 'Previous match of the last search',
    aliases: ['find previous', 'search back'],
    group: 'Go to',
    repeats: true,
    run: (program) => goToMatch(program, -1),
  }),
  define({
    ...keys,
    id: 'search.sameWord',
    title: 'Next task with the first word of this title',
    run: (program) => goToSameWord(program, 1),
  }),
  define({
    ...keys,
    id: 'search.sameWordBack',
    title: 'Previous task with the first word of this title',
    run: (program) => goToSameWord(program, -1),
  }),
  define({
    ...keys,
    id: 'view.close',
    title: 'Close notes or search',
    run: closeNext,
  }),
];
