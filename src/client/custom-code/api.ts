// What custom JavaScript gets, as types: the contract of docs/custom-code.md. What is here stays as long as the
// version says 1; something that means another thing gets the next number.

/** A task or completed repeat as it stands in the outline. A frozen copy: changing it changes nothing. */
export interface CustomRow {
  readonly id: string;
  readonly title: string;
  /** Markdown; empty: none. */
  readonly notes: string;
  readonly isComplete: boolean;
  /** `2026-11-27`, `2026-11-27T17:00` by the clock of wherever the person is, or an instant in UTC that ends in Z. */
  readonly due: string | null;
  readonly start: string | null;
  /** Names of its labels, in its own order. */
  readonly labels: readonly string[];
  /** Id of the list it is in; null while that is not known. */
  readonly list: string | null;
}

/** A command of the app, or one that custom JavaScript registered. */
export interface CustomCommandInfo {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** Names of the values that it takes. */
  readonly args: readonly string[];
  /** Why it can’t run now, as a sentence; null: it can. */
  readonly unavailable: string | null;
}

/** What came of a command. `said`: what the person was told, or why it was refused; empty: nothing. */
export interface CustomResult {
  readonly isDone: boolean;
  readonly said: string;
}

/** A command to register. */
export interface CustomCommand {
  /** `custom.` and letters, such as `custom.tidyUp`: keys are kept under it. */
  readonly id: string;
  readonly title: string;
  /** Other words to find it by. */
  readonly aliases?: readonly string[];
  /** Called with the selected tasks, or the one at the cursor. What it throws or rejects with is told in a message. */
  readonly run: (selected: readonly CustomRow[]) => unknown;
}

/** The first argument of custom JavaScript. Every object is frozen. */
export interface CustomApi {
  readonly version: 1;
  readonly commands: {
    list(): readonly CustomCommandInfo[];
    /** Values by name, as texts. A command asks in the palette for those that are missing. */
    run(id: string, values?: Readonly<Record<string, string>>): CustomResult;
    /** Until the app is closed. Throws where the id is taken or the command is not of this form. */
    register(command: CustomCommand): void;
  };
  readonly tasks: {
    /** The selected tasks, or the one at the cursor. */
    selected(): readonly CustomRow[];
    /** The tasks of the open place in the order of the outline, the first 5,000 of them. */
    shown(): readonly CustomRow[];
  };
  /**
   * Calls `listener` with the ids of what changed, after the screen shows it: here, on another device or by others. What
   * the listener itself changes at once is left out. Returns what ends it; a listener that throws is ended.
   */
  onChange(listener: (ids: readonly string[]) => unknown): () => void;
  /** Shows a message in the status bar; the first 500 characters of it. */
  say(text: string): void;
}
