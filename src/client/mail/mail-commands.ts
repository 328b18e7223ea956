// Commands of tasks by e-mail.
import { mailProblem, showListMail } from './lazy.ts';
import { type Command, define, done } from '../commands/define.ts';
import { currentList } from '../commands/lists.ts';

/** Showing the e-mail address of the current list. */
export const mailCommands: readonly Command[] = [
  define({
    id: 'list.email',
    title: 'Show this list’s email address',
    aliases: ['email tasks', 'mail to list', 'forward', 'email address', 'new email address'],
    group: 'Lists',
    when: (program) => mailProblem(program, currentList(program)),
    run(program) {
      const list = currentList(program);
      return list ? showListMail(program, list) : done;
    },
  }),
];
