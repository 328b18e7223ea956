// The door to the editor of keys, which is loaded when it is first wanted or the app is idle.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { door } from '../door.ts';
import { loadLedger } from '../ledger.ts';
import { laterPart } from '../later.ts';
import type { Program } from '../program.ts';

export const keysDoor = door('The list of keys', async () => {
  const [{ KeyEditor }, { commands }] = await Promise.all([
    import('./editor.ts'),
    laterPart.load(),
    // What is pressed in it must be answered at once.
    loadLedger(),
  ]);
  return { KeyEditor, commands };
});

/** `query`: what to show of the keys, by words. */
export function openKeyEditor(program: Program, query = ''): CommandResult {
  return program.held.enter(keysDoor, ({ KeyEditor, commands }) => {
    program.leaveText();
    program.editor.flush();
    program.openDialog = new KeyEditor(program, commands, query);
    program.openDialog.refresh();
    return done;
  });
}
