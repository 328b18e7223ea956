// Detects row changes that affect reminders. Runs inside the write transaction, so it must be cheap: it only names tasks to
// be computed again (due-index.ts), and never reads.
import type { Id } from '#core/ids.ts';
import { blockReminderSetting } from '#core/calendar/block-rings.ts';
import { isBlockRegister } from '#core/calendar/blocks.ts';
import { dayMinuteSetting, isReminderRegister } from '#core/reminders.ts';
import { fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import type { ReminderMarks } from '../data/store.ts';

/** Registers of a task that decide whether and when it rings. */
const DECIDING = ['due', 'status', 'del', 'occ'] as const;
const SETTINGS: ReadonlySet<unknown> = new Set([dayMinuteSetting, blockReminderSetting, 'dayStart']);

export interface WrittenRow {
  readonly stored: Row | undefined;
  readonly row: Row;
}

function holds({ fields }: Row): boolean {
  for (const register in fields) if (isReminderRegister(register) || isBlockRegister(register)) return true;
  return false;
}

/** Undefined: nothing is affected. `told`: who is to be told of something besides (told.ts). */
export function marksOf(
  written: Iterable<WrittenRow>,
  told: ReminderMarks['told'] = [],
): ReminderMarks | undefined {
  const held: { scope: Id; task: Id }[] = [];
  const tasks: Id[] = [];
  const scopes = new Set<Id>();
  for (const { stored, row } of written) {
    if (row.type === 'mine') {
      if (holds(row) || (stored !== undefined && holds(stored)))
        held.push({ scope: row.scope, task: row.fields['of'] });
    } else if (row.type === 'task') {
      if (stored === undefined || DECIDING.some((name) => registersOf(stored)[name] !== row.fields[name]))
        tasks.push(row.id);
    } else if (row.type === 'mount') {
      // Who has joined a list, again maybe, has reminders of its tasks.
      if (fieldOf(stored, 'joinedAt') !== row.fields.joinedAt) scopes.add(row.scope);
    } else if (row.type === 'setting' && SETTINGS.has(row.fields['key'])) scopes.add(row.scope);
  }
  if (held.length + tasks.length + scopes.size + told.length === 0) return undefined;
  return { held, tasks, scopes: [...scopes], told };
}
