// Commands of what is between people and lists: sharing. This version does not have it; its keys are kept for it, and say so.
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
];
