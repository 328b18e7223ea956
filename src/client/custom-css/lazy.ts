// Lazy part of the dialog of custom CSS: only this file is loaded with the commands.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';

/** Text that was typed and not saved; null: there is none. It lasts as long as the app runs. */
export interface CssDraft {
  text: string | null;
}

/** The dialog of custom CSS. Loaded when idle or first needed. */
export const lazyCustomCss = lazyPart('Custom CSS', () => import('./dialog.ts'));

/** Opens the dialog, with what was not saved the last time. */
export function openCustomCss(program: Program, draft: CssDraft): CommandResult {
  return program.inputQueue.enter(lazyCustomCss, ({ CustomCssDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new CustomCssDialog(program, draft));
    return done;
  });
}
