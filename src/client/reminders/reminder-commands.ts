// Commands on alerts: the reminder in the banner, and notifications outside the app. Reminders are set in
// pickers/date-commands.ts.
import type { Id } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import type { Availability, CommandResult } from '../commands/command.ts';
import { type Command, define } from '../commands/define.ts';
import { reminders } from './part.ts';

function needsRing(program: Program): Availability {
  return program.part(reminders).view.get()?.kind === 'ring' ? null : 'No reminder is ringing.';
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

/** Acting on the ringing reminder, and turning notifications on. */
export const reminderCommands: readonly Command[] = [
  aboutRing({
    id: 'reminder.open',
    title: 'Open the reminder’s task',
    aliases: ['go to reminder', 'show reminder'],
    run: (program) => program.part(reminders).run(({ openTask }, _bell, id) => openTask(program, id)),
  }),
  aboutRing({
    id: 'reminder.complete',
    title: 'Complete the reminder’s task',
    aliases: ['done with reminder', 'finish reminder'],
    run: (program) => program.part(reminders).run(({ complete }, _bell, id) => complete(program, id)),
  }),
  aboutRing({
    id: 'reminder.snooze',
    title: 'Remind me again in 10 minutes',
    aliases: ['remind again', 'later', 'ring again'],
    run: (program) => program.part(reminders).run(({ snooze }, _bell, id) => snooze(program, id, 'minutes')),
  }),
  aboutRing({
    id: 'reminder.snoozeHour',
    title: 'Remind me again in an hour',
    aliases: ['remind again in an hour', 'later'],
    run: (program) => program.part(reminders).run(({ snooze }, _bell, id) => snooze(program, id, 'hour')),
  }),
  aboutRing({
    id: 'reminder.snoozeTomorrow',
    title: 'Remind me again tomorrow',
    aliases: ['remind again tomorrow', 'later'],
    run: (program) => program.part(reminders).run(({ snooze }, _bell, id) => snooze(program, id, 'tomorrow')),
  }),
  aboutRing({
    id: 'reminder.dismiss',
    title: 'Dismiss the reminder',
    aliases: ['close reminder', 'stop reminding', 'acknowledge'],
    run: (program) =>
      program.part(reminders).run(({ dismiss }, _bell, id) => dismiss(program, id === null ? [] : [id])),
  }),
  aboutRing({
    id: 'reminder.dismissAll',
    title: 'Dismiss all ringing reminders',
    aliases: ['close all reminders', 'acknowledge all'],
    run: (program) => program.part(reminders).run(({ dismiss }, bell) => dismiss(program, bell.all)),
  }),
  define({
    id: 'reminder.answer',
    title: 'Answer a reminder notification',
    aliases: ['notification answer', 'notice'],
    group: 'Tasks',
    inPalette: false,
    isAboutTask: false,
    args: [
      { name: 'task', kind: 'task', prompt: 'Which task?' },
      { name: 'answer', kind: 'text', prompt: 'open, complete, snooze or dismiss' },
    ],
    run: (program, { task, answer = '' }) =>
      program.part(reminders).run((acts) => acts.answer(program, task as Id, answer)),
  }),
  define({
    id: 'reminder.notify',
    title: 'Turn on notifications for reminders',
    aliases: ['allow notifications', 'push', 'remind me when closed', 'alerts'],
    group: 'Application',
    run: (program) => program.part(reminders).run(({ turnOn }, bell) => turnOn(program, bell)),
  }),
  define({
    id: 'reminder.notNow',
    title: 'Don’t ask about notifications on this device',
    aliases: ['no notifications'],
    group: 'Application',
    inPalette: false,
    run: (program) => program.part(reminders).run(({ notNow }, bell) => notNow(program, bell)),
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
    run: (program) => program.part(reminders).run(({ toggleTitles }) => toggleTitles(program)),
  }),
];
