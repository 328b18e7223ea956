// Settings of automatic behavior of tasks.
import { dayStart, hardcore, hideUnstarted, repeatChildren, timeChoice } from './first.ts';
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

/** Whether completed subtasks of repeating tasks are exempt from automatic clearing. */
export const keepRepeatChildren = toggle({
  key: 'keepRepeatChildren',
  title: 'Keep completed subtasks of repeating tasks',
  aliases: ['children', 'recurring', 'automatic clearing'],
  tab: 'Behavior',
  scope: 'account',
  fallback: true,
});

/** Whether a repeat skips missed dates or takes every one in turn. */
export const missedRepeats = choice<'skip' | 'every'>({
  key: 'missedRepeats',
  title: 'Missed repeats',
  aliases: ['recurring', 'catch up', 'overdue repeats'],
  tab: 'Behavior',
  scope: 'account',
  fallback: 'skip',
  choices: [
    { value: 'skip', title: 'Skip to the next' },
    { value: 'every', title: 'Keep every date' },
  ],
});

/** Whether smart lists show subtasks under their matches; a query may override it. */
export const smartListNested = toggle({
  key: 'smartListNested',
  title: 'Nested tasks in smart lists',
  aliases: ['children', 'subtasks', 'disable:nested', 'enable:nested'],
  tab: 'Behavior',
  scope: 'account',
  fallback: true,
});

/** Whether a match that is also under another match appears twice in a smart list; a query may override it. */
export const smartListDuplicates = toggle({
  key: 'smartListDuplicates',
  title: 'Duplicates in smart lists',
  aliases: ['twice', 'disable:duplicates', 'enable:duplicates'],
  tab: 'Behavior',
  scope: 'account',
  fallback: true,
});

/** Minute of the day. */
export const reminderMinute = choice<number>({
  key: 'reminderMinute',
  title: 'All-day reminder time',
  aliases: ['reminder hour', 'all day', 'alarm', 'notification time'],
  tab: 'Behavior',
  scope: 'account',
  fallback: 540,
  choices: Array.from({ length: 48 }, (_, half) => timeChoice(half * 30, half * 30)),
});

/** Whether the server of an encrypted account is told when reminders ring, so that it can remind while the app is closed. */
export const wakeClosed = toggle({
  key: 'wakeClosed',
  title: 'Remind while closed, with encryption',
  aliases: ['encrypted reminders', 'notifications', 'closed app', 'end-to-end encryption'],
  tab: 'Behavior',
  scope: 'account',
  fallback: false,
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
  wakeClosed,
  hardcore,
];
