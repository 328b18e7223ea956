// Commands of the month beside a date picker. Keys and the pointer move in it; what is meant is written into the field.
import type { MonthStep } from '../pickers/month.ts';
import { type Command, define, done, passed } from './define.ts';

const hidden = { group: 'Edit', inPalette: false } as const;

const STEPS: readonly (readonly [id: string, title: string, step: MonthStep])[] = [
  ['previousDay', 'The day before', { days: -1 }],
  ['nextDay', 'The day after', { days: 1 }],
  ['previousWeek', 'A week before', { days: -7 }],
  ['nextWeek', 'A week after', { days: 7 }],
  ['previousMonth', 'A month before', { months: -1 }],
  ['nextMonth', 'A month after', { months: 1 }],
  ['previousYear', 'A year before', { months: -12 }],
  ['nextYear', 'A year after', { months: 12 }],
  ['weekStart', 'First day of the week', { to: 'start of week' }],
  ['weekEnd', 'Last day of the week', { to: 'end of week' }],
];

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
    title: 'Go into the month',
    run: ({ palette }) => (palette.focusMonth(true) ? done : passed),
  }),
  define({
    ...hidden,
    id: 'month.leave',
    title: 'Back to the field',
    run: ({ palette }) => (palette.focusMonth(false) ? done : passed),
  }),
];
