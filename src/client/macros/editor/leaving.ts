// What closes the editor of a macro: recording into it, running and trying it, giving it a key, deleting it. Some come back to it.
import type { Id } from '#core/ids.ts';
import { reopenAfter } from '../../dialogs/reopening.ts';
import { openKeyEditor } from '../../keys/lazy.ts';
import { quoted } from '../../text/editor.ts';
import { macroCommand, type MacroContent } from '../macro.ts';
import type { MacroShelf } from '../shelf.ts';
import { tryMacro } from '../trial/lazy.ts';

/** The editor that is left. */
export interface LeftEditor {
  readonly shelf: MacroShelf;
  readonly id: Id;
  readonly macro: MacroContent;
  /** Opens it again, where it was. */
  readonly again: () => void;
}

/** Records steps into the macro, before the one at `at`. */
export function recordInto({ shelf, id, macro }: LeftEditor, at: number): void {
  const { program } = shelf;
  program.run('dialog.close');
  const result = shelf.startRecording({ id, macro, at });
  if (result.type === 'done' && result.announce !== undefined) program.say(result.announce);
}

export function runIt({ shelf: { program }, id }: LeftEditor): void {
  program.run('dialog.close');
  program.run(macroCommand(id));
}

/** Comes back when the trial is closed, but not when the macro was run from it. */
export function tryIt({ shelf, id, macro, again }: LeftEditor): void {
  const { program } = shelf;
  const { newest } = program.undo;
  program.run('dialog.close');
  tryMacro(shelf, { id, ...macro });
  reopenAfter(program, again, () => program.undo.newest === newest && !shelf.isRunning);
}

/** Comes back when the editor of keys is closed. */
export function giveItAKey({ shelf: { program }, id, macro, again }: LeftEditor): void {
  program.run('dialog.close');
  openKeyEditor(program, macro.name, macroCommand(id));
  reopenAfter(program, again);
}

/** `isStored`: else nothing but the editor goes. */
export function deleteIt({ shelf, id, macro: { name } }: LeftEditor, isStored: boolean): void {
  const { program } = shelf;
  program.run('dialog.close');
  if (isStored) shelf.remove(id, `deleted the macro ${quoted(name)}`);
  program.say(`Deleted the macro ${quoted(name)}.`, { undo: isStored });
}
