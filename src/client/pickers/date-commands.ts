// Commands about time: due date, start, snooze, repeat and duration of tasks. pickers/applying.ts, loaded later,
// applies the choices.
import { withPickers } from './lazy.ts';
import type { PickerKind } from './picker.ts';
import type { Program } from '../app/program.ts';
import type { Id } from '#core/ids.ts';
import type { Availability } from '../commands/command.ts';
import { type Command, define } from '../commands/define.ts';
import { needsLiving } from '../commands/needs.ts';
import { rowsOf } from '../commands/rows.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { taskEntry } from '../entry/part.ts';

interface PickSpec {
  readonly id: string;
  readonly kind: Exclude<PickerKind, 'block'>;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly prompt: string;
}

function pick({ id, kind, title, aliases, prompt }: PickSpec): Command {
  return define({
    id,
    title,
    aliases,
    group: 'Tasks',
    args: [{ name: 'value', kind, prompt }],
    when: kind === 'once' ? needsRepeating : needsLiving,
    run: (program, { value = '' }) =>
      withPickers(program, ({ applyPicked }) => applyPicked(program, kind, value)),
  });
}

function needsRepeating(program: Program): Availability {
  const reason = needsLiving(program);
  if (reason !== null) return reason;
  const rows = rowsOf(program, program.workspace.targets());
  return rows.some((row) => fieldOf(row, 'repeat') !== undefined) ? null : 'Select a repeating task first.';
}

/** The open list, or the list of the focused task. */
function openList(program: Program): Id | null {
  const { place } = program.workspace;
  if (program.workspace.root === null || place.type === 'trash') return null;
  return place.type === 'list' ? place.id : (program.workspace.listOf(place.id)?.id ?? null);
}

function hidesHere(program: Program): boolean {
  const list = openList(program);
  return list !== null && program.workspace.away.hidesUnstarted(list);
}

/** Setting dates, repeats, durations and reminders, skipping occurrences, and showing hidden tasks. */
export const dateCommands: readonly Command[] = [
  pick({
    id: 'task.due',
    kind: 'due',
    title: 'Set due date…',
    aliases: ['deadline', 'schedule', 'when', 'remove due date'],
    prompt: 'Due when? “fri 5pm”, “in 3 days”, “none”',
  }),
  pick({
    id: 'task.start',
    kind: 'start',
    title: 'Set start date…',
    aliases: ['defer', 'begin', 'not before', 'hide until', 'remove start date'],
    prompt: 'Starts when? “mon”, “1 dec”, “none”',
  }),
  pick({
    id: 'task.snooze',
    kind: 'snooze',
    title: 'Snooze…',
    aliases: ['later', 'postpone', 'not now', 'sleep', 'wake', 'unsnooze'],
    prompt: 'Snooze until when? “3 days”, “mon 9am”, “none”',
  }),
  pick({
    id: 'task.repeat',
    kind: 'repeat',
    title: 'Repeat…',
    aliases: ['recurring', 'every', 'remove repeat'],
    prompt: 'How often? “every 2 weeks”, “none”',
  }),
  pick({
    id: 'task.once',
    kind: 'once',
    title: 'Change only this occurrence…',
    aliases: ['exception', 'just this time', 'move one', 'this one only', 'reschedule once'],
    prompt: 'Due when, only this time?',
  }),
  pick({
    id: 'task.duration',
    kind: 'duration',
    title: 'Set duration…',
    aliases: ['how long', 'estimate', 'length', 'remove duration'],
    prompt: 'How long? “45m”, “1h30”, “none”',
  }),
  pick({
    id: 'task.remind',
    kind: 'remind',
    title: 'Remind me…',
    aliases: ['reminder', 'alarm', 'alert', 'notify', 'bell', 'remove reminder'],
    prompt: 'Remind you when? “10m before”, “tomorrow 9am”, “none”',
  }),
  define({
    id: 'task.quickEntry',
    title: 'Quick entry…',
    aliases: ['quick add', 'capture', 'new task from anywhere', 'add to inbox'],
    group: 'Tasks',
    isAboutTask: false,
    run: (program) => program.part(taskEntry).openDialog(),
  }),
  define({
    id: 'task.skip',
    title: 'Skip this occurrence',
    aliases: ['next occurrence', 'advance', 'not this time'],
    group: 'Tasks',
    when: needsRepeating,
    run: (program) => withPickers(program, ({ skipOccurrence }) => skipOccurrence(program)),
  }),
  define({
    id: 'view.snoozed',
    title: 'Show snoozed tasks',
    aliases: ['hide snoozed tasks', 'asleep', 'what is snoozed'],
    group: 'View',
    titleNow: ({ workspace }) => (workspace.away.showsSnoozed ? 'Hide snoozed tasks' : 'Show snoozed tasks'),
    run: (program) => withPickers(program, ({ toggleSnoozed }) => toggleSnoozed(program)),
  }),
  define({
    id: 'view.unstarted',
    title: 'Hide tasks that haven’t started',
    aliases: ['show tasks that have not started', 'future tasks', 'start date'],
    group: 'View',
    titleNow: (program) =>
      hidesHere(program) ? 'Show tasks that haven’t started' : 'Hide tasks that haven’t started',
    when: (program) => (openList(program) === null ? 'Open a list first.' : null),
    run: (program) =>
      withPickers(program, ({ toggleUnstarted }) => toggleUnstarted(program, openList(program))),
  }),
];
