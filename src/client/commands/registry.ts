// Every command by id, and every standard key, those of parts included.
import { firstParts } from '../app/first-parts.ts';
import { restParts } from '../loading/rest-parts.ts';
import { defaultBindings } from '../keys/default-keymap.ts';
import type { Binding } from '../keys/keymap.ts';
import { accountCommands } from './account.ts';
import { applicationCommands } from './application.ts';
import { caretCommands } from '../text/caret-commands.ts';
import { dateCommands } from '../pickers/date-commands.ts';
import type { Command } from './define.ts';
import { bookmarkCommands } from './bookmarks.ts';
import { detailCommands } from './details.ts';
import { editCommands } from './edit.ts';
import { fileCommands } from '../files/file-commands.ts';
import { findingCommands } from '../search/finding-commands.ts';
import { foldCommands } from './folds.ts';
import { historyCommands } from '../history/history-commands.ts';
import { installCommands } from '../install/install-commands.ts';
import { keyCommands } from '../keys/key-commands.ts';
import { labelCommands } from '../labels/label-commands.ts';
import { listCommands } from './lists.ts';
import { linkCommands } from '../links/link-commands.ts';
import { monthCommands } from '../palette/month-commands.ts';
import { navigationCommands } from './navigation.ts';
import { notesCommands } from './notes.ts';
import { optionCommands } from './options.ts';
import { outlineCommands } from './outline.ts';
import { placeCommands } from './places.ts';
import { paletteCommands } from '../palette/palette-commands.ts';
import { reminderCommands } from '../reminders/reminder-commands.ts';
import { scrollingCommands } from './scrolling.ts';
import { selectionCommands } from './selection.ts';
import { settingCommands } from '../settings/setting-commands.ts';
import { mailCommands } from '../mail/mail-commands.ts';
import { smartCommands } from '../search/smart-commands.ts';
import { syncCommands } from '../sync-status/sync-commands.ts';
import { taskErrands } from './task-errands.ts';
import { taskCommands } from './tasks.ts';
import { teachingCommands } from '../teaching/teaching-commands.ts';
import { undoCommands } from '../history/undo-commands.ts';
import { transferCommands } from '../transfer/transfer-commands.ts';
import { trashCommands } from '../trash/trash-commands.ts';
import { viewCommands } from './view.ts';

const parts = [...firstParts, ...restParts];

const all: readonly Command[] = [
  ...taskCommands,
  ...linkCommands,
  ...taskErrands,
  ...caretCommands,
  ...trashCommands,
  ...dateCommands,
  ...reminderCommands,
  ...monthCommands,
  ...outlineCommands,
  ...labelCommands,
  ...bookmarkCommands,
  ...detailCommands,
  ...fileCommands,
  ...listCommands,
  ...smartCommands,
  ...mailCommands,
  ...navigationCommands,
  ...placeCommands,
  ...selectionCommands,
  ...editCommands,
  ...undoCommands,
  ...notesCommands,
  ...viewCommands,
  ...foldCommands,
  ...scrollingCommands,
  ...findingCommands,
  ...historyCommands,
  ...transferCommands,
  ...accountCommands,
  ...syncCommands,
  ...settingCommands,
  ...installCommands,
  ...keyCommands,
  ...teachingCommands,
  ...paletteCommands,
  ...optionCommands,
  ...applicationCommands,
  ...parts.flatMap((part) => part.commands ?? []),
];

/** In the order in which help and the palette group them. */
export const commands: ReadonlyMap<string, Command> = new Map(all.map((command) => [command.id, command]));

/** The standard keys of parts, to be handed to `bindingsOf`. */
export const partBindings: readonly Binding[] = parts.flatMap((part) => part.keys ?? []);

/** The standard keys of the app and its parts. */
export const standardBindings: readonly Binding[] = [...defaultBindings, ...partBindings];
