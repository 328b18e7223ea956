// Working hours: the settings that say when somebody works. What they are for is day.ts.
import type { Program } from '../app/program.ts';
import { choice } from '../settings/setting.ts';
import { hourChoices } from '../settings/first.ts';
import type { Span } from './day.ts';

const HOUR = 60;

/** Hour at which work begins, 0–23. */
export const workFrom = choice<number>({
  key: 'workFrom',
  title: 'Work starts at',
  tab: 'Behavior',
  scope: 'account',
  fallback: 9,
  aliases: ['working hours', 'business hours', 'capacity'],
  help: 'Planning a day puts tasks between this hour and the one at which work ends.',
  choices: hourChoices(23),
});

/** Hour at which work ends, 0–23; not after `workFrom`: there is no working time. */
export const workTo = choice<number>({
  key: 'workTo',
  title: 'Work ends at',
  tab: 'Behavior',
  scope: 'account',
  fallback: 17,
  aliases: ['working hours', 'business hours', 'capacity'],
  help: 'Planning a day puts tasks before this hour.',
  choices: hourChoices(23),
});

const DAYS = {
  'mon-fri': [1, 2, 3, 4, 5],
  'mon-sat': [1, 2, 3, 4, 5, 6],
  'sun-thu': [7, 1, 2, 3, 4],
  'every-day': [1, 2, 3, 4, 5, 6, 7],
} as const;

/** The days with working hours. */
export const workDays = choice<keyof typeof DAYS>({
  key: 'workDays',
  title: 'Working days',
  tab: 'Behavior',
  scope: 'account',
  fallback: 'mon-fri',
  aliases: ['weekend', 'working week', 'capacity'],
  help: 'On other days there is no working time to plan.',
  choices: [
    { value: 'mon-fri', title: 'Monday to Friday' },
    { value: 'mon-sat', title: 'Monday to Saturday' },
    { value: 'sun-thu', title: 'Sunday to Thursday' },
    { value: 'every-day', title: 'Every day' },
  ],
});

/** The working hours of a day; null: it has none. `day`: `2026-11-30`. */
export function hoursOf({ settings }: Pick<Program, 'settings'>, day: string): Span | null {
  const days: readonly number[] = DAYS[settings.get(workDays)];
  const from = settings.get(workFrom) * HOUR;
  const to = settings.get(workTo) * HOUR;
  return from < to && days.includes(Temporal.PlainDate.from(day).dayOfWeek) ? { from, to } : null;
}
