// Commands about the files of a task.
import type { Id } from '#core/ids.ts';
import { attachClipboard, pickAndAttach, showFiles } from '../files/door.ts';
import type { Program } from '../program.ts';
import { type Command, define, done, needsLiving } from './define.ts';

function withTask(program: Program, act: (task: Id) => void) {
  const { cursor } = program.workspace;
  if (cursor !== null) act(cursor);
  return done;
}

export const fileCommands: readonly Command[] = [
  define({
    id: 'file.attach',
    title: 'Attach a file…',
    aliases: ['upload', 'attachment', 'add file', 'picture', 'image', 'document'],
    group: 'Tasks',
    when: needsLiving,
    run: (program) => withTask(program, (task) => pickAndAttach(program, task)),
  }),
  define({
    id: 'file.show',
    title: 'Attachments',
    aliases: ['files', 'show files', 'open attachment', 'remove attachment', 'download'],
    group: 'Tasks',
    when: needsLiving,
    run: (program) => withTask(program, (task) => showFiles(program, task)),
  }),
  define({
    id: 'file.attachClipboard',
    title: 'Attach clipboard',
    aliases: ['paste file', 'paste picture', 'screenshot'],
    group: 'Tasks',
    when: needsLiving,
    run: (program) => withTask(program, (task) => attachClipboard(program, task)),
  }),
];
