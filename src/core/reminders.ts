// Reminders: their values, their registers in a person's own row of a task, and the moments they ring at. Pure
// functions over given rows. Not here: waking up (client/reminders/) and sending (server/push/).
import type { Block, BlockRegister } from './calendar/blocks.ts';
import { DAY_MS } from './time.ts';
import type { FieldsOf } from './model.ts';
import { isDayWhen, isInstantWhen, type When } from './when.ts';

/** Minutes before the due date (0: at it), or a moment of its own. */
export type Reminder = { readonly before: number } | { readonly when: When };

/** Each reminder is its own register, so that two devices can add two and a removed one stays removed. */
export type ReminderRegister = `remind:${string}`;

const PREFIX = 'remind:';
const DAY_MINUTES = 1_440;
const MINUTE_MS = 60_000;

/** Limits of reminders, and how long a late one is still delivered. */
export const reminderLimits = {
  /** Moments that are written down of a task in an encrypted account. */
  wakes: 8,
  /** A leap year. */
  beforeMinutes: 527_040,
  /** Per task. Only a merge can add more, and those ring too. */
  perTask: 20,
  /** Older alerts are not shown again. */
  shownMs: 7 * DAY_MS,
  /** Older reminders that could not be sent are dropped. */
  sentMs: DAY_MS,
} as const;

/** Default time of a reminder on a calendar day, in minutes of that day. */
export const usualDayMinute = 9 * 60;

/** Key of the setting with the person's own time. */
export const dayMinuteSetting = 'reminderMinute';

/** The value of that setting; the default if another version wrote something else. */
export function dayMinuteOf(value: unknown): number {
  const isMinute = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < DAY_MINUTES;
  return isMinute ? value : usualDayMinute;
}

/** How days and floating times become moments for a person. */
export interface ReminderContext {
  /** IANA zone the person is in. */
  readonly zone: string;
  /** Minute of a calendar day at which it rings, 0–1,439. */
  readonly dayMinute: number;
  /** Minute at which a day begins and snoozed tasks wake. */
  readonly wakeMinute: number;
}

/** The part of a row that this file reads. The second number of a stamp is when the register was written. */
export interface StampedRow<T extends 'task' | 'mine'> {
  readonly fields: FieldsOf<T>;
  readonly stamp: readonly [number, number, ...number[]];
  readonly stamps?: Readonly<Record<string, readonly [number, number, ...number[]]>> | undefined;
}

/** One ringing of one reminder, or of a time block (calendar/block-rings.ts). */
export interface Ring {
  readonly register: ReminderRegister | BlockRegister;
  readonly reminder: Reminder;
  /** The block that begins; absent: a reminder rings. */
  readonly block?: Block;
  /** When the time of the block is over, and it rings no more. */
  readonly until?: number;
  /** When it was due to ring, milliseconds; identifies the ring. */
  readonly moment: number;
  /** When it actually rings: later than `moment` while the task is snoozed. */
  readonly at: number;
}

/** Whether a register of a personal row holds a reminder. */
export function isReminderRegister(register: string): register is ReminderRegister {
  return register.startsWith(PREFIX);
}

/** The register of a reminder: equal reminders share one. */
export function registerOf(reminder: Reminder): ReminderRegister {
  if ('before' in reminder) return `${PREFIX}before-${reminder.before}`;
  const { when } = reminder;
  if (isDayWhen(when)) return `${PREFIX}on-${when.on}`;
  return isInstantWhen(when) ? `${PREFIX}at-${when.at}` : `${PREFIX}local-${when.local}`;
}

/** The reminders of a personal row: those before the due date, the nearest first, then the others as they ring. */
export function remindersIn(
  mine: { readonly fields: FieldsOf<'mine'> } | undefined,
): readonly { readonly register: ReminderRegister; readonly reminder: Reminder }[] {
  const found: { register: ReminderRegister; reminder: Reminder }[] = [];
  for (const register in mine?.fields) {
    if (!isReminderRegister(register)) continue;
    const reminder = mine.fields[register];
    if (reminder !== undefined) found.push({ register, reminder });
  }
  return found.length < 2 ? found : found.toSorted((a, b) => orderOf(a.reminder) - orderOf(b.reminder));
}

