// Applies the choice of a reminder to the target tasks: one undo, and a message.
import { readRecord } from '#core/json.ts';
import { english } from '#core/dates/vocabulary.ts';
import {
  type ReminderRegister,
  isReminderRegister,
  type Reminder,
  reminderLimits,
  reminderMoment,
  remindersIn,
  registerOf,
} from '#core/reminders.ts';
import { isWhen, type When } from '#core/when.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { inBatches } from '../commands/rows.ts';
import { mineOf, setMine } from '../outline/personal-fields.ts';
import type { Program } from '../app/program.ts';
import { reminderContext } from '../reminders/context.ts';
import { saidReminder, sayReminder } from '../reminders/words.ts';
import { pickedRows } from './picker.ts';
import { readReminders, type RemindChoice } from './remind-picker.ts';
import { sayWhen } from './saying.ts';
import { reminders } from '../reminders/part.ts';

function isReminder(value: unknown): value is Reminder {
  if (typeof value !== 'object' || value === null) return false;
  const { before, when } = value as Readonly<Record<string, unknown>>;
  if (before === undefined) return isWhen(when);
  return typeof before === 'number' && before >= 0 && before <= reminderLimits.beforeMinutes;
}

/** `value`: an object made by the picker, or words. */
function given(program: Program, value: string): RemindChoice | null {
  if (!value.startsWith('{')) {
    const [reminder] = readReminders(value, program);
    return reminder ? { add: reminder } : null;
  }
  // Words that begin with a brace contain no reminder.
  const { add, remove } = readRecord(value);
  if (isReminder(add)) return { add };
  return typeof remove === 'string' && isReminderRegister(remove) ? { remove } : null;
}

export function applyReminder(program: Program, value: string): CommandResult {
  const rows = pickedRows(program);
  if (english.none.includes(value.trim().toLowerCase())) return removeAll(program, rows);
  const choice = given(program, value);
  if (choice === null) return refused(`“${value}” isn’t a reminder.`);
  return 'add' in choice ? add(program, rows, choice.add) : remove(program, rows, choice.remove);
}

function nameOf(program: Program, rows: readonly Row[]): string {
  return program.describe(rows.map(({ id }) => id));
}

function add(program: Program, rows: readonly Row[], reminder: Reminder): CommandResult {
  const { replica } = program;
  const register = registerOf(reminder);
  const isFull = rows.some(({ id }) => {
    const held = remindersIn(mineOf(replica, id));
    return held.length >= reminderLimits.perTask && held.every((one) => one.register !== register);
  });
  if (isFull) return refused(`A task can have ${reminderLimits.perTask} reminders. Remove one first.`);
  const dated = 'when' in reminder ? rows : rows.filter((row) => dueOf(row) !== null);
  if (dated.length === 0) return refused('Set a due date first, or type a time, like “tomorrow 9am.”');
  const name = nameOf(program, dated);
  const context = program.moment();
  const [only] = dated;
  const moment = reminderMoment(reminder, only ? dueOf(only) : null, reminderContext(program));
  if ('when' in reminder && moment !== null && moment <= context.now)
    return refused('That’s in the past. Pick a later time.');
  const actions = dated.flatMap(({ id }) => setMine(replica, id, { [register]: reminder }));
  inBatches(program, actions, `set a reminder for ${name}`);
  program.part(reminders).offer();
  const verb = `Reminder set for ${name}`;
  const without = rows.length - dated.length;
  const rest = without === 0 ? '' : ` ${without} without a due date got none.`;
  if (dated.length > 1 || moment === null || 'when' in reminder)
    return announced(`${verb}: ${saidReminder(reminder, context)}.${rest}`);
  const said = sayWhen({ at: moment, zone: context.zone }, context);
  const late = said.isPast ? ' That’s in the past. It rings when the due date moves.' : '';
  return announced(`${verb}: ${saidReminder(reminder, context)}, ${said.text}.${late}${rest}`);
}

function remove(program: Program, rows: readonly Row[], register: ReminderRegister): CommandResult {
  const { replica } = program;
  const holding = rows.filter(({ id }) => fieldOf(mineOf(replica, id), register) !== undefined);
  const [first] = holding;
  const reminder = first && fieldOf(mineOf(replica, first.id), register);
  if (!reminder) return refused('That reminder is already gone.', 'info');
  const name = nameOf(program, holding);
  const actions = holding.flatMap(({ id }): Action[] => setMine(replica, id, { [register]: null }));
  inBatches(program, actions, `removed a reminder of ${name}`);
  const context = program.moment();
  return announced(`Removed the reminder of ${name}: ${sayReminder(reminder, context)}.`);
}

function removeAll(program: Program, rows: readonly Row[]): CommandResult {
  const { replica } = program;
  const actions = rows.flatMap(({ id }) => {
    const held = remindersIn(mineOf(replica, id));
    return held.flatMap(({ register }) => setMine(replica, id, { [register]: null }));
  });
  const name = nameOf(program, rows);
  const isOne = rows.length === 1;
  if (actions.length === 0) return refused(`${name} ${isOne ? 'has' : 'have'} no reminders.`, 'info');
  inBatches(program, actions, `removed the reminders of ${name}`);
  return announced(`${name} ${isOne ? 'has' : 'have'} no reminders now.`);
}

function dueOf(row: Row): When | null {
  return fieldOf(row, 'due') ?? null;
}
