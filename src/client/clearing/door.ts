// The door to clearing: only this is part of the first load.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazy } from '../lazy.ts';
import type { Program } from '../program.ts';

const part = lazy(async () => {
  const [automatic, clearing] = await Promise.all([import('./automatic.ts'), import('./clearing.ts')]);
  return { ...automatic, ...clearing };
});

/** For whoever needs it at once. */
export const loadClearing = () => part.load();

type Clearing = Awaited<ReturnType<typeof loadClearing>>;

/** After everything has been read. Returns what stops it. */
export function clearByItself(program: Program): () => void {
  let isOver = false;
  let stop: (() => void) | null = null;
  program.engine
    .loaded()
    .then(() => part.load())
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
  if (part.now) return act(part.now);
  part.load().then(
    (clearing) =>
      program.act(() => {
        const result = act(clearing);
        if (result.type === 'refused') program.say(result.reason, { error: result.tone === undefined });
        else if (result.type === 'done' && result.announce) program.say(result.announce, { undo: true });
      }),
    () => program.act(() => program.say('Check the connection and try again.', { error: true })),
  );
  return done;
}
