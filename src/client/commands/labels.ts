// Commands on labels: the picker, one label by name, and labels themselves.
import type { Id } from '#core/ids.ts';
import { quoted } from '../editor.ts';
import { toggleLabel } from '../labels/applying.ts';
import { labelName } from '../labels/catalog.ts';
import { nameProblem, newGroup, newLabel } from '../labels/creating.ts';
import { openManager, openPicker } from '../labels/door.ts';
import type { Program } from '../program.ts';
import type { Availability, CommandResult } from './command.ts';
import { announced, type Command, define, done, needsLiving, refused } from './define.ts';

function needsLabels(program: Program): Availability {
  return program.labelKeys.count > 0 ? null : 'There are no labels yet. Create one first.';
}

function create(program: Program, kind: 'label' | 'group', name: string): CommandResult {
  const problem = nameProblem(program, kind, name);
  if (problem !== null) return refused(problem);
  const said = `${kind} ${quoted(name.trim())}`;
  const action = (kind === 'label' ? newLabel : newGroup)(program, name);
  const { verdicts } = program.change([action], `created ${said}`);
  return verdicts[0] === 'ok' ? announced(`Created ${said}.`) : refused(`The ${kind} cannot be created.`);
}

function rename(program: Program, id: Id, name: string): CommandResult {
  const problem = nameProblem(program, 'label', name, id);
  if (problem !== null) return refused(problem);
  const before = quoted(labelName(program.replica.row(id)));
  const said = `enamed label ${before} to ${quoted(name.trim())}`;
  program.change([{ a: 'set', id, field: 'name', value: name.trim() }], `r${said}`);
  return announced(`R${said}.`);
}

function remove(program: Program, id: Id): CommandResult {
  const name = quoted(labelName(program.replica.row(id)));
  program.change([{ a: 'delete', id }], `deleted label ${name}`);
  return announced(`Deleted label ${name}.`);
}

const which = (prompt: string) => ({ name: 'label', kind: 'label', prompt }) as const;

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
    title: 'Put a label on or take it off…',
    aliases: ['tag', 'toggle label'],
    group: 'Tasks',
    args: [which('Which label?')],
    when: (program) => needsLiving(program) ?? needsLabels(program),
    run: (program, args) => toggleLabel(program, args.label as Id),
  }),
  define({
    id: 'label.create',
    title: 'New label…',
    aliases: ['add tag', 'create label'],
    group: 'Edit',
    args: [{ name: 'name', kind: 'text', prompt: 'Name of the new label' }],
    run: (program, args) => create(program, 'label', args.name ?? ''),
  }),
  define({
    id: 'label.createGroup',
    title: 'New label group…',
    aliases: ['group tags', 'exclusive labels'],
    group: 'Edit',
    args: [{ name: 'name', kind: 'text', prompt: 'Name of the new label group' }],
    run: (program, args) => create(program, 'group', args.name ?? ''),
  }),
  define({
    id: 'label.rename',
    title: 'Rename label…',
    aliases: ['rename tag'],
    group: 'Edit',
    args: [which('Rename which label?'), { name: 'name', kind: 'text', prompt: 'Its new name' }],
    when: needsLabels,
    run: (program, args) => rename(program, args.label as Id, args.name ?? ''),
  }),
  define({
    id: 'label.edit',
    title: 'Edit label: colour, key, group…',
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
    aliases: ['remove tag'],
    group: 'Edit',
    args: [which('Delete which label?')],
    when: needsLabels,
    run: (program, args) => remove(program, args.label as Id),
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
