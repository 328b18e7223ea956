// The door to find and replace: what it does is dialog.ts, loaded when it is first wanted.
import { lazy } from '../lazy.ts';
import type { Program } from '../program.ts';

const part = lazy(() => import('./dialog.ts'));

/** For whoever needs it at once. */
export const loadReplacing = () => part.load();

type Dialog = Awaited<ReturnType<typeof loadReplacing>>;

export function openReplacing(program: Program): void {
  const show = ({ ReplaceDialog }: Dialog) => {
    program.leaveText();
    program.editor.flush();
    program.openDialog = new ReplaceDialog(program);
    program.openDialog.refresh();
  };
  const { now } = part;
  if (now) show(now);
  else
    program.opening(part.load()).then(
      (loaded) => program.act(() => show(loaded)),
      () =>
        program.act(() =>
          program.say('Find and replace could not be loaded. Check the connection and try again.', {
            error: true,
          }),
        ),
    );
}
