// Lazy part of turning cloud sync off and on, and of safety copies.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';

/** Turning cloud sync off and on, and safety copies. Loaded when idle or first needed. */
export const lazyDetaching = lazyPart('Cloud sync', () => import('./detaching.ts'));

type Detaching = Awaited<ReturnType<typeof lazyDetaching.load>>;

/** Commits typed text, then runs `work` with the part, now or as soon as it is loaded. */
export function withDetaching(program: Program, work: (detaching: Detaching) => void): CommandResult {
  program.leaveText();
  program.editor.flush();
  return program.inputQueue.enter(lazyDetaching, (detaching) => {
    work(detaching);
    return done;
  });
}
