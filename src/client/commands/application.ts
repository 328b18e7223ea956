// Commands of the palette, of dialogs and of the application itself.
import type { CommandResult } from './command.ts';
import { type Command, define, done, passed, refused } from './define.ts';
import type { Program } from '../program.ts';
import { showLedger } from '../ledger.ts';

const hidden = { group: 'Application', inPalette: false } as const;

function closeDialog(program: Program): CommandResult {
  const dialog = program.dialog.get();
  if (dialog === null) return passed;
  program.openDialog?.leave();
  program.openDialog = null;
  program.dialog.set(null);
  if (dialog.type === 'otherAccount') void program.platform.account.refuseOther();
  return done;
}

/** What is searched for in the dialog ends first. */
function leaveDialog(program: Program): CommandResult {
  if (program.dialog.get()?.type !== 'history' || program.history?.hasFilter !== true)
    return closeDialog(program);
  program.history.submit({ action: 'filter', text: '' });
  return done;
}

function openPalette(program: Program, prefix: string): CommandResult {
  program.editor.flush();
  program.palette.open(prefix);
  return done;
}

export const applicationCommands: readonly Command[] = [
  define({
    ...hidden,
    id: 'link.goOn',
    title: 'Do what the link asks for',
    run(program) {
      const { linkWaits } = program;
      program.linkWaits = null;
      if (linkWaits === null) return refused('No link waits for an answer.');
      linkWaits();
      return done;
    },
  }),
  define({
    ...hidden,
    id: 'palette.open',
    title: 'Command palette',
    run: (program) => openPalette(program, ''),
  }),
  define({
    ...hidden,
    id: 'palette.places',
    title: 'Lists in the palette',
    run: (program) => openPalette(program, '@'),
  }),
  define({
    ...hidden,
    id: 'palette.close',
    title: 'Close the palette',
    run({ palette }) {
      palette.close();
      return done;
    },
  }),
  ...(
    [
      ['down', 'Next item', 1],
      ['up', 'Previous item', -1],
      ['pageDown', 'Eight items on', 8],
      ['pageUp', 'Eight items back', -8],
    ] as const
  ).map(([id, title, step]) =>
    define({
      ...hidden,
      id: `palette.${id}`,
      title,
      repeats: true,
      run({ palette }) {
        palette.move(step);
        return done;
      },
    }),
  ),
  define({
    ...hidden,
    id: 'palette.accept',
    title: 'Run the item',
    run({ palette }) {
      palette.accept();
      return done;
    },
  }),
  define({
    ...hidden,
    id: 'palette.acceptAndStay',
    title: 'Accept and keep the picker open',
    run: ({ palette }) => (palette.acceptAndStay() ? done : passed),
  }),
  define({
    ...hidden,
    id: 'palette.second',
    title: 'The other thing that the item can do',
    run: ({ palette }) => (palette.second() ? done : passed),
  }),
  define({
    ...hidden,
    id: 'palette.refine',
    title: 'Refine the item',
    run({ palette }) {
      // Beside a date there is nothing to refine but the day.
      if (!palette.focusMonth(true)) palette.refine();
      return done;
    },
  }),
  define({
    ...hidden,
    id: 'palette.back',
    title: 'One step back',
    run: ({ palette }) => (palette.back() ? done : passed),
  }),
  define({ ...hidden, id: 'dialog.close', title: 'Close', run: closeDialog }),
  define({ ...hidden, id: 'dialog.leave', title: 'Leave the dialog', run: leaveDialog }),
  define({
    id: 'application.print',
    title: 'Print',
    aliases: ['paper', 'pdf'],
    group: 'Application',
    run(program) {
      program.leaveText();
      program.platform.printPage();
      return done;
    },
  }),
  define({
    id: 'application.reload',
    title: 'Reload the app',
    aliases: ['restart', 'refresh', 'update'],
    group: 'Application',
    run(program) {
      program.leaveText();
      program.editor.flush();
      void program.engine.flushed().then(() => program.platform.reload());
      return done;
    },
  }),
  define({
    id: 'application.sync',
    title: 'Synchronise now',
    aliases: ['refresh', 'pull', 'push', 'update'],
    group: 'Application',
    when: ({ engine }) => (engine.facts().detached ? 'Cloud sync is off. Enable it first.' : null),
    run(program) {
      program.engine.nudge();
      return done;
    },
  }),
  define({
    id: 'application.recovered',
    title: 'Show recovered changes',
    aliases: ['conflicts', 'refused changes', 'lost'],
    group: 'Application',
    when: (program) => (program.engine.recovered.get().length > 0 ? null : 'No change was refused.'),
    run(program) {
      showLedger(program, 'recovered');
      return done;
    },
  }),
];
