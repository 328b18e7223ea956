// View of the rehearsal: what an import would do, before any of it is done; then how far it is.
import type { ListMove } from '../dialogs/list-cursor.ts';

/** A line that can be turned on and off: a list of the file, or an option. */
export interface RehearsalRow {
  /** `list 3`, or the name of an option. */
  readonly id: string;
  readonly kind: 'list' | 'option';
  readonly text: string;
  /** The folders of a list, the consequence of an option; empty: none. */
  readonly hint: string;
  /** Tasks; −1: it has no number. */
  readonly count: number;
  /** What becomes of a list: "new", "here". Empty for options. */
  readonly state: string;
  readonly isOn: boolean;
}

/** What has no place here, or comes otherwise. */
export interface RehearsalLoss {
  /** "31 comments (note)". */
  readonly what: string;
  /** "Goes to the notes." */
  readonly instead: string;
  /** It does not come at all. */
  readonly isGone: boolean;
  readonly examples: readonly string[];
}

/** A task of the active list. */
export interface RehearsalTask {
  readonly title: string;
  readonly level: number;
  readonly isDone: boolean;
  readonly hasNotes: boolean;
  readonly labels: readonly string[];
  /** In this person's words; empty: none. */
  readonly due: string;
}

/** The dialog. */
export interface RehearsalView {
  readonly step: 'reading' | 'shown' | 'importing' | 'stopped';
  /** From 0 to 1. */
  readonly progress: number;
  /** What was chosen, in quotation marks. */
  readonly name: string;
  /** "Todoist backup · 1,284 tasks in 9 lists"; empty while it is read. */
  readonly lead: string;
  readonly tiles: readonly { readonly value: number; readonly text: string }[];
  readonly rows: readonly RehearsalRow[];
  readonly active: number;
  readonly losses: readonly RehearsalLoss[];
  /** What was changed here and stays, and what was said of the files: whole sentences. */
  readonly notes: readonly string[];
  readonly sample: {
    readonly list: string;
    readonly tasks: readonly RehearsalTask[];
    readonly more: number;
  } | null;
  /** "Import 1,271 tasks"; empty: there is nothing to import. */
  readonly action: string;
  /** Numbers are being found out for other options. */
  readonly isPlanning: boolean;
}

/** An action in the dialog. */
export type RehearsalAction =
  | { readonly action: 'move'; readonly to: ListMove }
  | { readonly action: 'choose'; readonly index: number }
  /** Turns the active line on or off; with an index, that one. */
  | { readonly action: 'toggle'; readonly index?: number }
  | { readonly action: 'import' }
  | { readonly action: 'stop' }
  | { readonly action: 'keep' }
  | { readonly action: 'takeBack' }
  /** Saves what is shown as a text. */
  | { readonly action: 'report' };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly rehearsal: {
      readonly view: { readonly rehearsal: RehearsalView };
      readonly action: RehearsalAction;
    };
  }
}
