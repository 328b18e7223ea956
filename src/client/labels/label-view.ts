// Views of the label picker and the label manager.
import type { Id } from '#core/ids.ts';
import type { ListMove } from '../dialogs/list-cursor.ts';

/** One label of the picker; id null: a line that creates it. */
export interface LabelChoiceView {
  readonly id: Id | null;
  readonly name: string;
  readonly color: string;
  readonly keys: readonly string[];
  readonly group: string | null;
  /** Choosing it replaces the others of its group. */
  readonly exclusive: boolean;
  /** No other person ever sees it, or will see what the line creates. */
  readonly isPrivate: boolean;
  /** How many of the target tasks carry it. */
  readonly state: 'all' | 'some' | 'none';
  /** "replaces High", "on 2 of 3"; empty: nothing. */
  readonly note: string;
}

/** Labels of the picker under one heading. */
export interface LabelSectionView {
  readonly title: string;
  /** A task has one of them at most. */
  readonly isOneOf: boolean;
  /** How many of the choices that follow those of the section before. */
  readonly size: number;
}

/** The label picker for the target tasks. */
export interface LabelPickerView {
  /** "Labels of ‘Plan’" */
  readonly title: string;
  /** What it is about: the title of a task, "3 tasks". */
  readonly subject: string;
  /** The task at the cursor: the picker opens beside its row. */
  readonly about: Id | null;
  readonly query: string;
  readonly choices: readonly LabelChoiceView[];
  /** The headings over the choices, in order; none while names are typed. */
  readonly sections: readonly LabelSectionView[];
  readonly active: number;
  /** Several tasks are labeled. */
  readonly isForSeveral: boolean;
  /** Result of the last choice, while the picker stays open. */
  readonly answer: string;
}

/** One line of the label manager: a label or a group. */
export interface LabelEntryView {
  readonly id: Id;
  readonly kind: 'label' | 'group';
  readonly name: string;
  /** Null: a group. */
  readonly color: string | null;
  readonly keys: readonly string[];
  readonly level: 1 | 2;
  readonly note: string;
  /** What stands over it, before the first of its scope: “Mine”, or the name of a shared list; null: nothing. */
  readonly heading: string | null;
  /** How many open tasks carry it; of a group, any label of it. */
  readonly count: number;
}

interface ChosenView {
  readonly id: Id;
  readonly name: string;
  readonly isPrivate: boolean;
  /** The shared list that it belongs to, which all see who are on it; null: it is one’s own. */
  readonly list: string | null;
  /** How many open tasks carry it. */
  readonly count: number;
}

/** The label or group that the manager is editing. */
export type LabelChosenView =
  | (ChosenView & { readonly kind: 'group'; readonly exclusive: boolean })
  | (ChosenView & {
      readonly kind: 'label';
      readonly color: string;
      readonly hotkey: string;
      readonly group: Id | null;
      /** The title of one of the open tasks that carry it; null: there is none. */
      readonly sample: string | null;
    });

/** The label manager: all labels and groups, and the fields of the chosen one. */
export interface LabelManagerView {
  readonly filter: string;
  readonly entries: readonly LabelEntryView[];
  readonly active: number;
  readonly chosen: LabelChosenView | null;
  /** The active entry is being renamed in the list. */
  readonly isRenaming: boolean;
  readonly groups: readonly { readonly id: Id; readonly name: string; readonly exclusive: boolean }[];
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
  /** Grows when text fields have to show their stored values again. */
  readonly revision: number;
}

/** An action in the label picker. */
export type LabelPickerAction =
  | { readonly action: 'move'; readonly to: ListMove }
  | { readonly action: 'filter'; readonly text: string }
  /** Completes the name of the active label. */
  | { readonly action: 'complete' }
  /** Toggles the active label, or the one at `index`. */
  | { readonly action: 'pick'; readonly index?: number; readonly staysOpen: boolean }
  /** Creates the typed label as a private one, where that is offered. */
  | { readonly action: 'createPrivate' };

/** An action in the label manager. */
export type LabelManagerAction =
  | { readonly action: 'move'; readonly to: ListMove }
  | { readonly action: 'choose'; readonly id: Id }
  | { readonly action: 'filter'; readonly text: string }
  /** Text typed into a field; `commit` ends the typing. */
  | { readonly action: 'draft'; readonly field: 'name' | 'hotkey'; readonly text: string }
  | { readonly action: 'commit' | 'createLabel' | 'createGroup' | 'delete' }
  /** Renames the chosen entry in the list, until the next `commit`. */
  | { readonly action: 'rename' }
  /** Closes the dialog and searches for the open tasks that carry the chosen label. */
  | { readonly action: 'tasks' }
  | { readonly action: 'color'; readonly color: string }
  /** Null: none. */
  | { readonly action: 'group'; readonly group: Id | null }
  | { readonly action: 'private'; readonly isOn: boolean }
  /** Of the chosen group, or of the group that the chosen label is in. */
  | { readonly action: 'exclusive'; readonly isOn: boolean };
