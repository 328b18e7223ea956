// A dialog with state of its own: what the program requires of it while it is open.
import type { ImportSource } from '../importing/port.ts';
import type { DialogAction, DialogType } from './dialog-view.ts';

/** Implemented by each stateful dialog; the program holds it while it is open, and calls `leave` before it closes. */
export interface OpenDialog {
  readonly type: DialogType;
  /** Called only with actions of its own type. */
  submit(action: DialogAction): void;
  /** The action of a command in this dialog, by its id (`options.down`); null: none. Absent: it maps no commands. */
  byKey?(command: string): DialogAction | null;
  /** Its data may have changed. */
  refresh(): void;
  /** A text field with changes has the focus: its Undo key is the browser's. */
  readonly isTyping: boolean;
  /** Undoes the last change made in it. Absent: it has none. */
  undo?(): void;
  /**
   * Escape: ends a search in it, or goes back to the step that the present one was opened from. False: there is nothing to end, and the dialog closes, as it
   * does from a step that it began with. Absent: there never is.
   */
  clearFilter?(): boolean;
  /** False: it shows something only once, and asks for confirmation before closing. Absent: it may be closed. */
  mayClose?(): boolean;
  /** Files that were dropped while it is open. False: they are not for it. Absent: none are. */
  takeFiles?(files: readonly ImportSource[]): boolean;
  /** Called on closing: saves typed text. */
  leave(): void;
}
