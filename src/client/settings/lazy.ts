// Lazy part of the settings dialog: only this file is in the first load. The rest is dialog.ts.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { loadAnswers } from '../dialogs/answers.ts';
import type { Program } from '../app/program.ts';
import type { SettingTab } from './setting.ts';

/** The settings dialog. Loaded when idle or first needed. */
export const lazySettings = lazyPart('Settings', async () => {
  const [dialog] = await Promise.all([
    import('./dialog.ts'),
    // Typing in it must be answered at once.
    loadAnswers(),
  ]);
  return dialog;
});

/** `tab`: the initial one. */
export function openSettings(program: Program, tab?: SettingTab): CommandResult {
  return program.inputQueue.enter(lazySettings, ({ SettingsDialog }) => {
    program.leaveText();
    program.editor.flush();
    program.dialog.open(new SettingsDialog(program, tab));
    return done;
  });
}
