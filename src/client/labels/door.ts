// The door to the label dialogs: only this is part of the first load. What they do is picker.ts and manager.ts.
import type { Id } from '#core/ids.ts';
import { lazy } from '../lazy.ts';
import { loadLedger } from '../ledger.ts';
import type { Program } from '../program.ts';

/** An open label dialog. It lives as long as it is on screen. */
export interface LabelDialog {
  /** What was done in it. */
  submit(values: Readonly<Record<string, string>>): void;
  /** Labels or tasks changed. */
  refresh(): void;
  /** A field holds text that its own undo takes back. */
  readonly isTyping: boolean;
  /** It closes: what was typed is kept. */
  leave(): void;
}

const part = lazy(async () => {
  const [{ LabelPicker }, { LabelManager }] = await Promise.all([
    import('./picker.ts'),
    import('./manager.ts'),
    // Typing in the dialog must be answered at once.
    loadLedger(),
  ]);
  return { LabelPicker, LabelManager };
});

export const loadLabels = () => part.load();

type Part = Awaited<ReturnType<typeof loadLabels>>;

function open(program: Program, make: (labels: Part) => LabelDialog): void {
  program.leaveText();
  program.editor.flush();
  const show = (labels: Part) => {
    program.labels = make(labels);
    program.labels.refresh();
  };
  if (part.now) show(part.now);
  else
    part.load().then(
      (labels) => program.act(() => show(labels)),
      () =>
        program.act(() =>
          program.say('The labels could not be loaded. Check the connection and try again.', { error: true }),
        ),
    );
}

export function openPicker(program: Program): void {
  open(program, ({ LabelPicker }) => new LabelPicker(program));
}

/** `chosen`: the label or group to begin with. */
export function openManager(program: Program, chosen: Id | null = null): void {
  open(program, ({ LabelManager }) => new LabelManager(program, chosen));
}
