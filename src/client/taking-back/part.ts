// “Undo what somebody did”: a command of the owner of a shared list. The dialog is lazy (lazy.ts).
import { definePart } from '../app/part.ts';
import { define, done } from '../commands/define.ts';
import { currentList } from '../commands/lists.ts';
import { ofDialog } from '../commands/options.ts';
import { needsOwnShared, openTakingBack } from './lazy.ts';

/** Taking back what one person did in a shared list. */
export const takingBack = definePart({
  name: 'Taking back',
  create: () => ({}),
  commands: [
    define({
      id: 'list.takeBack',
      title: 'Undo what somebody did…',
      aliases: [
        'take back changes of a member',
        'vandalism',
        'revert what a person did',
        'restore what others deleted',
      ],
      group: 'Lists',
      icon: 'history',
      when: (program) => needsOwnShared(program, currentList(program)?.id),
      run(program) {
        const list = currentList(program);
        return list ? openTakingBack(program, list.id, null) : done;
      },
    }),
    ofDialog('sharing.takeBackUntil', 'Take back up to here'),
  ],
  keys: [
    { context: 'dialog.takingBack', keys: 't', command: 'sharing.takeBackUntil' },
    { context: 'dialog.takingBack', keys: 'Home', command: 'options.first' },
    { context: 'dialog.takingBack', keys: 'End', command: 'options.last' },
  ],
  dialogs: { takingBack: { name: 'Undo what somebody did', takesMouse: true, isWide: true } },
});
