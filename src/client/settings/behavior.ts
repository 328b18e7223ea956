// Settings about what tasks do by themselves.
import { dayStart } from './general.ts';
import { choice, toggle } from './setting.ts';

/** Hours after completion; 0: never. */
export const autoClear = choice<number>({
  key: 'autoClear',
  title: 'Automatic clearing',
  aliases: ['clear completed', 'hide done', 'archive completed', 'tidy up'],
  tab: 'Behavior',
  scope: 'account',
  fallback: 24,
  choices: [
    { value: 0, title: 'Off' },
    { value: 1, title: 'After an hour' },
    { value: 24, title: 'After a day' },
    { value: 72, title: 'After three days' },
    { value: 168, title: 'After a week' },
    { value: 720, title: 'After 30 days' },
  ],
});

export const repeatChildren = toggle({
  key: 'repeatChildren',
  title: 'Subtasks of repeating tasks repeat too',
  aliases: ['children', 'recurring', 'checklist', 'reset subtasks'],
  tab: 'Behavior',
  scope: 'account',
  fallback: true,
});

export const keepRepeatChildren = toggle({
  key: 'keepRepeatChildren',
  title: 'Completed subtasks of repeating tasks stay',
  aliases: ['children', 'recurring', 'automatic clearing'],
  tab: 'Behavior',
  scope: 'account',
  fallback: true,
});

export const missedRepeats = choice<'skip' | 'every'>({
  key: 'missedRepeats',
  title: 'Missed repeats',
  aliases: ['recurring', 'catch up', 'overdue repeats'],
  tab: 'Behavior',
  scope: 'account',
  fallback: 'skip',
  choices: [
    { value: 'skip', title: 'Skip to the next' },
    { value: 'every', title: 'Every one in turn' },
  ],
});

export const hideUnstarted = toggle({
  key: 'hideUnstarted',
  title: 'Hide tasks that have not started',
  aliases: ['start date', 'future tasks', 'defer'],
  tab: 'Behavior',
  scope: 'account',
  fallback: false,
});

export const smartListNested = toggle({
  key: 'smartListNested',
  title: 'Nested tasks in smart lists',
  aliases: ['children', 'subtasks', 'disable:nested', 'enable:nested'],
  tab: 'Behavior',
  scope: 'account',
  fallback: true,
});

export const smartListDuplicates = toggle({
  key: 'smartListDuplicates',
  title: 'Duplicates in smart lists',
  aliases: ['twice', 'disable:duplicates', 'enable:duplicates'],
  tab: 'Behavior',
  scope: 'account',
  fallback: true,
});

/** Minutes of the day. */
export const reminderMinute = choice<number>({
  key: 'reminderMinute',
  title: 'Time of reminders on a day',
  aliases: ['reminder hour', 'all day', 'alarm', 'notification time'],
  tab: 'Behavior',
  scope: 'account',
  fallback: 540,
  choices: Array.from({ length: 48 }, (_, half) => ({
    value: half * 30,
    title: `${String(half >> 1).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`,
  })),
});

export const hardcore = toggle({
  key: 'hardcore',
  title: 'Hardcore Mode',
  aliases: ['mouse', 'keyboard only', 'disable pointer', 'no mouse'],
  tab: 'Behavior',
  scope: 'device',
  fallback: false,
  command: 'view.hardcore',
});

export const behaviorSettings = [
  autoClear,
  repeatChildren,
  keepRepeatChildren,
  missedRepeats,
  hideUnstarted,
  smartListNested,
  smartListDuplicates,
  dayStart,
  reminderMinute,
  hardcore,
];
