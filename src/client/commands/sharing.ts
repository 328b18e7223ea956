// Commands of what is between people and lists: sharing, and tasks by e-mail. This version has neither; their keys are kept
// for them, and say so.
import { type Command, define, done } from './define.ts';

export const sharingCommands: readonly Command[] = [
  define({
    id: 'list.share',
    title: 'Share list',
    aliases: ['invite', 'leave shared list', 'collaborate', 'members'],
    group: 'Lists',
    when: () => 'Lists cannot be shared in this version.',
    run: () => done,
  }),
  define({
    id: 'list.email',
    title: 'Show the list’s e-mail address',
    aliases: ['email tasks', 'mail to list', 'forward'],
    group: 'Lists',
    when: () => 'Lists have no e-mail address in this version.',
    run: () => done,
  }),
];
