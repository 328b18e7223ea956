// Commands about what rings: the reminder in the banner, and notices outside the app. Setting one is in dates.ts.
import type { Id } from '#core/ids.ts';
import type { Program } from '../program.ts';
import type { Availability, CommandResult } from './command.ts';
import { type Command, define } from './define.ts';

function needsRing(program: Program): Availability {
  return program.reminders.view.get()?.kind === 'ring' ? null : 'No reminder rings now.';
}

interface RingSpec {
  readonly id: string;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly run: (program: Program) => CommandResult;
}

function aboutRing(spec: RingSpec): Command {
  return define({ ...spec, group: 'Tasks', isAboutTask: false, when: needsRing });
}

export const reminderCommands: readonly Command[] = [
  aboutRing({
    id: 'reminder.open',
    title: 'Open the task of the reminder',
    aliases: ['go to reminder', 'show reminder'],
    run: (program) => program.reminders.run(({ openTask }, _bell, id) => openTask(program, id)),
  }),
  aboutRing({
    id: 'reminder.complete',
    title: 'Complete the task of the reminder',
    aliases: ['done with reminder', 'finish reminder'],
    run: (program) => program.reminders.run(({ complete }, _bell, id) => complete(program, id)),
  }),
  aboutRing({
    id: 'reminder.snooze',
    title: 'Snooze the reminder for 10 minutes',
    aliases: ['remind again', 'later', 'ring again'],
    run: (program) => program.reminders.run(({ snooze }, _bell, id) => snooze(program, id, 'minutes')),
  }),
  aboutRing({
    id: 'reminder.snoozeHour',
    title: 'Snooze the reminder for an hour',
    aliases: ['remind again in an hour', 'later'],
    run: (program) => program.reminders.run(({ snooze }, _bell, id) => snooze(program, id, 'hour')),
  }),
  aboutRing({
    id: 'reminder.snoozeTomorrow',
    title: 'Snooze the reminder until tomorrow',
    aliases: ['remind again tomorrow', 'later'],
    run: (program) => program.reminders.run(({ snooze }, _bell, id) => snooze(program, id, 'tomorrow')),
  }),
  aboutRing({
    id: 'reminder.dismiss',
    title: 'Dismiss the reminder',
    aliases: ['close reminder', 'stop reminding', 'acknowledge'],
    run: (program) =>
      program.reminders.run(({ dismiss }, _bell, id) => dismiss(program, id === null ? [] : [id])),
  }),
  aboutRing({
    id: 'reminder.dismissAll',
    title: 'Dismiss all reminders that ring',
    aliases: ['close all reminders', 'acknowledge all'],
    run: (program) => program.reminders.run(({ dismiss }, bell) => dismiss(program, bell.all)),
  }),
  define({
    id: 'reminder.answer',
    title: 'Answer a notice of a reminder',
    aliases: ['notification answer', 'notice'],
    group: 'Tasks',
    inPalette: false,
    isAboutTask: false,
    args: [
      { name: 'task', kind: 'task', prompt: 'Which task?' },
      { name: 'answer', kind: 'text', prompt: 'open, complete, snooze or dismiss' },
    ],
    run: (program, { task, answer = '' }) =>
      program.reminders.run((acts) => acts.answer(program, task as Id, answer)),
  }),
  define({
    id: 'reminder.notify',
    title: 'Turn on notifications for reminders',
    aliases: ['allow notifications', 'push', 'remind me when closed', 'alerts'],
    group: 'Application',
    run: (program) => program.reminders.run(({ turnOn }, bell) => turnOn(program, bell)),
  }),
  define({
    id: 'reminder.notNow',
    title: 'Do not offer notifications on this device',
    aliases: ['no notifications'],
    group: 'Application',
    inPalette: false,
    run: (program) => program.reminders.run(({ notNow }, bell) => notNow(program, bell)),
  }),
  define({
    id: 'reminder.titles',
    title: 'Hide titles in notifications on this device',
    aliases: ['private notifications', 'lock screen', 'show titles in notifications'],
    group: 'Application',
    titleNow: ({ platform }) =>
      platform.notifications.showsTitles
        ? 'Hide titles in notifications on this device'
        : 'Show titles in notifications on this device',
    run: (program) => program.reminders.run(({ toggleTitles }) => toggleTitles(program)),
  }),
];
