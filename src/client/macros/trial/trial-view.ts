// View of the dialog that says what a macro would change.
import type { Id } from '#core/ids.ts';
import type { FormValues } from '../../dialogs/form-values.ts';
import type { ListMove } from '../../dialogs/list-cursor.ts';
import type { HistoryDetail, HistoryMark, Phrase } from '../../history/view.ts';

/** One thing that would change. */
export interface TrialLine {
  readonly id: Id;
  readonly kind: 'created' | 'changed' | 'deleted' | 'restored';
  readonly mark: HistoryMark;
  /** What it is besides its title, such as “List”; empty: a task. */
  readonly type: string;
  readonly title: string;
  /** Each change as a sentence without whom it is about. */
  readonly changes: readonly (readonly Phrase[])[];
}

/** The dialog: it asks for variables, waits, and shows what would change. */
export interface MacroTrialView {
  readonly name: string;
  readonly step: 'asking' | 'trying' | 'shown';
  /** While it is tried: how much of the tasks it has read. */
  readonly percent: number;
  /** What it asks for, with what is offered. */
  readonly questions: readonly { readonly name: string; readonly value: string }[];
  /** What would change in numbers, and where it would stop: whole sentences. */
  readonly summary: readonly string[];
  readonly lines: readonly TrialLine[];
  readonly active: number;
  /** Old and new texts of the active one that are too long for its sentences. */
  readonly details: readonly HistoryDetail[];
  /** Number of things that are not listed. */
  readonly more: number;
  readonly canRun: boolean;
}

/** An action in that dialog. */
export type MacroTrialAction =
  | { readonly action: 'try'; readonly values: FormValues }
  | { readonly action: 'move'; readonly to: ListMove }
  | { readonly action: 'choose'; readonly index: number }
  | { readonly action: 'run' };

declare module '../../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly macroTrial: {
      readonly view: { readonly trial: MacroTrialView };
      readonly action: MacroTrialAction;
    };
  }
}
