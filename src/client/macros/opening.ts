// Opens the editor of a macro, once it is loaded.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import type { MacroEditor } from './editor/editor.ts';
import type { MacroEditorStart } from './editor/editor-view.ts';
import { lazyMacros } from './lazy.ts';
import type { MacroContent } from './macro.ts';
import type { MacroShelf } from './shelf.ts';

/** Opens the editor. `created`: what a new macro begins with. `prepare`: called before it is drawn. */
export function openEditor(
  shelf: MacroShelf,
  start: MacroEditorStart,
  prepare: (editor: MacroEditor) => unknown = () => undefined,
  created: MacroContent | null = null,
): CommandResult {
  const { program } = shelf;
  return program.inputQueue.enter(lazyMacros, ({ MacroEditor }) => {
    program.leaveText();
    program.editor.flush();
    const editor = new MacroEditor(shelf, start, created);
    prepare(editor);
    program.dialog.open(editor);
    return done;
  });
}
