// Lazy part of the label dialogs: only this file is in the first load. The dialogs are picker.ts and manager.ts.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { loadAnswers } from '../dialogs/answers.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { Program } from '../app/program.ts';

/** The label picker and manager, and changing the labels of tasks. Loaded when idle or first needed. */
export const lazyLabels = lazyPart('Labels', async () => {
  const [acts] = await Promise.all([
    import('./acts.ts'),
    // Typing in the dialog must be answered at once.
    loadAnswers(),
  ]);
  return acts;
});

type Labels = Awaited<ReturnType<typeof lazyLabels.load>>;

/** Runs `act` with the part, now or as soon as it is loaded. */
export function withLabels(program: Program, act: (labels: Labels) => CommandResult): CommandResult {
  return program.inputQueue.enter(lazyLabels, act);
}

function open(program: Program, make: (labels: Labels) => OpenDialog): void {
  withLabels(program, (labels) => {
    program.dialog.open(make(labels));
    return done;
  });
}

export function openPicker(program: Program): void {
  // The target is the title being written, even a new and empty one.
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
