// The door to the label dialogs: only this is part of the first load. What they do is picker.ts and manager.ts.
import type { Id } from '#core/ids.ts';
import type { CommandResult } from '../commands/command.ts';
import { lazy } from '../lazy.ts';
import { loadLedger } from '../ledger.ts';
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';

const part = lazy(async () => {
  const [acts] = await Promise.all([
    import('./acts.ts'),
    // Typing in the dialog must be answered at once.
    loadLedger(),
  ]);
  return acts;
});

/** For whoever needs them at once. */
export const loadLabels = () => part.load();

type Labels = Awaited<ReturnType<typeof loadLabels>>;

/** Does it now, or says what came of it once it is loaded. */
export function withLabels(program: Program, act: (labels: Labels) => CommandResult): CommandResult {
  if (part.now) return act(part.now);
  const later = (labels: Labels) => {
    const result = act(labels);
    if (result.type === 'done' && result.announce !== undefined) program.say(result.announce, { undo: true });
    if (result.type === 'refused') program.say(result.reason, { error: true });
  };
  program.opening(part.load()).then(
    (labels) => program.act(() => later(labels)),
    () =>
      program.act(() =>
        program.say('The labels could not be loaded. Check the connection and try again.', { error: true }),
      ),
  );
  return { type: 'done' };
}

function open(program: Program, make: (labels: Labels) => OpenDialog): void {
  program.leaveText();
  program.editor.flush();
  withLabels(program, (labels) => {
    program.openDialog = make(labels);
    program.openDialog.refresh();
    return { type: 'done' };
  });
}

export function openPicker(program: Program): void {
  open(program, ({ LabelPicker }) => new LabelPicker(program));
}

/** `chosen`: the label or group to begin with. */
export function openManager(program: Program, chosen: Id | null = null): void {
  open(program, ({ LabelManager }) => new LabelManager(program, chosen));
}
