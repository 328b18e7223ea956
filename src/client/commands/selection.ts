// Commands that select several rows.
import { announced, type Command, define, done, needsTask } from './define.ts';

export const selectionCommands: readonly Command[] = [
  define({
    id: 'selection.toggle',
    title: 'Select task',
    aliases: ['mark', 'unselect', 'multi-select'],
    group: 'Selection',
    when: needsTask,
    run({ workspace }) {
      if (workspace.cursor !== null) workspace.selection.toggle(workspace.cursor);
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
    run({ workspace }) {
      workspace.selection.clear();
      return done;
    },
  }),
];
