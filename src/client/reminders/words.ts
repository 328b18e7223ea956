// Reminders in words.
import { counted } from '#core/counted.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import type { Reminder } from '#core/reminders.ts';
import type { DateContext } from '../clock/dates.ts';
import { sayWhen } from '../pickers/saying.ts';

const DAY = 1_440;
const WEEK = 7 * DAY;

/** "10 min", "1 day", "2 weeks". */
function sayLength(minutes: number): string {
  const [size, name] =
    minutes > 0 && minutes % WEEK === 0 ? [WEEK, 'week'] : minutes % DAY === 0 ? [DAY, 'day'] : [1, ''];
  if (name === '') return sayDuration(minutes);
  return counted(minutes / size, name);
}

/** "At the due time", "10 min before", "Sat 28 Nov 2026, 09:00". */
export function sayReminder(reminder: Reminder, context: DateContext): string {
  if ('when' in reminder) return sayWhen(reminder.when, context).text;
  return reminder.before === 0 ? 'At the due time' : `${sayLength(reminder.before)} before`;
}

/** The same within a sentence. */
export function saidReminder(reminder: Reminder, context: DateContext): string {
  const text = sayReminder(reminder, context);
  return 'when' in reminder ? `on ${text}` : `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}
