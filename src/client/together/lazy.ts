// Lazy part of comments: only this file is loaded with the commands. The dialog is comments-dialog.ts.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { loadAnswers } from '../dialogs/answers.ts';
import type { Program } from '../app/program.ts';

/** The dialog of a task's comments. Loaded when idle or first needed. */
export const lazyComments = lazyPart('Comments', async () => {
  const [dialog] = await Promise.all([import('./comments-dialog.ts'), loadAnswers()]);
  return dialog;
});

export function showComments(program: Program, task: Id): CommandResult {
  program.leaveText();
  program.editor.flush();
  return program.inputQueue.enter(lazyComments, ({ CommentsDialog }) => {
    program.dialog.open(new CommentsDialog(program, task));
    return done;
  });
}
