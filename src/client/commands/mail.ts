// Commands about tasks by e-mail.
import { mailProblem, showListMail } from '../mail/door.ts';
import { type Command, define, done } from './define.ts';
import { currentList } from './lists.ts';

export const mailCommands: readonly Command[] = [
  define({
    id: 'list.email',
    title: 'Show the list’s e-mail address',
    aliases: ['email tasks', 'mail to list', 'forward', 'email address', 'new email address'],
    group: 'Lists',
    when: (program) => mailProblem(program, currentList(program)),
    run(program) {
      const list = currentList(program);
      return list ? showListMail(program, list) : done;
    },
  }),
];
