// The door to the settings dialog: only this is part of the first load. What it does is dialog.ts.
import { lazy } from '../lazy.ts';
import { loadLedger } from '../ledger.ts';
import type { Program } from '../program.ts';
import type { SettingTab } from './setting.ts';

const part = lazy(async () => {
  const [dialog] = await Promise.all([
    import('./dialog.ts'),
    // What is typed in it must be answered at once.
    loadLedger(),
  ]);
  return dialog;
});

/** For whoever needs it at once. */
export const loadSettings = () => part.load();

type Dialog = Awaited<ReturnType<typeof loadSettings>>;

/** `tab`: the one to begin with. */
export function openSettings(program: Program, tab?: SettingTab): void {
  const show = ({ SettingsDialog }: Dialog) => {
    program.leaveText();
    program.editor.flush();
    program.openDialog = new SettingsDialog(program, tab);
    program.openDialog.refresh();
  };
  const { now } = part;
  if (now) show(now);
  else
    program.opening(part.load()).then(
      (loaded) => program.act(() => show(loaded)),
      () =>
        program.act(() =>
          program.say('Settings could not be loaded. Check the connection and try again.', { error: true }),
        ),
    );
}
