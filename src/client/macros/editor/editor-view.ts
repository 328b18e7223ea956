// View and actions of the editor of a macro.
import type { Id } from '#core/ids.ts';
import type { ListMove } from '../../dialogs/list-cursor.ts';
import type { PaletteIcon } from '../../palette/palette-view.ts';
import type { MacroIcon } from '../macro.ts';

/** A text field: the name, the note of a step, a script, a variable’s name or value, or one answer of a step. */
export type MacroField = 'name' | 'note' | 'source' | 'variable' | 'value' | `answer.${string}`;

/** The macro itself, a step or a variable, in the list. */
export interface MacroEntryView {
  readonly kind: 'macro' | 'step' | 'variable';
  readonly icon: PaletteIcon;
  readonly title: string;
  readonly detail: string;
  /** Why it can't run as it is; null: nothing known. */
  readonly problem: string | null;
  /** Of a step: from 1. */
  readonly number: number | null;
}

/** A question of the command of a step, and its answer. */
export interface AnswerView {
  readonly field: MacroField;
  readonly prompt: string;
  readonly text: string;
  readonly isLong: boolean;
}

/** What a script did when it was checked. */
export interface ScriptCheckView {
  readonly isRunning: boolean;
  /** What it wrote to the console. */
  readonly log: readonly string[];
  readonly problem: string | null;
  /** From 1; null: not known. */
  readonly line: number | null;
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

/** The chosen entry with its fields. */
export type MacroChosenView =
  | {
      readonly kind: 'macro';
      readonly name: string;
      readonly icon: PaletteIcon;
      readonly keys: readonly string[] | null;
      readonly takesLinks: boolean;
      /** What starts it from elsewhere. */
      readonly address: string;
    }
  | {
      readonly kind: 'step';
      readonly number: number;
      readonly title: string;
      readonly problem: string | null;
      readonly answers: readonly AnswerView[];
      /** It has no answers here, and asks in a dialog when it runs. */
      readonly asksLater: boolean;
      readonly note: string;
    }
  | {
      readonly kind: 'script';
      readonly number: number;
      readonly source: string;
      readonly note: string;
      readonly check: ScriptCheckView | null;
    }
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly value: string;
      readonly isAsked: boolean;
      /** Steps that use it. */
      readonly uses: number;
    };

interface OptionView {
  readonly icon: PaletteIcon | null;
  readonly title: string;
  readonly detail: string;
}

/** Something to choose from below a field. */
export interface MacroOptionsView {
  readonly options: readonly OptionView[];
  /** −1: none. */
  readonly active: number;
}

/** The editor of a macro. */
export interface MacroEditorView {
  readonly name: string;
  readonly keys: readonly string[] | null;
  readonly entries: readonly MacroEntryView[];
  readonly active: number;
  readonly chosen: MacroChosenView;
  /** A step is being added: the words for it and the commands that fit. */
  readonly adding: (MacroOptionsView & { readonly query: string }) | null;
  /** What the field that is written in may hold. */
  readonly completion: (MacroOptionsView & { readonly field: MacroField }) | null;
  /** Takes the focus whenever `turn` grows. `at`: where the caret goes. */
  readonly wanted: {
    readonly place: 'entries' | 'adding' | MacroField;
    readonly at: number | 'all' | null;
    readonly turn: number;
  };
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
  /** Grows when a field has to show its stored value again. */
  readonly revision: number;
}

/** An action by which the choice or the focus goes somewhere, or something is typed. */
export type MacroEditorMove =
  | { readonly action: 'move'; readonly to: ListMove }
  /** Of what is offered below a field. */
  | { readonly action: 'option'; readonly index: number }
  /** Of the steps that can be added. */
  | { readonly action: 'addStep'; readonly index: number }
  /** A field has got or lost the focus. */
  | { readonly action: 'enter'; readonly field: MacroField }
  | { readonly action: 'leave'; readonly field: MacroField }
  /** The list has got it, or the field for a new step. */
  | { readonly action: 'atList' }
  | { readonly action: 'atAdding' }
  /** Something beside the list that is no text has it. */
  | { readonly action: 'atControl' }
  | { readonly action: 'draft'; readonly field: MacroField; readonly text: string; readonly caret: number }
  | { readonly action: 'query'; readonly text: string };

/** An action that begins once what was typed is stored. */
export type MacroEditorDeed =
  | { readonly action: 'choose'; readonly index: number }
  | { readonly action: 'shift'; readonly by: -1 | 1 }
  | { readonly action: 'asked' | 'links'; readonly isOn: boolean }
  | { readonly action: 'icon'; readonly icon: MacroIcon }
  | {
      readonly action:
        | 'open'
        | 'commit'
        | 'add'
        | 'variable'
        | 'duplicate'
        | 'remove'
        | 'record'
        | 'run'
        | 'try'
        | 'check'
        | 'key'
        | 'copyLink'
        | 'copyText'
        | 'copyMacro'
        | 'delete';
    };

/** An action in the editor of a macro. */
export type MacroEditorAction = MacroEditorMove | MacroEditorDeed;

/** Which macro is edited, and from where on. */
export interface MacroEditorStart {
  readonly id: Id;
  /** The entry that is chosen; the macro itself is 0. */
  readonly at: number;
}

declare module '../../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly macroEditor: {
      readonly view: { readonly macro: MacroEditorView };
      readonly action: MacroEditorAction;
    };
  }
}
