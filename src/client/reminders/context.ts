// What reminders of this person are reckoned with, and the rows they are reckoned from.
import type { ReminderContext } from '#core/reminders.ts';
import { reminderMinute } from '../settings/behavior.ts';
import { dayStart } from '../settings/general.ts';
import type { Program } from '../program.ts';

export function reminderContext({ settings, platform }: Program): ReminderContext {
  return {
    zone: platform.zone(),
    dayMinute: settings.get(reminderMinute),
    wakeMinute: settings.get(dayStart) * 60,
  };
}
