// Lazy part of the key editor.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { loadAnswers } from '../dialogs/answers.ts';
import { restPart } from '../loading/rest.ts';
import type { Program } from '../app/program.ts';

/** The key editor. Loaded when idle or first needed. */
export const lazyKeys = lazyPart('The list of keys', async () => {
  const [{ KeyEditor }] = await Promise.all([
    import('./editor.ts'),
    restPart.load(),
    // Keys pressed in it must be answered at once.
    loadAnswers(),
  ]);
  return { KeyEditor };
});

/** `query`: the initial filter. `command`: whose line is chosen; others may be called alike. */
export function openKeyEditor(program: Program, query = '', command: string | null = null): CommandResult {
  return program.inputQueue.enter(lazyKeys, ({ KeyEditor }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new KeyEditor(program, query, command));
    return done;
  });
}
