// The door to the editor of keys, which is loaded when it is first wanted or the app is idle.
import { lazy } from '../lazy.ts';
import { loadLedger } from '../ledger.ts';
import { laterPart } from '../later.ts';
import type { Program } from '../program.ts';

const part = lazy(async () => {
  const [{ KeyEditor }, { commands }] = await Promise.all([
    import('./editor.ts'),
    laterPart.load(),
    // What is pressed in it must be answered at once.
    loadLedger(),
  ]);
  return { KeyEditor, commands };
});

/** For whoever needs it at once. */
export const loadKeyEditor = () => part.load();

/** `query`: what to show of the keys, by words. */
export function openKeyEditor(program: Program, query = ''): void {
  const show = ({ KeyEditor, commands }: Awaited<ReturnType<typeof loadKeyEditor>>) => {
    program.leaveText();
    program.editor.flush();
    program.openDialog = new KeyEditor(program, commands, query);
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
        program.say('The list of keys could not be loaded. Check the connection and try again.', {
          error: true,
        }),
      ),
  );
}
