// Which changes of rows make reminders due at another moment. Looked at inside the write transaction, so it must be cheap: it
// only names what is to be reckoned anew (due-index.ts), and never reads.
import type { Id } from '#core/ids.ts';
import { dayMinuteSetting, isReminderRegister } from '#core/reminders.ts';
import type { Row } from '#sync/row.ts';
import type { ReminderMarks } from '../data/store.ts';

/** Registers of a task that decide whether and when it rings. */
const DECIDING = ['due', 'status', 'del'] as const;
const SETTINGS: ReadonlySet<unknown> = new Set([dayMinuteSetting, 'dayStart']);

export interface WrittenRow {
  readonly stored: Row | undefined;
  readonly row: Row;
}

function holds({ fields }: Row): boolean {
  for (const register in fields) if (isReminderRegister(register)) return true;
  return false;
}

/** Undefined when nothing has to be looked at. */
export function marksOf(written: Iterable<WrittenRow>): ReminderMarks | undefined {
  const held: { scope: Id; task: Id }[] = [];
  const tasks: Id[] = [];
  const scopes = new Set<Id>();
  for (const { stored, row } of written) {
    if (row.type === 'mine') {
      if (holds(row) || (stored !== undefined && holds(stored)))
        held.push({ scope: row.scope, task: row.fields['of'] as Id });
    } else if (row.type === 'task') {
      if (stored === undefined || DECIDING.some((name) => stored.fields[name] !== row.fields[name]))
        tasks.push(row.id);
    } else if (row.type === 'setting' && SETTINGS.has(row.fields['key'])) scopes.add(row.scope);
  }
  if (held.length + tasks.length + scopes.size === 0) return undefined;
  return { held, tasks, scopes: [...scopes] };
}
