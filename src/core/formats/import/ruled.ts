// Gives tasks their repeats from an RRULE, with a line in the notes and in the report for what cannot be held.
import type { RepeatRule } from '../../model.ts';
import { lines, type RawTask, type Tools } from './draft.ts';
import { readRecurrence } from './recurrence.ts';

/** Sets the repeat of a task; what is lost is told. */
export function giveRule(
  task: RawTask,
  text: string,
  tools: Tools,
  from: RepeatRule['from'] = 'due date',
): void {
  if (text.trim() === '') return;
  const read = readRecurrence(text, from);
  if (read) task.repeat = { rule: read.rule };
  if (read && read.lost.length === 0) return;
  task.notes = lines(task.notes, `Repeat: ${text.trim()}`);
  if (read) tools.losses.add('repeat-end', read.lost.join(', '), 'notes', text);
  else tools.losses.add('repeat', 'RRULE', 'notes', text);
}
