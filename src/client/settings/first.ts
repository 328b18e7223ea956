// Settings that the first screen reads. They stand in their tabs beside the others: general.ts, behavior.ts. The other words that
// people search for are in catalog.ts, which is loaded later.
import { type Choice, choice, toggle } from './setting.ts';

let clock: Intl.DateTimeFormat | undefined;

/** A choice that is a time of day, "09:00" or "9:00 AM" as the device writes it. `minute`: of the day. */
export const timeChoice = (value: number, minute: number): Choice<number> => ({
  value,
  get title() {
    clock ??= new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone: 'UTC' });
    return clock.format(minute * 60_000);
  },
});

/** Whole hours from midnight. */
export const hourChoices = (last: number): readonly Choice<number>[] =>
  Array.from({ length: last + 1 }, (_, hour) => timeChoice(hour, hour * 60));

/** Hour at which a new day begins, 0–12; until then it is still yesterday. */
export const dayStart = choice<number>({
  key: 'dayStart',
  title: 'Day starts at',
  tab: 'Behavior',
  scope: 'account',
  fallback: 0,
  choices: hourChoices(12),
});

/** Whether Tab indents in the outline or moves the focus. */
export const tabKey = choice<'indents' | 'moves'>({
  key: 'tab',
  title: 'Tab key in the outline',
  tab: 'Keys',
  scope: 'device',
  fallback: 'indents',
  command: 'view.tabMovesFocus',
  choices: [
    { value: 'indents', title: 'Indents' },
    { value: 'moves', title: 'Moves the focus' },
  ],
});

/** Whether lists hide tasks before their start; single lists may differ (`LIST_HIDES`). */
export const hideUnstarted = toggle({
  key: 'hideUnstarted',
  title: 'Hide tasks that haven’t started',
  tab: 'Behavior',
  scope: 'account',
  fallback: false,
});

/** Whether subtasks of a repeating task become open again with it. */
export const repeatChildren = toggle({
  key: 'repeatChildren',
  title: 'Repeat subtasks of repeating tasks',
  tab: 'Behavior',
  scope: 'account',
  fallback: true,
});

/** Hardcore Mode: whether the mouse is turned off (keys/hardcore.ts). */
export const hardcore = toggle({
  key: 'hardcore',
  title: 'Hardcore Mode',
  tab: 'Behavior',
  scope: 'device',
  fallback: false,
  command: 'view.hardcore',
});
