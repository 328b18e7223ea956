// Commands and keys of public links.
import { linkPermissions } from '#wire/public-links.ts';
import { type Command, define, done } from '../commands/define.ts';
import { currentList } from '../commands/lists.ts';
import { ofDialog } from '../commands/options.ts';
import type { Binding } from '../keys/keymap.ts';
import { needsList, type ListNeeds } from '../sharing/needs.ts';
import { openPublicLinks } from './lazy.ts';
import type { LinksStart } from './links-dialog.ts';
import { permissionCommand, permissionNames } from './words.ts';

const NEEDS: ListNeeds = {
  inbox: 'The Inbox can’t have a public link. Move its tasks to a list first.',
  folder: 'A folder can’t have a public link. Make links for its lists one by one.',
  smart: 'A smart list can’t have a public link. Make links for the lists it looks through.',
  offline: 'Public links need a connection. Try again when you’re online.',
};

function command(id: string, start: LinksStart, words: { title: string; aliases: string[] }): Command {
  return define({
    id,
    ...words,
    group: 'Lists',
    icon: 'link',
    when: (program) => needsList(program, currentList(program), NEEDS),
    run(program) {
      const list = currentList(program);
      return list ? openPublicLinks(program, list.id, start) : done;
    },
  });
}

/** The links of the current list: all, a new one, the address. */
export const linksCommands: readonly Command[] = [
  command('list.publicLinks', 'sheet', {
    title: 'Public links of this list',
    aliases: ['public page', 'publish', 'visitors', 'manage links', 'who can see', 'share without account'],
  }),
  command('list.createPublicLink', 'new', {
    title: 'Create public link',
    aliases: ['publish list', 'public page', 'share with anyone', 'share read-only', 'website'],
  }),
  command('list.copyPublicLink', 'copy', {
    title: 'Copy public link',
    aliases: ['public address', 'copy public page', 'share link'],
  }),
  ofDialog('publish.new', 'New public link'),
  ofDialog('publish.copy', 'Copy the public link'),
  ...linkPermissions.map((permission) =>
    ofDialog(permissionCommand(permission), `Visitors may ${permissionNames[permission]}`),
  ),
  ofDialog('publish.name', 'Public name'),
  ofDialog('publish.pause', 'Pause or resume the public link'),
  ofDialog('publish.undo', 'Take back what visitors changed'),
  ofDialog('publish.end', 'Delete the public link'),
  ofDialog('publish.again', 'Ask the server for the links again'),
];

const KEYS: readonly (readonly [keys: string, command: string])[] = [
  ['n', 'publish.new'],
  ['c', 'publish.copy'],
  ['Mod+C', 'publish.copy'],
  ...linkPermissions.map((permission, at) => [String(at + 1), permissionCommand(permission)] as const),
  ['e', 'publish.name'],
  ['p', 'publish.pause'],
  ['u', 'publish.undo'],
  ['Delete', 'publish.end'],
  ['Backspace', 'publish.end'],
  ['r', 'publish.again'],
];

/** Keys in the dialog of public links. */
export const linksKeys: readonly Binding[] = KEYS.map(([keys, id]) => ({
  context: 'dialog.publicLinks',
  keys,
  command: id,
}));
