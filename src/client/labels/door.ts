// The door to the label dialogs: only this is part of the first load. What they do is picker.ts and manager.ts.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { door } from '../door.ts';
import { loadLedger } from '../ledger.ts';
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';

export const labelsDoor = door('Labels', async () => {
  const [acts] = await Promise.all([
    import('./acts.ts'),
    // Typing in the dialog must be answered at once.
    loadLedger(),
  ]);
  return acts;
});

type Labels = Awaited<ReturnType<typeof labelsDoor.load>>;

/** Does it now, or as soon as they are loaded. */
export function withLabels(program: Program, act: (labels: Labels) => CommandResult): CommandResult {
  return program.held.enter(labelsDoor, act);
}

function open(program: Program, make: (labels: Labels) => OpenDialog): void {
  withLabels(program, (labels) => {
    program.openDialog = make(labels);
    program.openDialog.refresh();
    return done;
  });
}

export function openPicker(program: Program): void {
  // It is about the title that is being written, also one that is new and empty yet.
  if (program.editor.title?.field === 'title') program.editor.holdCaret();
  else program.leaveText();
  program.editor.flush();
  open(program, ({ LabelPicker }) => new LabelPicker(program));
}

/** `chosen`: the label or group to begin with. */
export function openManager(program: Program, chosen: Id | null = null): void {
  program.leaveText();
  program.editor.flush();
  open(program, ({ LabelManager }) => new LabelManager(program, chosen));
}
