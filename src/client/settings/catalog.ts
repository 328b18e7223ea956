// Every setting of the app. A new one is defined beside similar ones and listed here; its command, its place in the
// dialog and its search follow.
import { appearanceSettings } from './appearance.ts';
import { iconNumber } from './badge.ts';
import { behaviorSettings } from './behavior.ts';
import { entrySettings } from './entry.ts';
import { generalSettings } from './general.ts';
import { linkSelection } from './links.ts';
import { keySettings } from './keys.ts';
import type { Program } from '../app/program.ts';
import type { AnySetting } from './setting.ts';
import { coachHints } from './teaching.ts';
import { touchSettings } from './touch.ts';

/** The settings of the app without those of parts, in the order of the dialog. */
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

/** All settings, including those of parts. */
export const everySetting = ({ parts }: Pick<Program, 'parts'>): readonly AnySetting[] => [
  ...allSettings,
  ...parts.settings,
];

/** The command that changes a setting. */
export function commandOf({ key, command }: AnySetting): string {
  return command ?? `setting.${key}`;
}

/** Other words for the settings of the first screen, whose own file is in the first load. */
const ofFirst: Readonly<Record<string, readonly string[]>> = {
  dayStart: ['day start', 'midnight', 'night owl', 'rollover'],
  tab: ['accessibility', 'indent', 'focus'],
  hideUnstarted: ['start date', 'future tasks', 'defer'],
  repeatChildren: ['children', 'recurring', 'checklist', 'reset subtasks'],
  hardcore: ['mouse', 'keyboard only', 'disable pointer', 'no mouse'],
};

/** Of any setting. */
export const aliasesOf = ({ key, aliases }: AnySetting): readonly string[] => aliases ?? ofFirst[key] ?? [];
