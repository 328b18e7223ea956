// Reminders: what one is, how it is named as a register of a person's own row about a task, and the moments it rings at.
// Pure reckoning over rows that are handed in. Not here: waking up (client/reminders/) and sending (server/push/).
import type { Deletion, Status } from './model.ts';
import { isDayWhen, isInstantWhen, type When } from './when.ts';

/** So many minutes before the due date (0: at it), or a moment of its own. */
export type Reminder = { readonly before: number } | { readonly when: When };

/** Each reminder is a register of its own, so that two devices add two and a removed one stays removed. */
export type ReminderRegister = `remind:${string}`;

const PREFIX = 'remind:';
const DAY_MINUTES = 1_440;
const MINUTE_MS = 60_000;

export const reminderLimits = {
  /** A leap year. */
  beforeMinutes: 527_040,
  /** Of one task; more come only from a merge, and ring too. */
  perTask: 20,
  /** What rang longer ago than this is not shown again. */
  shownMs: 7 * 86_400_000,
  /** What could not be sent for so long is not sent any more. */
  sentMs: 86_400_000,
} as const;

/** What a reminder on a calendar day rings at, in minutes of that day, unless the person chose another time. */
export const usualDayMinute = 9 * 60;

/** Key of the setting that holds that choice. */
export const dayMinuteSetting = 'reminderMinute';

/** The choice as it stands, whatever another version wrote there. */
export function dayMinuteOf(value: unknown): number {
  const isMinute = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < DAY_MINUTES;
  return isMinute ? value : usualDayMinute;
}

/** What days and floating times mean to a person. */
export interface ReminderContext {
  /** IANA zone the person is in. */
  readonly zone: string;
  /** Minute of a calendar day at which it rings, 0–1,439. */
  readonly dayMinute: number;
  /** Minute at which a day begins, and what is snoozed until it wakes. */
  readonly wakeMinute: number;
}

/** A row as far as this file reads it; the second part of a stamp is when the register was written. */
export interface StampedRow {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly stamp: readonly [number, number, ...number[]];
  readonly stamps?: Readonly<Record<string, readonly [number, number, ...number[]]>> | undefined;
}

/** One ringing of one reminder. */
export interface Ring {
  readonly register: ReminderRegister;
  readonly reminder: Reminder;
  /** When it was to ring, milliseconds: names the ringing. */
  readonly moment: number;
  /** When it does ring: later than `moment` while the task is snoozed. */
  readonly at: number;
}

export function isReminderRegister(register: string): register is ReminderRegister {
  return register.startsWith(PREFIX);
}

/** The one register that a reminder stands in. */
export function registerOf(reminder: Reminder): ReminderRegister {
  if ('before' in reminder) return `${PREFIX}before-${reminder.before}`;
  const { when } = reminder;
  if (isDayWhen(when)) return `${PREFIX}on-${when.on}`;
  return isInstantWhen(when) ? `${PREFIX}at-${when.at}` : `${PREFIX}local-${when.local}`;
}

/** The reminders that a person's own row about a task holds, sooner ones of the same kind last. */
export function remindersIn(
  fields: Readonly<Record<string, unknown>> | undefined,
): readonly { readonly register: ReminderRegister; readonly reminder: Reminder }[] {
  const found: { register: ReminderRegister; reminder: Reminder }[] = [];
  for (const register in fields) {
    if (!isReminderRegister(register)) continue;
    const reminder = fields[register] as Reminder | null | undefined;
    if (reminder !== null && reminder !== undefined) found.push({ register, reminder });
  }
  return found.length < 2 ? found : found.toSorted((a, b) => orderOf(a.reminder) - orderOf(b.reminder));
}

/** Those before the due date come first, the nearest to it first; then the others in the order they ring. */
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

/** When a reminder of a task that is due then rings; null while it has nothing to count from. */
export function reminderMoment(
  reminder: Reminder,
  due: When | null,
  context: ReminderContext,
): number | null {
  if ('when' in reminder) return momentOf(reminder.when, context);
  if (due === null) return null;
  const { before } = reminder;
  if (before === 0) return momentOf(due, context);
  // A day before is the same time of day, though the clock may have been changed between.
  if (before % DAY_MINUTES === 0)
    return wallOf(due, context).subtract({ days: before / DAY_MINUTES }).epochMilliseconds;
  return momentOf(due, context) - before * MINUTE_MS;
}

function writtenAt({ stamp, stamps }: StampedRow, register: string): number {
  return (stamps?.[register] ?? stamp)[1];
}

/** Until when a snooze lasts; a day begins at its first moment. */
function snoozeEnd(snooze: When | null | undefined, context: ReminderContext): number {
  return snooze === null || snooze === undefined
    ? Number.NEGATIVE_INFINITY
    : momentOf(snooze, { ...context, dayMinute: context.wakeMinute });
}

/** Whether a task is one that never rings: complete, or in the trash itself. */
export function isQuiet({ fields }: Pick<StampedRow, 'fields'>): boolean {
  const status = (fields['status'] ?? null) as Status;
  const deletion = (fields['del'] ?? null) as Deletion | null;
  return status !== null || deletion !== null;
}

/**
 * Every ringing that a task has, past and to come, that was not dealt with: in the order they ring. A moment that had
 * passed when it was given (a due date in the past, a reminder too late) is none. What is above the task is not looked at.
 */
export function ringsOf(task: StampedRow, mine: StampedRow, context: ReminderContext): readonly Ring[] {
  if (isQuiet(task)) return [];
  const due = (task.fields['due'] ?? null) as When | null;
  const dealtWith = (mine.fields['reminded'] as number | undefined) ?? Number.NEGATIVE_INFINITY;
  const awake = snoozeEnd(mine.fields['snooze'] as When | null | undefined, context);
  const rings: Ring[] = [];
  for (const { register, reminder } of remindersIn(mine.fields)) {
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
