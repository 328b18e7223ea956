// When time blocks ring: at their start, or a length before it, as reminders of their task do (core/reminders.ts). They are one mechanism: what
// is dismissed, snoozed or completed is so for both. Pure.
import {
  isQuiet,
  type ReminderContext,
  remindersIn,
  type Ring,
  ringsOf,
  snoozeEnd,
  type StampedRow,
  writtenAt,
} from '../reminders.ts';
import { momentOf } from '../when.ts';
import { blocksFor, blocksIn, whenOf } from './blocks.ts';

const MINUTE_MS = 60_000;

/** Key of the setting that says when blocks ring. */
export const blockReminderSetting = 'blockReminder';

/** The value of that setting for “never”. */
export const noBlockReminder = -1;

/** A day. */
const MOST_MINUTES = 1_440;

/** When blocks ring. */
export interface BlockReminding {
  /** Before their start. */
  readonly minutes: number;
  /** When the person said so, milliseconds: what had passed by then doesn't ring. */
  readonly since: number;
}

/** How rings are reckoned, of reminders and of blocks. */
export interface RingContext extends ReminderContext {
  /** Null: blocks don't ring. */
  readonly blocks: BlockReminding | null;
}

/** The setting as it is stored, with the row that holds it; at their start if it says nothing that is known. */
export function blockRemindingOf(
  value: unknown,
  row: Pick<StampedRow<'mine'>, 'stamp' | 'stamps'> | undefined,
): BlockReminding | null {
  if (value === noBlockReminder) return null;
  const isKnown = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_MINUTES;
  const since = row === undefined ? Number.NEGATIVE_INFINITY : writtenAt(row, 'value');
  return { minutes: isKnown ? value : 0, since };
}

/** Whether a personal row has anything that may ring. */
export function holdsRings(mine: Pick<StampedRow<'mine'>, 'fields'> | undefined): boolean {
  return remindersIn(mine).length > 0 || blocksIn(mine).length > 0;
}

/**
 * As `ringsOf`, with those of the blocks for the present occurrence of the task. A block whose time was over when the task woke from a snooze
 * is left out.
 */
export function allRingsOf(
  task: StampedRow<'task'>,
  mine: StampedRow<'mine'>,
  context: RingContext,
): readonly Ring[] {
  const reminders = ringsOf(task, mine, context);
  const { blocks } = context;
  if (blocks === null || isQuiet(task)) return reminders;
  const dealtWith = mine.fields.reminded ?? Number.NEGATIVE_INFINITY;
  const awake = snoozeEnd(mine.fields.snooze, context);
  const rings = blocksFor(mine, task.fields.occ ?? 0).flatMap(({ register, block }): Ring[] => {
    const when = whenOf(block);
    const start = momentOf(when, context.zone);
    const moment = start - blocks.minutes * MINUTE_MS;
    const given = Math.max(writtenAt(mine, register), blocks.since);
    const until = start + block.minutes * MINUTE_MS;
    if (moment <= dealtWith || moment <= given || awake >= until) return [];
    return [{ register, reminder: { when }, block, until, moment, at: Math.max(moment, awake) }];
  });
  return rings.length === 0
    ? reminders
    : [...reminders, ...rings].toSorted((a, b) => a.at - b.at || a.moment - b.moment);
}

/** Whether what began to ring still does at `now`. `longestMs`: how long reminders do. */
export function stillRings(
  { at, until }: Pick<Ring, 'at' | 'until'>,
  now: number,
  longestMs: number,
): boolean {
  return now - at < longestMs && (until === undefined || now < until);
}
