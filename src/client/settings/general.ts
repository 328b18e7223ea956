// Settings of dates in words and of keys.
import { hourChoices, tabKey } from './first.ts';
import { choice } from './setting.ts';

/** First day of the week; `auto` follows the language. */
export const weekStart = choice<'auto' | 'monday' | 'saturday' | 'sunday'>({
  key: 'weekStart',
  title: 'First day of the week',
  aliases: ['week starts', 'monday', 'sunday', 'calendar'],
  tab: 'General',
  scope: 'account',
  fallback: 'auto',
  choices: [
    { value: 'auto', title: 'My language’s usual day' },
    { value: 'monday', title: 'Monday' },
    { value: 'saturday', title: 'Saturday' },
    { value: 'sunday', title: 'Sunday' },
  ],
});

/** Whether “next week” means its Monday, or the same weekday. */
export const nextWeek = choice<'first day' | 'same weekday'>({
  key: 'nextWeek',
  title: 'Meaning of “next week”',
  aliases: ['dates in words'],
  tab: 'General',
  scope: 'account',
  fallback: 'first day',
  choices: [
    { value: 'first day', title: 'Monday of next week' },
    { value: 'same weekday', title: 'This weekday in seven days' },
  ],
});

const partOfDay = (part: string, fallback: number) =>
  choice<number>({
    key: `hour${part.charAt(0).toUpperCase()}${part.slice(1)}`,
    title: `Hour of “${part}”`,
    aliases: ['dates in words', 'snooze', 'time of day'],
    tab: 'General',
    scope: 'account',
    fallback,
    choices: hourChoices(23),
  });

/** The hour of “morning”, 0–23. */
export const morning = partOfDay('morning', 9);
/** The hour of “afternoon”, 0–23. */
export const afternoon = partOfDay('afternoon', 15);
/** The hour of “evening”, 0–23. */
export const evening = partOfDay('evening', 18);
/** The hour of “night”, 0–23. */
export const night = partOfDay('night', 20);

export const generalSettings = [weekStart, nextWeek, morning, afternoon, evening, night, tabKey];
