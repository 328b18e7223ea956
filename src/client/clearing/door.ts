// The door to clearing: only this is part of the first load.
import type { CommandResult } from '../commands/command.ts';
import { door } from '../door.ts';
import type { Program } from '../program.ts';

export const clearingDoor = door('Clearing', async () => {
  const [automatic, clearing] = await Promise.all([import('./automatic.ts'), import('./clearing.ts')]);
  return { ...automatic, ...clearing };
});

type Clearing = Awaited<ReturnType<typeof clearingDoor.load>>;

/** After everything has been read. Returns what stops it. */
export function clearByItself(program: Program): () => void {
  let isOver = false;
  let stop: (() => void) | null = null;
  program.engine
    .loaded()
    .then(() => clearingDoor.load())
    .then(({ AutomaticClearing }) => {
      if (isOver) return;
      const running = new AutomaticClearing(program);
      stop = () => running.close();
    })
    // The next start clears what could not be cleared now.
    .catch(() => undefined);
  return () => {
    isOver = true;
    stop?.();
  };
}

/** Does it now, or as soon as it is loaded. */
export function withClearing(program: Program, act: (clearing: Clearing) => CommandResult): CommandResult {
  return program.held.enter(clearingDoor, act);
}
