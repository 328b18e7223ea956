// Commands of the trash. Opening it is a navigation command; restoring and deleting are task commands.
import { trashPart } from './trash-lazy.ts';
import { type Command, define } from '../commands/define.ts';

/** Emptying the trash. */
export const trashCommands: readonly Command[] = [
  define({
    id: 'trash.empty',
    title: 'Empty trash now',
    aliases: ['delete for good', 'purge', 'delete forever'],
    group: 'Tasks',
    when: ({ workspace }) => (workspace.trashed().length === 0 ? 'The trash is empty.' : null),
    run(program) {
      program.leaveText();
      program.editor.flush();
      return program.inputQueue.enter(trashPart, ({ openEmptying }) => openEmptying(program));
    },
  }),
];
