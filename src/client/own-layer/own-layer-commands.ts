// What a person sets about a shared list for themselves alone: hidden, muted.
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import type { Availability, CommandResult } from '../commands/command.ts';
import { announced, type Command, define, refused } from '../commands/define.ts';
import { currentList } from '../commands/lists.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';
import { mountOf, setMount } from './mount-fields.ts';

function sharedList(program: Program): Row | undefined {
  const list = currentList(program);
  return list === undefined || list.scope === program.replica.scope ? undefined : list;
}

const NOT_SHARED = 'Open a shared list first. You’re alone in this one.';

const needsShared =
  (words: string) =>
  (program: Program): Availability => {
    if (sharedList(program)) return null;
    return currentList(program) ? words : NOT_SHARED;
  };

const isHiddenForMe = ({ replica }: Program, { id }: Row) =>
  fieldOf(mountOf(replica, id), 'hiddenAt') !== undefined;
const isMutedForMe = ({ replica }: Program, { id }: Row) => fieldOf(mountOf(replica, id), 'muted') === true;

function hide(program: Program): CommandResult {
  const list = sharedList(program);
  if (!list) return refused(NOT_SHARED);
  const wasHidden = isHiddenForMe(program, list);
  const name = quoted(nameOf(list) || 'Untitled');
  const next = program.sidebar.neighbour(1);
  const hiddenAt = wasHidden ? null : program.replica.now();
  program.change(setMount(program.replica, list.id, { hiddenAt }), `${wasHidden ? 'showed' : 'hid'} ${name}`);
  if (!wasHidden && !program.sidebar.showsArchived && program.sidebar.cursor === list.id)
    program.sidebar.cursor = next;
  const finder = program.platform.touch ? '“···” at the top' : 'the palette';
  if (!wasHidden) return announced(`Hid ${name} for you. Others still see it; ${finder} finds it.`);
  const isForAll = fieldOf(program.replica.row(list.id), 'archivedAt') !== undefined;
  return announced(
    isForAll ? `${name} is archived for everybody, too.` : `${name} is in your sidebar again.`,
  );
}

function mute(program: Program): CommandResult {
  const list = sharedList(program);
  if (!list) return refused(NOT_SHARED);
  const wasMuted = isMutedForMe(program, list);
  const name = quoted(nameOf(list) || 'Untitled');
  const muted = wasMuted ? null : true;
  program.change(setMount(program.replica, list.id, { muted }), `${wasMuted ? 'unmuted' : 'muted'} ${name}`);
  return announced(
    wasMuted
      ? `You’ll see what others change in ${name}.`
      : `Muted ${name}: no marks for what others change.`,
  );
}

/** Hiding and muting a shared list, and taking that back. */
export const ownLayerCommands: readonly Command[] = [
  define({
    id: 'list.hide',
    title: 'Hide list for me',
    titleNow(program) {
      const list = sharedList(program);
      return list && isHiddenForMe(program, list) ? 'Show list again' : 'Hide list for me';
    },
    aliases: ['hide shared list', 'put away for me', 'show hidden list', 'unhide list'],
    group: 'Lists',
    icon: 'eye',
    when: needsShared('You’re alone in this list. Archive it instead.'),
    run: hide,
  }),
  define({
    id: 'list.mute',
    title: 'Mute list',
    titleNow(program) {
      const list = sharedList(program);
      return list && isMutedForMe(program, list) ? 'Unmute list' : 'Mute list';
    },
    aliases: ['no unread marks', 'silence list', 'unread', 'unmute list'],
    group: 'Lists',
    icon: 'bell',
    when: needsShared('Only shared lists point out what others change. You’re alone in this one.'),
    run: mute,
  }),
];
