// Other words that people search for a setting by: of the settings of the first screen, whose own file is in the first load, here.
import type { AnySetting } from './setting.ts';

const ofFirst: Readonly<Record<string, readonly string[]>> = {
  dayStart: ['day start', 'midnight', 'night owl', 'rollover'],
  tab: ['accessibility', 'indent', 'focus'],
  hideUnstarted: ['start date', 'future tasks', 'defer'],
  repeatChildren: ['children', 'recurring', 'checklist', 'reset subtasks'],
  hardcore: ['mouse', 'keyboard only', 'disable pointer', 'no mouse'],
};

/** Of any setting. */
export const aliasesOf = ({ key, aliases }: AnySetting): readonly string[] => aliases ?? ofFirst[key] ?? [];
