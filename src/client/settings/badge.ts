// What the number on the app's icon counts.
import { choice } from './setting.ts';

export const iconNumber = choice<'due' | 'inbox' | 'off'>({
  key: 'iconNumber',
  title: 'Number on the app’s icon',
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
