// Lazy part of macros: what runs, records and edits them. The macros themselves are part.ts.
import { lazyPart } from '../loading/lazy-part.ts';
import { loadAnswers } from '../dialogs/answers.ts';

/** Running, recording and editing macros. Loaded when idle or first needed. */
export const lazyMacros = lazyPart('Macros', async () => {
  const [running, recording, editor, words] = await Promise.all([
    import('./running.ts'),
    import('./recording.ts'),
    import('./editor/editor.ts'),
    import('./editor/step-words.ts'),
    loadAnswers(),
  ]);
  return { ...running, ...recording, ...editor, ...words };
});
