// Context for computing this person's reminders, and their rows.
import { blockRemindingOf, type RingContext } from '#core/calendar/block-rings.ts';
import { settingId } from '#core/ids.ts';
import { blockReminder } from './block-reminder.ts';
import { reminderMinute } from '../settings/behavior.ts';
import { dayStart } from '../settings/first.ts';
import type { Program } from '../app/program.ts';

/** The zone and the times of day from which reminders are computed, in minutes of the day. */
export function reminderContext({ settings, platform, replica }: Program): RingContext {
  const row = replica.row(settingId(replica.scope, blockReminder.key));
  return {
    zone: platform.zone(),
    dayMinute: settings.get(reminderMinute),
    wakeMinute: settings.get(dayStart) * 60,
    blocks: blockRemindingOf(settings.get(blockReminder), row),
  };
}
