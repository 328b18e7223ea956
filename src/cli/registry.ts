// Every command, in the order of help and of docs/cli.md.
import type { Command } from './command.ts';
import { accountCommands } from './commands/account.ts';
import { calendarCommands } from './calendar/commands.ts';
import { addingCommands } from './commands/adding.ts';
import { appCommands } from './commands/app.ts';
import { backingUpCommands } from './commands/backing-up.ts';
import { changingCommands } from './commands/changing.ts';
import { commentingCommands } from './commands/commenting.ts';
import { keyCommands } from './commands/key.ts';
import { macroCommands } from './commands/macros.ts';
import { readingCommands } from './commands/reading.ts';
import { shellCommands } from './commands/shell.ts';
import { twinCommands } from './commands/twin.ts';

export const commands: readonly Command[] = [
  ...addingCommands,
  ...readingCommands,
  ...backingUpCommands,
  ...twinCommands,
  ...changingCommands,
  ...commentingCommands,
  ...calendarCommands,
  ...macroCommands,
  ...appCommands,
  ...accountCommands,
  ...keyCommands,
  ...shellCommands,
];
