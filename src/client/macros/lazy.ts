// Lazy part of macros: what runs, records and edits them. The macros themselves are part.ts.
import type { CommandResult } from '../commands/command.ts';
import { done } from '../commands/define.ts';
import { lazyPart } from '../loading/lazy-part.ts';
import { loadAnswers } from '../dialogs/answers.ts';
import type { MacroEditor } from './editor/editor.ts';
import type { MacroEditorStart } from './editor/editor-view.ts';
import type { MacroContent } from './macro.ts';
import type { MacroShelf } from './shelf.ts';

/** Running, recording and editing macros. Loaded when idle or first needed. */
export const lazyMacros = lazyPart('Macros', async () => {
  const [running, recording, editor] = await Promise.all([
    import('./running.ts'),
    import('./recording.ts'),
    import('./editor/editor.ts'),
    loadAnswers(),
  ]);
  return { ...running, ...recording, ...editor };
});

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
