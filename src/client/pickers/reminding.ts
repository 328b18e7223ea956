// What choosing a reminder does to the tasks it was for: one undo step, and a sentence that says it.
import { readRecord } from '#core/json.ts';
import { english } from '#core/dates/vocabulary.ts';
import {
  isReminderRegister,
  type Reminder,
  reminderLimits,
  reminderMoment,
  remindersIn,
  registerOf,
} from '#core/reminders.ts';
import { isWhen, type When } from '#core/when.ts';
import type { Action } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { inBatches } from '../commands/rows.ts';
import { mineOf, setMine } from '../mine.ts';
import type { Program } from '../program.ts';
import { reminderContext } from '../reminders/context.ts';
import { saidReminder, sayReminder } from '../reminders/words.ts';
import { pickedRows } from './picker.ts';
import { readReminders, type RemindChoice } from './remind-picker.ts';
import { sayWhen } from './saying.ts';

function isReminder(value: unknown): value is Reminder {
  if (typeof value !== 'object' || value === null) return false;
  const { before, when } = value as Readonly<Record<string, unknown>>;
  if (before === undefined) return isWhen(when);
  return typeof before === 'number' && before >= 0 && before <= reminderLimits.beforeMinutes;
}

/** `value` is what the picker made, or words. */
function given(program: Program, value: string): RemindChoice | null {
  if (!value.startsWith('{')) {
    const [reminder] = readReminders(value, program);
    return reminder ? { add: reminder } : null;
  }
  // Words that begin with a brace say no reminder.
  const { add, remove } = readRecord(value);
  if (isReminder(add)) return { add };
  return typeof remove === 'string' && isReminderRegister(remove) ? { remove } : null;
}

export function applyReminder(program: Program, value: string): CommandResult {
  const rows = pickedRows(program);
  if (english.none.includes(value.trim().toLowerCase())) return removeAll(program, rows);
  const choice = given(program, value);
  if (choice === null) return refused(`“${value}” is no reminder.`);
  return 'add' in choice ? add(program, rows, choice.add) : remove(program, rows, choice.remove);
}

function nameOf(program: Program, rows: readonly Row[]): string {
  return program.describe(rows.map(({ id }) => id));
}

function add(program: Program, rows: readonly Row[], reminder: Reminder): CommandResult {
  const { replica } = program;
  const register = registerOf(reminder);
  const isFull = rows.some(({ id }) => {
    const held = remindersIn(mineOf(replica, id)?.fields);
    return held.length >= reminderLimits.perTask && held.every((one) => one.register !== register);
  });
  if (isFull) return refused(`A task has at most ${reminderLimits.perTask} reminders. Remove one first.`);
  const dated = 'when' in reminder ? rows : rows.filter((row) => dueOf(row) !== null);
  if (dated.length === 0) return refused('Set a due date first, or say a moment like “tomorrow 9am”.');
  const name = nameOf(program, dated);
  const context = program.moment();
  const [only] = dated;
  const moment = reminderMoment(reminder, only ? dueOf(only) : null, reminderContext(program));
  if ('when' in reminder && moment !== null && moment <= context.now)
    return refused('That has passed. Say a later time.');
  const actions = dated.flatMap(({ id }) => setMine(replica, id, { [register]: reminder }));
  inBatches(program, actions, `set a reminder for ${name}`);
  program.reminders.offer();
  const verb = `Reminder set for ${name}`;
  const without = rows.length - dated.length;
  const rest = without === 0 ? '' : ` ${without} without a due date got none.`;
  if (dated.length > 1 || moment === null || 'when' in reminder)
    return announced(`${verb}: ${saidReminder(reminder, context)}.${rest}`);
  const said = sayWhen({ at: moment, zone: context.zone }, context);
  const late = said.isPast ? ' That has passed: it rings when the due date moves.' : '';
  return announced(`${verb}: ${saidReminder(reminder, context)}, ${said.text}.${late}${rest}`);
}

function remove(program: Program, rows: readonly Row[], register: string): CommandResult {
  const { replica } = program;
  const holding = rows.filter(({ id }) => (mineOf(replica, id)?.fields[register] ?? null) !== null);
  const [first] = holding;
  const reminder = first && (mineOf(replica, first.id)?.fields[register] as Reminder | undefined);
  if (!reminder) return refused('That reminder is gone already.', 'info');
  const name = nameOf(program, holding);
  const actions = holding.flatMap(({ id }): Action[] => setMine(replica, id, { [register]: null }));
  inBatches(program, actions, `removed a reminder of ${name}`);
  const context = program.moment();
  return announced(`Removed the reminder of ${name}: ${sayReminder(reminder, context)}.`);
}

function removeAll(program: Program, rows: readonly Row[]): CommandResult {
  const { replica } = program;
  const actions = rows.flatMap(({ id }) => {
    const held = remindersIn(mineOf(replica, id)?.fields);
    return held.flatMap(({ register }) => setMine(replica, id, { [register]: null }));
  });
  const name = nameOf(program, rows);
  const isOne = rows.length === 1;
  if (actions.length === 0) return refused(`${name} ${isOne ? 'has' : 'have'} no reminders.`, 'info');
  inBatches(program, actions, `removed the reminders of ${name}`);
  return announced(`${name} ${isOne ? 'has' : 'have'} no reminders now.`);
}

function dueOf(row: Row): When | null {
  return (row.fields.due as When | null | undefined) ?? null;
}
