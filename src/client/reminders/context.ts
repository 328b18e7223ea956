// Context for computing this person's reminders, and their rows.
import type { ReminderContext } from '#core/reminders.ts';
import { reminderMinute } from '../settings/behavior.ts';
import { dayStart } from '../settings/first.ts';
import type { Program } from '../app/program.ts';

/** The zone and the times of day from which reminders are computed, in minutes of the day. */
export function reminderContext({ settings, platform }: Program): ReminderContext {
  return {
    zone: platform.zone(),
    dayMinute: settings.get(reminderMinute),
    wakeMinute: settings.get(dayStart) * 60,
  };
}
