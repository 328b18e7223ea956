// The door to the dialog of the account's safety: only this is loaded with the commands. What it does is dialog.ts.
import { lazy } from '../lazy.ts';
import { loadLedger } from '../ledger.ts';
import type { Program } from '../program.ts';

const part = lazy(async () => {
  const [dialog] = await Promise.all([import('./dialog.ts'), loadLedger()]);
  return dialog;
});

type Dialog = Awaited<ReturnType<typeof part.load>>;

/** Where the dialog begins: at the account, at its tokens, or with a new token for the clipboard. */
export type SafetyStart = 'account' | 'tokens' | 'copyToken';

export function openSafety(program: Program, start: SafetyStart = 'account'): void {
  const show = ({ SafetyDialog }: Dialog) => {
    program.leaveText();
    program.editor.flush();
    program.openDialog = new SafetyDialog(program, start);
    program.openDialog.refresh();
  };
  part.load().then(
    (loaded) => program.act(() => show(loaded)),
    () =>
      program.act(() =>
        program.say('This part of the app could not be loaded. Check the connection and try again.', {
          error: true,
        }),
      ),
  );
}
