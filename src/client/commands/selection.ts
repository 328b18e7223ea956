// Commands that select several rows.
import { tellSelected } from '../app/spoken.ts';
import { announced, type Command, define, done } from './define.ts';
import { needsTask } from './needs.ts';

export const selectionCommands: readonly Command[] = [
  define({
    id: 'selection.toggle',
    title: 'Select task',
    aliases: ['mark', 'unselect', 'multi-select'],
    group: 'Selection',
    when: needsTask,
    run(program) {
      const { cursor, selection } = program.workspace;
      if (cursor !== null) selection.toggle(cursor);
      tellSelected(program);
      return done;
    },
  }),
  define({
    id: 'selection.all',
    title: 'Select all tasks',
    aliases: ['mark all', 'select everything'],
    group: 'Selection',
    when: needsTask,
    run({ workspace }) {
      workspace.selection.selectAll(workspace.outline);
      return announced(`${workspace.selection.size} selected.`);
    },
  }),
  define({
    id: 'selection.clear',
    title: 'Clear selection',
    aliases: ['unselect all', 'deselect'],
    group: 'Selection',
    when: ({ workspace }) => (workspace.selection.size > 0 ? null : 'Nothing is selected.'),
    run(program) {
      program.workspace.selection.clear();
      tellSelected(program);
      return done;
    },
  }),
];
