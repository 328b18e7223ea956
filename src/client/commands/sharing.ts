// Commands of sharing lists between people. This version does not have it; its keys are reserved, and say so.
import { type Command, define, done } from './define.ts';

export const sharingCommands: readonly Command[] = [
  define({
    id: 'list.share',
    title: 'Share list',
    aliases: ['invite', 'leave shared list', 'collaborate', 'members'],
    group: 'Lists',
    when: () => 'You can’t share lists in this version.',
    run: () => done,
  }),
];
