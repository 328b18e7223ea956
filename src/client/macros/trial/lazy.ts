// Lazy part of trying macros: only this file is loaded with the commands.
import type { CommandResult } from '../../commands/command.ts';
import { done } from '../../commands/define.ts';
import { lazyPart } from '../../loading/lazy-part.ts';
import type { Macro } from '../macro.ts';
import type { MacroShelf } from '../shelf.ts';

/** Trying macros. Loaded when idle or first needed. */
export const lazyTrial = lazyPart('Trying macros', async () => {
  const [dialog, trial] = await Promise.all([import('./dialog.ts'), import('./trial.ts')]);
  return { ...dialog, ...trial };
});

/** Says in a dialog what a macro would change. `macro`: one that is stored, or one that is still being written. */
export function tryMacro(shelf: MacroShelf, macro: Macro): CommandResult {
  const { program } = shelf;
  program.leaveText();
  program.editor.flush();
  return program.inputQueue.enter(lazyTrial, ({ MacroTrial }) => {
    const dialog = new MacroTrial(shelf, macro);
    program.dialog.open(dialog);
    dialog.open();
    return done;
  });
}
