// Gives a setting another value: one undo where it follows the account, and a sentence that says it.
import { quoted } from '../editor.ts';
import type { Program } from '../program.ts';
import type { AnySetting, SettingValue } from './setting.ts';

/** Null: what it is where nobody says anything. Returns what is to be said. */
export function changeSetting(program: Program, setting: AnySetting, value: SettingValue | null): string {
  const { settings } = program;
  const said = `${setting.title}: ${setting.say(value ?? setting.fallback)}`;
  if (setting.scope === 'device') settings.keep(setting, value);
  else if (settings.get(setting) !== value) {
    const actions = settings.actions(setting, value);
    if (actions.length > 0) program.change(actions, `changed the setting ${quoted(setting.title)}`);
  }
  return `${said}.`;
}
