// The dialog that shows what is known of a task or list beside its content. What it says is client/details.ts, a lazy chunk.
import type { Id } from '#core/ids.ts';
import { door } from '../door.ts';
import type { Program } from '../program.ts';
import type { CommandResult } from './command.ts';
import { announced, type Command, define, done, needsTask, passed, refused } from './define.ts';
import { currentList } from './lists.ts';

export const detailsDoor = door('Details', () => import('../details.ts'));

function show(program: Program, id: Id): CommandResult {
  program.leaveText();
  program.editor.flush();
  return program.held.enter(detailsDoor, ({ detailsOf }) => {
    const details = detailsOf(program, id);
    if (details) program.dialog.set({ type: 'details', details });
    return done;
  });
}

export const detailCommands: readonly Command[] = [
  define({
    id: 'task.details',
    title: 'Show details and metadata',
    aliases: ['info', 'inspect', 'created when', 'id', 'properties'],
    group: 'Tasks',
    when: needsTask,
    run: (program) => (program.workspace.cursor === null ? passed : show(program, program.workspace.cursor)),
  }),
  define({
    id: 'list.details',
    title: 'Show list info',
    aliases: ['details of the list', 'inspect list', 'how many tasks'],
    group: 'Lists',
    run(program) {
      const list = currentList(program);
      return list ? show(program, list.id) : refused('Open a list first.');
    },
  }),
  define({
    id: 'task.copyId',
    title: 'Copy id',
    aliases: ['identifier', 'uuid', 'copy task id'],
    group: 'Tasks',
    run(program) {
      const dialog = program.dialog.get();
      const id = dialog?.type === 'details' ? dialog.details.id : program.workspace.cursor;
      if (id === null) return refused('Select a task first.');
      void program.platform.copyText(id).then((isCopied) =>
        program.act(() => {
          if (isCopied) program.say('Copied the id.', { brief: true });
          else program.say('The browser did not allow copying.', { error: true, brief: true });
        }),
      );
      return dialog?.type === 'details' ? done : announced('Copying the id.');
    },
  }),
];
