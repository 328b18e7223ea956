// The door to the time machine: what it does is time-machine.ts, loaded when it is first wanted.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { door } from '../door.ts';
import { loadLedger } from '../ledger.ts';
import type { Program } from '../program.ts';

export const timeMachineDoor = door('The time machine', async () => {
  const [machine] = await Promise.all([
    import('./time-machine.ts'),
    // Its keys must be answered at once.
    loadLedger(),
  ]);
  return machine;
});

export const historyDoor = door('The history', () => import('./book.ts'));

/** `root`: a task or list; null: everything. `at`: the line to begin with; `before`: an operation, and the moment before it. */
export function openTimeMachine(
  program: Program,
  root: Id | null,
  { at = null, before = null }: { readonly at?: Id | null; readonly before?: Id | null } = {},
): CommandResult {
  program.leaveText();
  program.editor.flush();
  return program.held.enter(timeMachineDoor, ({ TimeMachine }) => {
    program.openDialog?.leave();
    const machine = new TimeMachine(program, root, { at, before });
    program.openDialog = machine;
    machine.refresh();
    void machine.open();
    return done;
  });
}
