// Writes todo.txt: a line for each task. The format has days only, and no place for notes. The way back is formats/todo-txt.ts.
import { dayOf } from '../../dates/keep-time.ts';
import type { RepeatRule } from '../../model.ts';
import type { OutTask, OutTree } from './tree.ts';

const UNITS: Readonly<Partial<Record<RepeatRule['unit'], string>>> = {
  days: 'd',
  weeks: 'w',
  months: 'm',
  years: 'y',
};
const WORKING = 'Fri,Mon,Thu,Tue,Wed';
const PRIORITY = /^[A-Z]$/;
/** The label group that the reader makes of `(A)`. */
const GROUP = 'Priority';

/** A repeat as `rec:` has it, or null: a number of days, weeks, months or years, or every weekday. */
export function recOf({ value, unit, metadata, from }: RepeatRule): string | null {
  const sign = UNITS[unit];
  const strict = from === 'completion' ? '' : '+';
  const weekdays = metadata !== null && 'weekdays' in metadata ? metadata.weekdays : null;
  if (unit === 'weeks' && value === 1 && weekdays !== null && weekdays.toSorted().join(',') === WORKING)
    return `${strict}1b`;
  return sign === undefined || metadata !== null || value > 9_999 ? null : `${strict}${value}${sign}`;
}

const dayAt = (at: number, zone: string) => dayOf({ at, zone });
/** A name as one word. */
export const wordOf = (name: string) => name.trim().replaceAll(/\s+/gu, '_');
const oneLine = (text: string) => text.replaceAll(/\s+/gu, ' ').trim();
/** A space without width keeps a word of a title from being a sign; the reader takes it away. */
const plainWords = (title: string) =>
  oneLine(title).replaceAll(/(?<=^|\s)[+@](?=\S)|(?<=[\p{L}\p{N}_-]):(?=[^\s:/])/gu, '\u200B$&');

/** The letter of the priority that a task has; null: none. */
export function letterOf({ labels }: OutTask): string | null {
  return labels.find(({ group, name }) => group === GROUP && PRIORITY.test(name))?.name ?? null;
}

function lineOf(task: OutTask, list: string, numbers: ReadonlyMap<string, number>, zone: string): string {
  const { id, title, done, createdAt, due, start, repeat, labels, parent, hasChildren } = task;
  const letter = letterOf(task);
  const created = dayAt(createdAt, zone);
  const rec = repeat === null ? null : recOf(repeat);
  const above = parent === null ? undefined : numbers.get(parent);
  return [
    // The day of creation also keeps a title that begins with "x" or a day from being read as more.
    done === null
      ? letter === null
        ? created
        : `(${letter}) ${created}`
      : `x ${dayAt(done, zone)} ${created}`,
    plainWords(title) || 'Untitled',
    `+${wordOf(list)}`,
    ...labels.flatMap(({ name, group }) => (group === GROUP && name === letter ? [] : [`@${wordOf(name)}`])),
    ...(done !== null && letter !== null ? [`pri:${letter}`] : []),
    ...(due === null ? [] : [`due:${dayOf(due)}`]),
    ...(start === null ? [] : [`t:${dayOf(start)}`]),
    ...(rec === null ? [] : [`rec:${rec}`]),
    ...(hasChildren ? [`id:${numbers.get(id) ?? 0}`] : []),
    ...(above === undefined ? [] : [`p:${above}`]),
  ].join(' ');
}

/** The lines of a tree. `zone`: in which moments have their days. */
export function writeTodoTxt({ lists }: OutTree, zone: string): string {
  const numbers = new Map<string, number>();
  for (const { tasks } of lists)
    for (const { id, hasChildren } of tasks) if (hasChildren) numbers.set(id, numbers.size + 1);
  const lines = lists.flatMap(({ tasks, name }) => tasks.map((task) => lineOf(task, name, numbers, zone)));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
