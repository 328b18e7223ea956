// Every setting there is. A new one is defined beside its like and named here; its command, its place in the dialog and its
// being found follow.
import { appearanceSettings } from './appearance.ts';
import { iconNumber } from './badge.ts';
import { behaviorSettings } from './behavior.ts';
import { entrySettings } from './entry.ts';
import { generalSettings } from './general.ts';
import { linkSelection } from './links.ts';
import { keySettings } from './keys.ts';
import type { AnySetting } from './setting.ts';
import { coachHints } from './teaching.ts';
import { touchSettings } from './touch.ts';

export const allSettings: readonly AnySetting[] = [
  ...generalSettings,
  ...keySettings,
  coachHints,
  ...behaviorSettings,
  linkSelection,
  ...entrySettings,
  ...touchSettings,
  ...appearanceSettings,
  iconNumber,
];

/** The command that changes a setting. */
export function commandOf({ key, command }: AnySetting): string {
  return command ?? `setting.${key}`;
}
