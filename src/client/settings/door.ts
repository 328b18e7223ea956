// The door to the settings dialog: only this is part of the first load. What it does is dialog.ts.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { door } from '../door.ts';
import { loadLedger } from '../ledger.ts';
import type { Program } from '../program.ts';
import type { SettingTab } from './setting.ts';

export const settingsDoor = door('Settings', async () => {
  const [dialog] = await Promise.all([
    import('./dialog.ts'),
    // What is typed in it must be answered at once.
    loadLedger(),
  ]);
  return dialog;
});

/** `tab`: the one to begin with. */
export function openSettings(program: Program, tab?: SettingTab): CommandResult {
  return program.held.enter(settingsDoor, ({ SettingsDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.openDialog = new SettingsDialog(program, tab);
    program.openDialog.refresh();
    return done;
  });
}
