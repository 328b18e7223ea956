// Commands of the palette, of dialogs and of the application itself.
import type { CommandResult } from './command.ts';
import { type Command, define, done, passed, refused } from './define.ts';
import type { Program } from '../app/program.ts';
import { showSyncStatus } from '../dialogs/answers.ts';
import { needsTask } from './needs.ts';

const hidden = { group: 'Application', inPalette: false } as const;

function closeDialog(program: Program): CommandResult {
  const dialog = program.dialog.get();
  if (dialog === null) return passed;
  if (program.dialog.controller?.mayClose?.() === false) return done;
  program.dialog.close();
  if (dialog.type === 'otherAccount') void program.platform.account.refuseOther();
  return done;
}

/** Ends a search in the dialog first. */
function leaveDialog(program: Program): CommandResult {
  return program.dialog.controller?.clearFilter?.() === true ? done : closeDialog(program);
}

function openPalette(program: Program, prefix: string | null): CommandResult {
  program.editor.flush();
  program.palette.open(prefix);
  return done;
}

export const applicationCommands: readonly Command[] = [
  define({
    ...hidden,
    id: 'dialog.confirm',
    title: 'Do what is asked',
    run(program) {
      const { onConfirm } = program;
      program.onConfirm = null;
      if (onConfirm === null) return refused('No question is waiting for an answer.');
      onConfirm();
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
    id: 'palette.task',
    title: 'More commands for the task',
    aliases: ['task menu', 'context menu', 'what can be done with it'],
    group: 'Application',
    when: needsTask,
    run: (program) => openPalette(program, null),
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
      ['pageDown', 'Eight items down', 8],
      ['pageUp', 'Eight items up', -8],
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
    title: 'Do the item’s other action',
    run: ({ palette }) => (palette.second() ? done : passed),
  }),
  define({
    ...hidden,
    id: 'palette.refine',
    title: 'Refine the item',
    run({ palette }) {
      // Beside a date, the only refinement is the day.
      if (!palette.focusMonth(true)) palette.refine();
      return done;
    },
  }),
  define({
    ...hidden,
    id: 'palette.back',
    title: 'Go back one step',
    run: ({ palette }) => (palette.back() ? done : passed),
  }),
  define({ ...hidden, id: 'dialog.close', title: 'Close', run: closeDialog }),
  define({ ...hidden, id: 'dialog.leave', title: 'Close the dialog', run: leaveDialog }),
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
    title: 'Sync now',
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
    when: (program) => (program.engine.recovered.get().length > 0 ? null : 'No changes were refused.'),
    run(program) {
      showSyncStatus(program, 'recovered');
      return done;
    },
  }),
];
