// The door to the first run, which is loaded when it is first wanted.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { door } from '../door.ts';
import { loadLedger } from '../ledger.ts';
import type { Program } from '../program.ts';

export const firstRunDoor = door('The first steps', async () => {
  const [run] = await Promise.all([
    import('./first-run.ts'),
    // What is pressed in it must be answered at once.
    loadLedger(),
  ]);
  return run;
});

/** The preference that says it was gone through on this device. */
export const FIRST_RUN = 'firstRun';

/** What learning by doing is called: where a finger points first there may be no keys. */
export const lessonTitle = ({ touch }: Pick<Program['platform'], 'touch'>): string =>
  touch ? 'Learn by five practice tasks' : 'Learn the first five keys';

export function openFirstRun(program: Program): CommandResult {
  return program.held.enter(firstRunDoor, ({ FirstRun }) => {
    program.leaveText();
    program.editor.flush();
    program.openDialog = new FirstRun(program);
    program.openDialog.refresh();
    return done;
  });
}
