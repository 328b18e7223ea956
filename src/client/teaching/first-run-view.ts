// What the first run shows: one step at a time. What it does is first-run.ts.

export interface SetupChoice {
  readonly value: string;
  readonly title: string;
}

/** A few tasks to try keys on. They are nobody's, and gone with the dialog. */
export interface TryView {
  readonly rows: readonly { readonly title: string; readonly isDone: boolean }[];
  /** The row that keys are about. */
  readonly at: number;
  /** Keys go to these rows. */
  readonly isTrying: boolean;
  readonly keys: readonly {
    readonly title: string;
    readonly caps: readonly string[];
    readonly isTried: boolean;
  }[];
  /** What the last key did; empty: none was pressed. */
  readonly said: string;
}

export type FirstRunView =
  | {
      readonly step: 'keys';
      readonly presets: readonly (SetupChoice & { readonly about: string })[];
      readonly preset: string;
      readonly trial: TryView;
      /** Keys of the set that do not arrive here, as a sentence; null: all do. */
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
      /** What the lesson is called here. */
      readonly learn: string;
    };
