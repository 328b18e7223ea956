// Lazy part of clearing.
import type { CommandResult } from '../commands/command.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';

/** Clearing by command and automatically. Loaded when idle or first needed. */
export const lazyClearing = lazyPart('Clearing', async () => {
  const [automatic, clearing] = await Promise.all([import('./automatic.ts'), import('./clearing.ts')]);
  return { ...automatic, ...clearing };
});

type ClearingModule = Awaited<ReturnType<typeof lazyClearing.load>>;

class Clearing implements PartHooks {
  readonly #program: Program;
  #isClosed = false;
  #running: { close(): void } | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  idle(): void {
    this.#program.engine
      .loaded()
      .then(() => lazyClearing.load())
      .then(({ AutomaticClearing }) => {
        if (!this.#isClosed) this.#running = new AutomaticClearing(this.#program);
      })
      // Tasks that could not be cleared now are cleared at the next start.
      .catch(() => undefined);
  }

  close(): void {
    this.#isClosed = true;
    this.#running?.close();
  }
}

/** Clears completed tasks by themselves, as the settings say. Starts when idle and all rows are read. */
export const automaticClearing = definePart({
  name: 'Automatic clearing',
  create: (program) => new Clearing(program),
});

/** Runs `act` with the part, now or as soon as it is loaded. */
export function withClearing(
  program: Program,
  act: (clearing: ClearingModule) => CommandResult,
): CommandResult {
  return program.inputQueue.enter(lazyClearing, act);
}
