// The focused text field, for commands that move its caret and change its text.

/** Implemented by the platform over the focused field. Offsets are UTF-16 units. */
export interface TextField {
  readonly text: string;
  /** The selection; both are the caret when it is empty. */
  readonly from: number;
  readonly to: number;
  putCaret(at: number): void;
  /** Replaces as if typed: the field's listeners are called, and its own undo takes it back. */
  replace(from: number, to: number, text: string): void;
  undo(): void;
  redo(): void;
}
