// Commands that go on once the platform has given something, such as the clipboard. A macro waits for it, and what is done then is
// a part of the macro.
import { definePart } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from '../commands/command.ts';

interface GivenLater {
  /** The macro whose step runs now; null: none. */
  waits: ((going: Promise<() => CommandResult>) => void) | null;
}

/** Knows whether a macro waits for what a command does later. */
export const givenLater = definePart({
  name: 'What is given later',
  create: (): GivenLater => ({ waits: null }),
});

/** Does the rest of a command with what was given, as a gesture of its own or within the macro whose step it is. */
export function whenGiven<T>(
  program: Program,
  given: Promise<T>,
  act: (value: T) => CommandResult,
): CommandResult {
  const { waits } = program.part(givenLater);
  if (waits === null)
    void given.then((value) =>
      program.act(() => {
        const before = program.undo.newest;
        const result = act(value);
        if (result.type === 'refused') program.say(result.reason, { error: true });
        else if (result.type === 'done' && result.announce !== undefined)
          program.say(result.announce, { undo: program.undo.newest !== before });
      }),
    );
  else waits(given.then((value) => () => act(value)));
  return { type: 'done' };
}
