// Lazy part of find and replace; the dialog is dialog.ts.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';

/** The dialog of find and replace. Loaded when idle or first needed. */
export const lazyReplacing = lazyPart('Find and replace', () => import('./dialog.ts'));

/** Opens find and replace; commits typed text first, so that it is searched too. */
export function openReplacing(program: Program): CommandResult {
  return program.inputQueue.enter(lazyReplacing, ({ ReplaceDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new ReplaceDialog(program));
    return done;
  });
}
