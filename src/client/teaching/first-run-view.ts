// View of the first run: one step at a time. Its logic is in first-run.ts.
import type { PresetId } from '../keys/editor-view.ts';

/** A choice in a step of the first run. */
export interface SetupChoice<V extends string = string> {
  readonly value: V;
  readonly title: string;
}

/** Sample tasks for trying keys. They are not stored, and vanish with the dialog. */
export interface TryView {
  readonly rows: readonly { readonly title: string; readonly isDone: boolean }[];
  /** Index of the active row. */
  readonly at: number;
  /** Keys go to these rows. */
  readonly isTrying: boolean;
  readonly keys: readonly {
    readonly title: string;
    readonly caps: readonly string[];
    readonly isTried: boolean;
  }[];
  /** The effect of the last key; empty: none was pressed. */
  readonly said: string;
}

/** The current step of the first run. */
export type FirstRunView =
  | {
      readonly step: 'keys';
      readonly presets: readonly (SetupChoice<PresetId> & { readonly about: string })[];
      readonly preset: PresetId;
      readonly trial: TryView;
      /** Keys of the preset that the browser reserves, as a sentence; null: none. */
      readonly lost: string | null;
    }
  | {
      readonly step: 'look';
      readonly settings: readonly {
        readonly key: string;
        readonly title: string;
        readonly value: string;
        readonly choices: readonly SetupChoice[];
      }[];
    }
  | {
      readonly step: 'tasks';
      /** The name of the lesson on this device. */
      readonly learn: string;
    };

/** What follows the last step. */
export type FirstRunEnd = 'learn' | 'import' | 'nothing';

/** An action in the first run. */
export type FirstRunAction =
  | { readonly action: 'preset'; readonly preset: PresetId }
  /** A setting of appearance, and the chosen value. */
  | { readonly action: 'look'; readonly key: string; readonly value: string }
  /** Starts or stops sending keys to the sample rows. */
  | { readonly action: 'try'; readonly isTrying: boolean }
  | { readonly action: 'next' | 'back' | 'install' }
  | { readonly action: 'end'; readonly next: FirstRunEnd };
