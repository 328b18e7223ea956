// The setting of the number on the app's icon.
import { choice } from './setting.ts';

/** What the number on the app's icon counts. */
export const iconNumber = choice<'due' | 'inbox' | 'off'>({
  key: 'iconNumber',
  title: 'App icon badge',
  aliases: ['badge', 'counter', 'dock', 'home screen', 'taskbar'],
  tab: 'This app',
  scope: 'device',
  fallback: 'due',
  choices: [
    { value: 'due', title: 'Due today or overdue' },
    { value: 'inbox', title: 'In the Inbox' },
    { value: 'off', title: 'None' },
  ],
});
