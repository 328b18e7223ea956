// Importing from other programs: the commands of its rehearsal. Choosing files is a command of transfer/transfer-commands.ts; the
// rehearsal itself is a lazy part (importing.ts).
import { definePart } from '../app/part.ts';
import { ofDialog } from '../commands/options.ts';

/** The rehearsal of an import. */
export const importing = definePart({
  name: 'Importing',
  create: () => ({}),
  commands: [
    ofDialog('import.toggle', 'Leave out or take along'),
    ofDialog('import.report', 'Save the report of the import'),
  ],
  keys: [
    { context: 'dialog.rehearsal', keys: 'Space', command: 'import.toggle' },
    { context: 'dialog.rehearsal', keys: 's', command: 'import.report' },
    { context: 'dialog.rehearsal', keys: 'Home', command: 'options.first' },
    { context: 'dialog.rehearsal', keys: 'End', command: 'options.last' },
  ],
  dialogs: { rehearsal: { name: 'Import', isWide: true } },
});
