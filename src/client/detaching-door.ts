// The door to turning cloud sync off and on, and to the safety copies.
import type { CommandResult } from './commands/command.ts';
import { done } from './commands/define.ts';
import { door } from './door.ts';
import type { Program } from './program.ts';

export const detachingDoor = door('Cloud sync', () => import('./detaching.ts'));

type Detaching = Awaited<ReturnType<typeof detachingDoor.load>>;

export function withDetaching(program: Program, work: (detaching: Detaching) => void): CommandResult {
  program.leaveText();
  program.editor.flush();
  return program.held.enter(detachingDoor, (detaching) => {
    work(detaching);
    return done;
  });
}