/** Reminders before the due date come first, the nearest first; then the others in the order they ring. */
function orderOf(reminder: Reminder): number {
  if ('before' in reminder) return reminder.before - reminderLimits.beforeMinutes;
  return momentOf(reminder.when, { zone: 'UTC', dayMinute: usualDayMinute, wakeMinute: 0 });
}

function wallOf(when: When, { zone, dayMinute }: ReminderContext): Temporal.ZonedDateTime {
  if (isInstantWhen(when))
    return Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone);
  if (!isDayWhen(when)) return Temporal.PlainDateTime.from(when.local).toZonedDateTime(zone);
  const plainTime = { hour: Math.floor(dayMinute / 60), minute: dayMinute % 60 };
  return Temporal.PlainDate.from(when.on).toZonedDateTime({ timeZone: zone, plainTime });
}

function momentOf(when: When, context: ReminderContext): number {
  return isInstantWhen(when) ? when.at : wallOf(when, context).epochMilliseconds;
}

/** When a reminder rings; null while the task has no due date to count from. */
export function reminderMoment(
  reminder: Reminder,
  due: When | null,
  context: ReminderContext,
): number | null {
  if ('when' in reminder) return momentOf(reminder.when, context);
  if (due === null) return null;
  const { before } = reminder;
  if (before === 0) return momentOf(due, context);
  // A day before means the same time of day, even across a clock change.
  if (before % DAY_MINUTES === 0)
    return wallOf(due, context).subtract({ days: before / DAY_MINUTES }).epochMilliseconds;
  return momentOf(due, context) - before * MINUTE_MS;
}

/** When a register was written, milliseconds. */
export function writtenAt(
  { stamp, stamps }: Pick<StampedRow<'task' | 'mine'>, 'stamp' | 'stamps'>,
  register: string,
): number {
  return (stamps?.[register] ?? stamp)[1];
}

/** The end of a snooze; a day begins at its first moment. */
export function snoozeEnd(snooze: When | null | undefined, context: ReminderContext): number {
  return snooze === null || snooze === undefined
    ? Number.NEGATIVE_INFINITY
    : momentOf(snooze, { ...context, dayMinute: context.wakeMinute });
}

/** Whether a task never rings: it is complete, or in the trash itself. */
export function isQuiet({ fields }: Pick<StampedRow<'task'>, 'fields'>): boolean {
  return fields.status !== undefined || fields.del !== undefined;
}

/**
 * All rings of a task, past and future, that are not dealt with, in the order they ring. A moment that had passed when
 * it was set (a due date in the past, a reminder too late) is left out. Ignores the ancestors of the task.
 */
export function ringsOf(
  task: StampedRow<'task'>,
  mine: StampedRow<'mine'>,
  context: ReminderContext,
): readonly Ring[] {
  if (isQuiet(task)) return [];
  const due = task.fields.due ?? null;
  const dealtWith = mine.fields.reminded ?? Number.NEGATIVE_INFINITY;
  const awake = snoozeEnd(mine.fields.snooze, context);
  const rings: Ring[] = [];
  for (const { register, reminder } of remindersIn(mine)) {
    const moment = reminderMoment(reminder, due, context);
    if (moment === null || moment <= dealtWith) continue;
    const given = Math.max(
      writtenAt(mine, register),
      'before' in reminder ? writtenAt(task, 'due') : Number.NEGATIVE_INFINITY,
    );
    if (moment > given) rings.push({ register, reminder, moment, at: Math.max(moment, awake) });
  }
  return rings.toSorted((a, b) => a.at - b.at || a.moment - b.moment);
}
