// Commands of the month beside a date picker. Keys and the pointer move in it; the date is written into the field.
import type { MonthStep } from '../pickers/month.ts';
import { type Command, define, done, passed } from '../commands/define.ts';

const hidden = { group: 'Edit', inPalette: false } as const;

const STEPS: readonly (readonly [id: string, title: string, step: MonthStep])[] = [
  ['previousDay', 'Previous day', { days: -1 }],
  ['nextDay', 'Next day', { days: 1 }],
  ['previousWeek', 'Previous week', { days: -7 }],
  ['nextWeek', 'Next week', { days: 7 }],
  ['previousMonth', 'Previous month', { months: -1 }],
  ['nextMonth', 'Next month', { months: 1 }],
  ['previousYear', 'Previous year', { months: -12 }],
  ['nextYear', 'Next year', { months: 12 }],
  ['weekStart', 'First day of the week', { to: 'start of week' }],
  ['weekEnd', 'Last day of the week', { to: 'end of week' }],
];

/** Moving in the month and choosing its day, for keys only. */
export const monthCommands: readonly Command[] = [
  ...STEPS.map(([id, title, step]) =>
    define({
      ...hidden,
      id: `month.${id}`,
      title,
      repeats: true,
      run({ palette }) {
        palette.stepInMonth(step);
        return done;
      },
    }),
  ),
  define({
    ...hidden,
    id: 'month.enter',
    title: 'Go to the calendar',
    run: ({ palette }) => (palette.focusMonth(true) ? done : passed),
  }),
  define({
    ...hidden,
    id: 'month.leave',
    title: 'Back to the field',
    run: ({ palette }) => (palette.focusMonth(false) ? done : passed),
  }),
];
