// The setting that says when time blocks remind.
import { blockReminderSetting, noBlockReminder } from '#core/calendar/block-rings.ts';
import { choice } from '../settings/setting.ts';

/** Minutes before a block begins. */
export const blockReminder = choice<number>({
  key: blockReminderSetting,
  title: 'Remind of planned time',
  aliases: ['time block', 'block reminder', 'notification', 'alarm', 'focus time'],
  tab: 'Behavior',
  scope: 'account',
  fallback: 0,
  help: 'When a time block begins, its task reminds you, as its reminders do.',
  choices: [
    { value: noBlockReminder, title: 'Off' },
    { value: 0, title: 'When it begins' },
    { value: 5, title: '5 min before' },
    { value: 10, title: '10 min before' },
    { value: 15, title: '15 min before' },
    { value: 30, title: '30 min before' },
    { value: 60, title: '1 h before' },
  ],
});
