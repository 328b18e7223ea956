// The door to all that the first keys do not need: every other command, the palette, pasted text, the list of keys. It is
// loaded when the app is idle; what is pressed before it has come is held (held.ts) and done then, in order.
import { languagePart } from './language.ts';
import { lazy } from './lazy.ts';
import { pickers } from './pickers/door.ts';

export const laterPart = lazy(async () => {
  const parts = await Promise.all([
    import('./commands/registry.ts'),
    import('./palette/palette.ts'),
    import('./commands/transfer.ts'),
    import('./keys/key-sheet.ts'),
    import('./finding.ts'),
    import('#sync/query/task-index.ts'),
    import('./alarm.ts'),
    import('./keys/choices.ts'),
    import('./vim/vim.ts'),
    import('./files/door.ts'),
    import('./notes-editor.ts'),
    import('./title-paste.ts'),
    import('./dragging.ts'),
    // What a key of these commands asks for must be answered at once: the next key may follow within a hundredth of a second.
    pickers.load(),
    languagePart.load(),
  ]);
  const [{ commands }, { Palette }, { pasteTasks }, { keySheet }, { Finding }, { TaskIndex }] = parts;
  const [, , , , , , { alarmOf }, { followChoices }, { Vim }, { giveFiles }, { NotesEditor }] = parts;
  const [, , , , , , , , , , , { pasteInTitle }, { Dragging }] = parts;
  return {
    commands,
    Palette,
    pasteTasks,
    keySheet,
    Finding,
    TaskIndex,
    alarmOf,
    followChoices,
    Vim,
    giveFiles,
    NotesEditor,
    pasteInTitle,
    Dragging,
  };
});

export type Later = Awaited<ReturnType<typeof laterPart.load>>;
