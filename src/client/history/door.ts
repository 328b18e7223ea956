// The door to the time machine: what it does is time-machine.ts, loaded when it is first wanted.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { lazy } from '../lazy.ts';
import { loadLedger } from '../ledger.ts';
import type { Program } from '../program.ts';

const part = lazy(async () => {
  const [machine] = await Promise.all([
    import('./time-machine.ts'),
    // Its keys must be answered at once.
    loadLedger(),
  ]);
  return machine;
});

/** For whoever needs it at once. */
export const loadTimeMachine = () => part.load();

/** `root`: a task or list; null: everything. `at`: the line to begin with; `before`: an operation, and the moment before it. */
export function openTimeMachine(
  program: Program,
  root: Id | null,
  { at = null, before = null }: { readonly at?: Id | null; readonly before?: Id | null } = {},
): CommandResult {
  program.leaveText();
  program.editor.flush();
  const show = ({ TimeMachine }: Awaited<ReturnType<typeof loadTimeMachine>>) => {
    program.openDialog?.leave();
    const machine = new TimeMachine(program, root, { at, before });
    program.openDialog = machine;
    machine.refresh();
    void machine.open();
  };
  const { now } = part;
  if (now) show(now);
  else
    program.opening(part.load()).then(
      (loaded) => program.act(() => show(loaded)),
      () =>
        program.act(() =>
          program.say('The time machine could not be loaded. Check the connection and try again.', {
            error: true,
          }),
        ),
    );
  return { type: 'done' };
}
