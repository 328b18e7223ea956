// The text field that has the focus, as commands see it that move its caret and change its text.

export interface TextField {
  readonly text: string;
  /** Where what is selected begins and ends; both the caret where nothing is. */
  readonly from: number;
  readonly to: number;
  putCaret(at: number): void;
  /** As if it were typed: whoever listens to the field hears of it, and the field’s own undo takes it back. */
  replace(from: number, to: number, text: string): void;
  undo(): void;
  redo(): void;
}
