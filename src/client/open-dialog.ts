// A dialog with a mind of its own: what the program asks of it while it is on screen.

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
