// The door to the first run, which is loaded when it is first wanted.
import { lazy } from '../lazy.ts';
import { loadLedger } from '../ledger.ts';
import type { Program } from '../program.ts';

const part = lazy(async () => {
  const [run] = await Promise.all([
    import('./first-run.ts'),
    // What is pressed in it must be answered at once.
    loadLedger(),
  ]);
  return run;
});

/** The preference that says it was gone through on this device. */
export const FIRST_RUN = 'firstRun';

/** For whoever needs it at once. */
export const loadFirstRun = () => part.load();

export function openFirstRun(program: Program): void {
  const show = ({ FirstRun }: Awaited<ReturnType<typeof loadFirstRun>>) => {
    program.leaveText();
    program.editor.flush();
    program.openDialog = new FirstRun(program);
    program.openDialog.refresh();
  };
  if (part.now) {
    show(part.now);
    return;
  }
  program.opening(part.load()).then(
    (loaded) => program.act(() => show(loaded)),
    () =>
      program.act(() =>
        program.say('The first steps could not be loaded. Check the connection and try again.', {
          error: true,
        }),
      ),
  );
}
