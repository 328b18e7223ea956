// What the label picker and the label manager draw.
import type { Id } from '#core/ids.ts';

/** One label of the picker; id null: the row that creates it. */
export interface LabelChoiceView {
  readonly id: Id | null;
  readonly name: string;
  readonly color: string;
  readonly keys: readonly string[];
  readonly group: string | null;
  /** Choosing it replaces the others of its group. */
  readonly exclusive: boolean;
  /** Nobody else ever sees it. */
  readonly isPrivate: boolean;
  /** How many of the chosen tasks carry it. */
  readonly state: 'all' | 'some' | 'none';
  /** "replaces High", "on 2 of 3"; empty: nothing to say. */
  readonly note: string;
}

export interface LabelPickerView {
  readonly title: string;
  /** The task at the cursor: it opens beside its row. */
  readonly about: Id | null;
  readonly query: string;
  readonly choices: readonly LabelChoiceView[];
  readonly active: number;
  /** What came of the last choice, while it stays open. */
  readonly answer: string;
}

export interface LabelEntryView {
  readonly id: Id;
  readonly kind: 'label' | 'group';
  readonly name: string;
  /** Null: a group. */
  readonly color: string | null;
  readonly keys: readonly string[];
  readonly level: 1 | 2;
  readonly note: string;
}

export type LabelChosenView =
  | {
      readonly kind: 'group';
      readonly id: Id;
      readonly name: string;
      readonly exclusive: boolean;
      readonly isPrivate: boolean;
    }
  | {
      readonly kind: 'label';
      readonly id: Id;
      readonly name: string;
      readonly color: string;
      readonly hotkey: string;
      readonly isPrivate: boolean;
      readonly group: Id | null;
    };

export interface LabelManagerView {
  readonly filter: string;
  readonly entries: readonly LabelEntryView[];
  readonly active: number;
  readonly chosen: LabelChosenView | null;
  readonly groups: readonly { readonly id: Id; readonly name: string }[];
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
  /** Grows when text fields have to show again what stands. */
  readonly revision: number;
}
