// Commands and keys of sharing lists between people.
import type { Binding } from '../keys/keymap.ts';
import { type Command, define, done, refused } from '../commands/define.ts';
import { currentList } from '../commands/lists.ts';
import { ofDialog } from '../commands/options.ts';
import type { Program } from '../app/program.ts';
import { openProfile, openShare } from './lazy.ts';
import { isShared, needsServer, needsSharable } from './needs.ts';

function isOpenListShared(program: Program): boolean {
  const list = currentList(program);
  return list !== undefined && isShared(program, list);
}

/** Sharing the current list, its sheet, leaving it, and the person's own profile. */
export const sharingCommands: readonly Command[] = [
  define({
    id: 'list.share',
    title: 'Share list',
    titleNow: (program) => (isOpenListShared(program) ? 'People and link of this list' : 'Share list'),
    aliases: [
      'invite',
      'collaborate',
      'members',
      'people',
      'invitation link',
      'make private',
      'stop sharing',
    ],
    group: 'Lists',
    icon: 'people',
    when: (program) => needsSharable(program, currentList(program)),
    run(program) {
      const list = currentList(program);
      return list ? openShare(program, list.id, 'sheet') : done;
    },
  }),
  define({
    id: 'list.leave',
    title: 'Leave shared list',
    aliases: ['quit list', 'remove me from the list', 'unsubscribe from list'],
    group: 'Lists',
    icon: 'leave',
    when: (program) =>
      isOpenListShared(program) ? null : 'Open a shared list first. Nobody else is in this one.',
    run(program) {
      const list = currentList(program);
      return list ? openShare(program, list.id, 'leave') : refused('Open a shared list first.');
    },
  }),
  define({
    id: 'account.profile',
    title: 'Your profile',
    aliases: ['avatar', 'initials', 'emoji', 'my name', 'my color', 'how others see me'],
    group: 'Account',
    icon: 'person',
    when: needsServer,
    run: openProfile,
  }),
  ofDialog('sharing.copyLink', 'Copy the invitation link'),
  ofDialog('sharing.newLink', 'New invitation link'),
  ofDialog('sharing.endLink', 'End the invitation link'),
  ofDialog('sharing.remove', 'Remove the person from the list'),
  ofDialog('sharing.handOver', 'Make the person the owner'),
  ofDialog('sharing.makePrivate', 'Make the list private'),
  ofDialog('sharing.leave', 'Leave the list'),
  ofDialog('sharing.again', 'Ask the server again'),
  ofDialog('sharing.publicLinks', 'Public links of the list'),
];

const KEYS: readonly (readonly [keys: string, command: string])[] = [
  ['c', 'sharing.copyLink'],
  ['Mod+C', 'sharing.copyLink'],
  ['n', 'sharing.newLink'],
  ['e', 'sharing.endLink'],
  ['Delete', 'sharing.remove'],
  ['Backspace', 'sharing.remove'],
  ['o', 'sharing.handOver'],
  ['p', 'sharing.makePrivate'],
  ['l', 'sharing.leave'],
  ['r', 'sharing.again'],
  ['v', 'sharing.publicLinks'],
];

/** Keys in the share dialog. Which key opens it is in keys/default-keymap.ts. */
export const sharingKeys: readonly Binding[] = KEYS.map(([keys, command]) => ({
  context: 'dialog.share',
  keys,
  command,
}));
