// What the first keys do not need, as one file of the bundle; rest.ts loads it.
export { emptyWords } from '../app/empty-words.ts';
export { commands } from '../commands/registry.ts';
export { giveFiles } from '../files/lazy.ts';
export { followChoices } from '../keys/choices.ts';
export { currentKeySheet } from '../keys/key-sheet.ts';
export { Dragging } from '../outline/dragging.ts';
export { Palette } from '../palette/palette.ts';
export { commandsOfSettings } from '../settings/setting-commands.ts';
export { alarmOf } from '../sync-status/alarm.ts';
export { NotesEditor } from '../text/notes-editor.ts';
export { pasteInTitle } from '../text/title-paste.ts';
export { pasteTasks } from '../transfer/transfer-commands.ts';
export { Vim } from '../vim/vim.ts';
export { restParts as parts } from './rest-parts.ts';
