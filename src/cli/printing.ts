// Tasks as text for a terminal. Control characters in titles and notes never reach it.
import { counted } from '#core/counted.ts';
import { DueDates } from '#client/clock/dates.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import { sayRepeat } from '#core/dates/words.ts';
import { repeatUnits, type RepeatRule } from '#core/model.ts';
import type { When } from '#core/when.ts';
import type { Task } from '#wire/api/client.ts';
import { type KnownList, pathOf } from './names.ts';
import { shortId } from './seen.ts';
import type { World } from './world.ts';

/** On one line, without control and bidi characters. */
export function plainLine(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ').trim();
}

/** As `plainLine`, but keeps line breaks. */
export function plainText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** A time or a day of the API as the app has it; null: neither. */
export function whenOf(at: string | null, day: string | null, zone: string): When | null {
  if (day !== null) return { on: day };
  return at === null ? null : { at: Date.parse(at), zone };
}

/** Dates in words. */
export type Dates = DueDates;
/** Wording of dates, as the app shows them, at the present moment in the person's zone and locale. */
export const datesFor = (world: World): Dates =>
  new DueDates({ now: world.now(), zone: world.zone, locale: world.locale, dayStart: 0 });

function say(dates: Dates, at: string | null, day: string | null): string | null {
  const when = whenOf(at, day, dates.context.zone);
  return when === null ? null : dates.show(when).text;
}

/** "due tomorrow · #phone" */
function detailsOf(task: Task, dates: Dates): string {
  const due = say(dates, task.due_at, task.timeless_due_at);
  const start = whenOf(task.starts_at, task.timeless_starts_at, dates.context.zone);
  const starts = start === null ? null : dates.starts(start);
  const snoozed = say(dates, task.snoozed_until, task.timeless_snoozed_until);
  return [
    due === null ? null : `due ${due}`,
    starts,
    snoozed === null ? null : `snoozed until ${snoozed}`,
    task.repeat_unit === null ? null : 'repeats',
    task.duration_minutes === null ? null : sayDuration(task.duration_minutes),
    ...task.label_names.map((name) => `#${plainLine(name)}`),
    task.comment_count === 0 ? null : counted(task.comment_count, 'comment'),
    task.notes === '' ? null : 'notes',
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

export interface Showing {
  readonly dates: Dates;
  /** Indents tasks by their level. */
  readonly isOutline: boolean;
  readonly isDim: boolean;
}

/** One task on one line: short id, checkbox, title, details. */
export function taskLine(task: Task, { dates, isOutline, isDim }: Showing): string {
  const dim = (text: string) => (isDim && text !== '' ? `\u001b[2m${text}\u001b[22m` : text);
  const details = detailsOf(task, dates);
  const indent = isOutline ? '  '.repeat(Math.min(task.indent_level, 40)) : '';
  const title = plainLine(task.title) || 'Untitled';
  const box = task.is_complete ? '[x]' : '[ ]';
  return `${dim(shortId(task.id))}  ${indent}${box} ${title}${details === '' ? '' : `  ${dim(details)}`}`;
}

/** Sorts tasks as their list shows them. */
export function inOrder(tasks: readonly Task[]): readonly Task[] {
  return tasks.toSorted((a, b) => a.order_index - b.order_index);
}

/** The API's repeat fields as a rule; null: no repeat. */
export function repeatOf(task: Task): RepeatRule | null {
  const unit = repeatUnits.find((known) => known === task.repeat_unit);
  if (task.repeat_value === null || unit === undefined) return null;
  return {
    value: task.repeat_value,
    unit,
    metadata: task.repeat_unit_metadata as RepeatRule['metadata'],
    from: task.repeat_from === 'completion' ? 'completion' : 'due date',
    missed: 'skip',
    anchorDay: null,
  };
}

/** Everything about one task, one fact per line. */
export function taskPage(task: Task, lists: readonly KnownList[], dates: Dates): string {
  const list = lists.find(({ id }) => id === task.list_id);
  const rule = repeatOf(task);
  const repeat = rule === null ? null : sayRepeat(rule);
  const lines: readonly (readonly [name: string, value: string | null])[] = [
    ['id', task.id],
    ['list', list ? pathOf(list, lists).map(plainLine).join(' / ') : null],
    ['under', task.parent_id === null ? null : shortId(task.parent_id)],
    ['done', task.completed_at === null ? null : say(dates, task.completed_at, null)],
    ['due', say(dates, task.due_at, task.timeless_due_at)],
    ['starts', say(dates, task.starts_at, task.timeless_starts_at)],
    ['snoozed', say(dates, task.snoozed_until, task.timeless_snoozed_until)],
    ['repeats', repeat],
    ['takes', task.duration_minutes === null ? null : sayDuration(task.duration_minutes)],
    ['labels', task.label_names.length === 0 ? null : task.label_names.map(plainLine).join(', ')],
    ['assigned', task.assignee_user_id === null ? null : `person ${task.assignee_user_id}`],
    ['comments', task.comment_count === 0 ? null : String(task.comment_count)],
    ['files', task.todo_item_attachments.map(({ name }) => plainLine(name)).join(', ') || null],
    ['metadata', Object.keys(task.metadata).length === 0 ? null : plainLine(JSON.stringify(task.metadata))],
  ];
  const said = lines.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(9)}${value}`]));
  const notes = task.notes === '' ? [] : ['', plainText(task.notes)];
  return [plainLine(task.title) || 'Untitled', ...said, ...notes].join('\n');
}
