// The dialog with details of a task or list besides its content. Its text comes from client/outline/details.ts, a lazy
// part; that of a task has a controller, client/outline/task-sheet.ts.
import type { Id } from '#core/ids.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from './command.ts';
import { announced, type Command, define, done, passed, refused } from './define.ts';
import { needsTask } from './needs.ts';
import { currentList } from './lists.ts';

/** The text of the details dialog. Loaded when idle or first needed. */
export const lazyDetails = lazyPart('Details', async () => {
  const [details, sheet] = await Promise.all([
    import('../outline/details.ts'),
    import('../outline/task-sheet.ts'),
  ]);
  return { ...details, ...sheet };
});

function show(program: Program, id: Id): CommandResult {
  program.leaveText();
  program.editor.flush();
  return program.inputQueue.enter(lazyDetails, ({ detailsOf, TaskSheet }) => {
    const details = detailsOf(program, id);
    if (details?.kind === 'task') program.dialog.open(new TaskSheet(program, id));
    else if (details) program.dialog.show({ type: 'details', details, sheet: null });
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
          else program.say('Your browser blocked the copy.', { error: true, brief: true });
        }),
      );
      return dialog?.type === 'details' ? done : announced('Copying the id.');
    },
  }),
];
