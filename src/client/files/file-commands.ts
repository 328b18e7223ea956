// Commands on the files of a task.
import type { Id } from '#core/ids.ts';
import { attachClipboard, pickAndAttach, showFiles } from './lazy.ts';
import type { Program } from '../app/program.ts';
import { type Command, define, done } from '../commands/define.ts';
import { needsLiving } from '../commands/needs.ts';

function withTask(program: Program, act: (task: Id) => void) {
  const { cursor } = program.workspace;
  if (cursor !== null) act(cursor);
  return done;
}

/** Attaching files to a task and showing its attachments. */
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
