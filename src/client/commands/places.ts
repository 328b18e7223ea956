// Commands that go to panes and places, and back: those that the first keys do not need (navigation.ts has the others).
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Pane, Program } from '../app/program.ts';
import type { CommandResult } from './command.ts';
import { type Command, define, done, passed, refused } from './define.ts';
import { setCollapsed } from './folding.ts';
import { needsTask } from './needs.ts';
import { weekSignals } from '../week/signals.ts';

/** Opens the list of a search result with the cursor on it. */
function reveal(program: Program): CommandResult {
  const { cursorRow, replica } = program.workspace;
  const isRecord = cursorRow?.type === 'completion';
  const row = isRecord ? replica.row(cursorRow.fields.task) : cursorRow;
  return row && revealRow(program, row) ? done : refused('Select a task first.');
}

/** Opens the list of a task with the cursor on it. False where it is in none. */
export function revealRow(program: Program, row: Row): boolean {
  const list = program.workspace.listOf(row.id);
  if (!list) return false;
  const above: Id[] = [];
  for (const id of program.workspace.idsAbove(row.id)) {
    if (id === list.id) break;
    above.push(id);
  }
  setCollapsed(program, above, false);
  program.open({ type: 'list', id: list.id }, row.id);
  return true;
}

function panesOf(program: Program): readonly Pane[] {
  const panes: Pane[] = [];
  if (program.sidebar.visible.get()) panes.push('sidebar');
  if (program.query !== null) panes.push('search');
  panes.push('outline');
  if (weekSignals(program.engine).view.get() !== null) panes.push('calendar');
  if (program.editor.notes !== null) panes.push('notes');
  return panes;
}

function goToPane(program: Program, step: 1 | -1): CommandResult {
  program.leaveText();
  program.editor.flush();
  const panes = panesOf(program);
  const at = Math.max(0, panes.indexOf(program.pane));
  program.pane = panes[(at + step + panes.length) % panes.length] ?? 'outline';
  return done;
}

function stepPlace(program: Program, by: 1 | -1): CommandResult {
  if (program.step(by)) return done;
  return refused(by < 0 ? 'Nothing to go back to.' : 'Nothing to go forward to.');
}

/** Going to panes, to the trash, to the list of a task, back and forward. */
export const placeCommands: readonly Command[] = [
  define({
    id: 'pane.next',
    title: 'Next pane',
    aliases: ['switch pane', 'focus pane'],
    group: 'Go to',
    run: (program) => goToPane(program, 1),
  }),
  define({
    id: 'pane.previous',
    title: 'Previous pane',
    aliases: ['switch pane back', 'previous part of the screen'],
    group: 'Go to',
    run: (program) => goToPane(program, -1),
  }),
  define({
    id: 'pane.outline',
    title: 'Go to the tasks',
    aliases: ['outline', 'main'],
    group: 'Go to',
    run(program) {
      program.leaveText();
      if (program.pane === 'outline') return passed;
      program.pane = 'outline';
      return done;
    },
  }),
  define({
    id: 'go.trash',
    title: 'Go to trash',
    aliases: ['deleted', 'bin', 'recycle'],
    group: 'Go to',
    run(program) {
      program.open({ type: 'trash' });
      const keys = program.keymap.keysIn(['navigate', 'global'], 'task.restore')[0];
      if (program.platform.touch || keys === undefined || program.workspace.outline.length === 0) return done;
      program.say(`${keys.join(' ')} restores a task.`, { brief: true });
      return done;
    },
  }),
  define({
    id: 'go.back',
    title: 'Go back',
    aliases: ['previous place', 'where I was', 'last list'],
    group: 'Go to',
    run: (program) => stepPlace(program, -1),
  }),
  define({
    id: 'go.forward',
    title: 'Go forward',
    aliases: ['next place', 'forward again'],
    group: 'Go to',
    run: (program) => stepPlace(program, 1),
  }),
  define({
    id: 'task.reveal',
    title: 'Show task in its list',
    aliases: ['go to task', 'locate'],
    group: 'Go to',
    when: (program) => (program.workspace.isTrash ? 'Restore it from the trash first.' : needsTask(program)),
    run: reveal,
  }),
];
