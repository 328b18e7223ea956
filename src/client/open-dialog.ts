// A dialog with a mind of its own: what the program asks of it while it is on screen.
import type { DialogView } from './dialog-view.ts';

export interface OpenDialog {
  /** What was done in it. */
  submit(values: Readonly<Record<string, string>>): void;
  /** What it shows may have changed. */
  refresh(): void;
  /** A field holds text that its own undo takes back. */
  readonly isTyping: boolean;
  /** It closes: what was typed is kept. */
  leave(): void;
}

const THINKING = [
  'labels',
  'labelManager',
  'keys',
  'settings',
  'safety',
  'files',
  'listMail',
  'quickEntry',
  'replace',
  'timeMachine',
  'firstRun',
  'importPreview',
] as const satisfies readonly DialogView['type'][];

export type Thinking = Extract<DialogView, { readonly type: (typeof THINKING)[number] }>;

/** A dialog that needs no other part of the app for its answers: what is typed into it waits for nothing. */
export const isThinking = (dialog: DialogView): dialog is Thinking =>
  (THINKING as readonly string[]).includes(dialog.type);
