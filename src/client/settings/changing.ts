// Changes the value of a setting: one undo if it follows the account, and a message.
import { quoted } from '../text/editor.ts';
import type { Program } from '../app/program.ts';
import type { AnySetting, SettingValue } from './setting.ts';

/** Null: the default. Returns the message. */
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
