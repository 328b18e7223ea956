// Lazy parts of the history and the time machine.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { loadAnswers } from '../dialogs/answers.ts';
import type { Program } from '../app/program.ts';

/** The past outline with its dialog. Loaded when idle or first needed. */
export const lazyTimeMachine = lazyPart('The time machine', async () => {
  const [machine] = await Promise.all([
    import('./time-machine.ts'),
    // Its keys must be answered at once.
    loadAnswers(),
  ]);
  return machine;
});

/** The list of changes with its dialog. Loaded when idle or first needed. */
export const lazyHistory = lazyPart('The history', () => import('./book.ts'));

/**
 * `root`: a task or list; null: everything. `at`: the first active line; `before`: an operation, to start at the moment
 * before it.
 */
export function openTimeMachine(
  program: Program,
  root: Id | null,
  { at = null, before = null }: { readonly at?: Id | null; readonly before?: Id | null } = {},
): CommandResult {
  program.leaveText();
  program.editor.flush();
  return program.inputQueue.enter(lazyTimeMachine, ({ TimeMachine }) => {
    const machine = new TimeMachine(program, root, { at, before });
    program.dialog.open(machine);
    void machine.open();
    return done;
  });
}
