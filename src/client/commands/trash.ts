// Commands of the trash. Going there is navigation's, restoring and deleting are the tasks'.
import { trashPart } from '../trash-door.ts';
import { type Command, define } from './define.ts';

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
      return program.held.enter(trashPart, ({ openEmptying }) => openEmptying(program));
    },
  }),
];
