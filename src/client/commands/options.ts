// Commands of the lists in dialogs: moving between options and choosing one, and additions of single dialogs. A dialog
// that tracks its own active option maps commands to actions (`OpenDialog.byKey`); elsewhere the focus moves.
import { answerDialog } from '../dialogs/answers.ts';
import type { ListMove } from '../dialogs/list-cursor.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from './command.ts';
import { type Command, type CommandSpec, define, done, passed } from './define.ts';

const MOVES: readonly (readonly [ListMove, title: string])[] = [
  ['down', 'Next option'],
  ['up', 'Previous option'],
  ['pageDown', 'Eight options down'],
  ['pageUp', 'Eight options up'],
  ['first', 'First option'],
  ['last', 'Last option'],
];

/** Runs the open dialog's action for a command. Null: it has none. */
function inDialog(program: Program, id: string): CommandResult | null {
  const { controller } = program.dialog;
  const action = controller?.byKey?.(id) ?? null;
  if (controller === null || action === null) return null;
  controller.submit(action);
  return done;
}

/** A command of a dialog that maps commands to actions (`OpenDialog.byKey`); elsewhere the key goes on. */
export function ofDialog(id: string, title: string, more: Partial<CommandSpec> = {}): Command {
  return define({
    id,
    title,
    group: 'Application',
    inPalette: false,
    run: (program) => inDialog(program, id) ?? passed,
    ...more,
  });
}

/** Settles the recovered change that has the focus. */
function decide(program: Program, action: 'again' | 'drop' | 'copy'): CommandResult {
  const { options } = program.platform;
  const dialog = program.dialog.get();
  if (dialog?.type !== 'recovered' && dialog?.type !== 'sync') return passed;
  const items = dialog.type === 'recovered' ? dialog.items : dialog.status.recovered;
  const item = items.find(({ seq }) => String(seq) === options.current());
  if (item === undefined || (action === 'again' && !item.canApply)) return passed;
  // The settled change disappears; the focus stays in the list.
  if (action !== 'copy' && !options.move('down')) options.move('up');
  answerDialog(program, dialog.type, { action, seq: item.seq });
  return done;
}

export const optionCommands: readonly Command[] = [
  ...MOVES.map(([move, title]) => {
    const id = `options.${move}`;
    return ofDialog(id, title, {
      repeats: true,
      run: (program) => inDialog(program, id) ?? (program.platform.options.move(move) ? done : passed),
    });
  }),
  ofDialog('options.choose', 'Choose the option', {
    run: (program) =>
      inDialog(program, 'options.choose') ?? (program.platform.options.choose() ? done : passed),
  }),
  ofDialog('options.chooseAndStay', 'Choose the option and stay'),
  ofDialog('options.complete', 'Complete the name'),
  ofDialog('labels.createPrivate', 'Create the label only for you'),
  ofDialog('labels.rename', 'Rename in the list'),
  ofDialog('labels.tasks', 'Show the tasks with the label'),
  ofDialog('history.travelTo', 'Time machine before this change'),
  ofDialog('history.takeBack', 'Undo what this person did since'),
  ofDialog('moments.older', 'One moment earlier', { repeats: true }),
  ofDialog('moments.newer', 'One moment later', { repeats: true }),
  ofDialog('moments.muchOlder', 'Many moments earlier', { repeats: true }),
  ofDialog('moments.muchNewer', 'Many moments later', { repeats: true }),
  ofDialog('moments.differences', 'Show differences or everything'),
  ofDialog('recovered.again', 'Apply the change again', { run: (program) => decide(program, 'again') }),
  ofDialog('recovered.drop', 'Discard the change', { run: (program) => decide(program, 'drop') }),
  ofDialog('recovered.copy', 'Copy the change', { run: (program) => decide(program, 'copy') }),
  ofDialog('replace.run', 'Replace in the titles shown'),
  ofDialog('settings.nextTab', 'Next settings tab', { repeats: true }),
  ofDialog('settings.previousTab', 'Previous settings tab', { repeats: true }),
  ofDialog('settings.firstTab', 'First settings tab'),
  ofDialog('settings.lastTab', 'Last settings tab'),
];
