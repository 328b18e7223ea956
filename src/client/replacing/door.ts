// The door to find and replace: what it does is dialog.ts, loaded when it is first wanted.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { door } from '../door.ts';
import type { Program } from '../program.ts';

export const replacingDoor = door('Find and replace', () => import('./dialog.ts'));

export function openReplacing(program: Program): CommandResult {
  return program.held.enter(replacingDoor, ({ ReplaceDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.openDialog = new ReplaceDialog(program);
    program.openDialog.refresh();
    return done;
  });
}
