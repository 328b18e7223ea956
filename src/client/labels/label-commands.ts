// Commands on labels: the picker, one label by name, and labels themselves.
import type { Id } from '#core/ids.ts';
import { openManager, openPicker, withLabels } from './lazy.ts';
import type { Program } from '../app/program.ts';
import type { Availability, CommandResult } from '../commands/command.ts';
import { type Command, define, done, refused } from '../commands/define.ts';
import { needsLiving } from '../commands/needs.ts';
import { queryOf } from './carriers.ts';
import { isLivingLabel } from './catalog.ts';

function needsLabels(program: Program): Availability {
  return program.labelKeys.count > 0 ? null : 'No labels yet. Create one first.';
}

const which = (prompt: string) => ({ name: 'label', kind: 'label', prompt }) as const;

/** Searches for what carries it, with the cursor in the results. */
function goToLabel(program: Program, id: Id): CommandResult {
  const row = program.replica.row(id);
  if (!isLivingLabel(program.replica, row)) return refused('That label is gone.');
  const result = program.run('search.for', { query: queryOf(row) });
  program.pane = 'outline';
  program.rows.follow();
  return result;
}

/** The picker, the manager, and putting labels on the chosen tasks. */
export const labelCommands: readonly Command[] = [
  define({
    id: 'label.pick',
    title: 'Labels…',
    aliases: ['tag', 'set label', 'add label', 'remove label', 'priority', 'context'],
    group: 'Tasks',
    when: needsLiving,
    run(program) {
      openPicker(program);
      return done;
    },
  }),
  define({
    id: 'label.toggle',
    title: 'Add or remove a label…',
    aliases: ['tag', 'toggle label'],
    group: 'Tasks',
    args: [which('Which label?')],
    when: (program) => needsLiving(program) ?? needsLabels(program),
    run: (program, args) => withLabels(program, (labels) => labels.toggleLabel(program, args.label as Id)),
  }),
  define({
    id: 'go.label',
    title: 'Go to label…',
    aliases: ['tasks with a label', 'show label', 'open label', 'filter by tag'],
    group: 'Go to',
    args: [{ name: 'list', kind: 'label', prompt: 'Show the tasks of which label?' }],
    when: needsLabels,
    run: (program, args) => goToLabel(program, args.list as Id),
  }),
  define({
    id: 'label.create',
    title: 'New label…',
    aliases: ['add tag', 'create label'],
    group: 'Edit',
    args: [{ name: 'name', kind: 'text', prompt: 'Name of the new label' }],
    run: (program, args) =>
      withLabels(program, (labels) => labels.createNamed(program, 'label', args.name ?? '')),
  }),
  define({
    id: 'label.createGroup',
    title: 'New label group…',
    aliases: ['group tags', 'exclusive labels'],
    group: 'Edit',
    args: [{ name: 'name', kind: 'text', prompt: 'Name of the new label group' }],
    run: (program, args) =>
      withLabels(program, (labels) => labels.createNamed(program, 'group', args.name ?? '')),
  }),
  define({
    id: 'label.rename',
    title: 'Rename label…',
    aliases: ['rename tag', 'change label name'],
    group: 'Edit',
    args: [which('Rename which label?'), { name: 'name', kind: 'text', prompt: 'New name' }],
    when: needsLabels,
    run: (program, args) =>
      withLabels(program, (labels) => labels.renameLabel(program, args.label as Id, args.name ?? '')),
  }),
  define({
    id: 'label.edit',
    title: 'Edit label: color, key, group…',
    aliases: ['label colour', 'label hotkey', 'label group', 'recolor tag'],
    group: 'Edit',
    args: [which('Edit which label?')],
    when: needsLabels,
    run(program, args) {
      openManager(program, args.label as Id);
      return done;
    },
  }),
  define({
    id: 'label.delete',
    title: 'Delete label…',
    aliases: ['remove tag', 'delete tag'],
    group: 'Edit',
    args: [which('Delete which label?')],
    when: needsLabels,
    run: (program, args) => withLabels(program, (labels) => labels.deleteLabel(program, args.label as Id)),
  }),
  define({
    id: 'label.manage',
    title: 'Manage labels and groups',
    aliases: ['edit labels', 'tags', 'label settings', 'label colours', 'label hotkeys', 'exclusive groups'],
    group: 'Edit',
    run(program) {
      openManager(program);
      return done;
    },
  }),
];
