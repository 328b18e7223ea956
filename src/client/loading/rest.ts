// The rest: everything that the first keys do not need, such as the other commands, the palette, pasting, the list of
// keys. Loaded when the app is idle; input before that is queued (input-queue.ts) and replayed in order.
import { languagePart } from '../search/language.ts';
import { lazy } from './lazy.ts';
import { searchPart } from '../search/searching.ts';
import { pickers } from '../pickers/lazy.ts';

/** Loads the rest in one piece, so that commands find all of it or none. */
export const restPart = lazy(async () => {
  const parts = await Promise.all([
    import('../commands/registry.ts'),
    import('../palette/palette.ts'),
    import('../transfer/transfer-commands.ts'),
    import('../keys/key-sheet.ts'),
    import('./rest-parts.ts'),
    import('../settings/setting-commands.ts'),
    import('../sync-status/alarm.ts'),
    import('../keys/choices.ts'),
    import('../vim/vim.ts'),
    import('../files/lazy.ts'),
    import('../text/notes-editor.ts'),
    import('../text/title-paste.ts'),
    import('../outline/dragging.ts'),
    import('../app/empty-words.ts'),
    // These pickers must open at once: the next key may follow within a hundredth of a second.
    pickers.load(),
    languagePart.load(),
    searchPart.load(),
  ]);
  const [{ commands }, { Palette }, { pasteTasks }, { keySheet }, { restParts }] = parts;
  const [, , , , , { commandsOfSettings }, { alarmOf }, { followChoices }, { Vim }, { giveFiles }] = parts;
  const [, , , , , , , , , , { NotesEditor }, { pasteInTitle }, { Dragging }, { emptyWords }, { sayRepeat }] =
    parts;
  return {
    commands,
    commandsOfSettings,
    Palette,
    pasteTasks,
    keySheet,
    alarmOf,
    followChoices,
    Vim,
    giveFiles,
    NotesEditor,
    pasteInTitle,
    Dragging,
    emptyWords,
    sayRepeat,
    parts: restParts,
  };
});

/** The exports of the rest. */
export type Rest = Awaited<ReturnType<typeof restPart.load>>;
