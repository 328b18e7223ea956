// Every command there is, by id.
import { accountCommands } from './account.ts';
import { applicationCommands } from './application.ts';
import { caretCommands } from './caret.ts';
import { dateCommands } from './dates.ts';
import type { Command } from './define.ts';
import { bookmarkCommands } from './bookmarks.ts';
import { detailCommands } from './details.ts';
import { editCommands } from './edit.ts';
import { fileCommands } from './files.ts';
import { findingCommands } from './finding.ts';
import { historyCommands } from './history.ts';
import { installCommands } from './install.ts';
import { keyCommands } from './keys.ts';
import { labelCommands } from './labels.ts';
import { listCommands } from './lists.ts';
import { linkCommands } from './links.ts';
import { monthCommands } from './month.ts';
import { navigationCommands } from './navigation.ts';
import { notesCommands } from './notes.ts';
import { outlineCommands } from './outline.ts';
import { paletteCommands } from './palette.ts';
import { reminderCommands } from './reminders.ts';
import { selectionCommands } from './selection.ts';
import { settingCommands } from './settings.ts';
import { mailCommands } from './mail.ts';
import { sharingCommands } from './sharing.ts';
import { smartCommands } from './smart.ts';
import { syncCommands } from './sync.ts';
import { taskErrands } from './task-errands.ts';
import { taskCommands } from './tasks.ts';
import { teachingCommands } from './teaching.ts';
import { transferCommands } from './transfer.ts';
import { trashCommands } from './trash.ts';
import { viewCommands } from './view.ts';

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
  ...sharingCommands,
  ...mailCommands,
  ...navigationCommands,
  ...selectionCommands,
  ...editCommands,
  ...notesCommands,
  ...viewCommands,
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
  ...applicationCommands,
];

/** In the order in which help and the palette group them. */
export const commands: ReadonlyMap<string, Command> = new Map(all.map((command) => [command.id, command]));
