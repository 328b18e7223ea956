// Commands of the first keys: moving, writing, indenting, completing, undoing. They are loaded with the first screen;
// registry.ts adds every other command.
import type { Command } from './define.ts';
import { editCommands } from './edit.ts';
import { navigationCommands } from './navigation.ts';
import { outlineCommands } from './outline.ts';
import { taskCommands } from './tasks.ts';

/** By id. */
export const firstCommands: ReadonlyMap<string, Command> = new Map(
  [...taskCommands, ...outlineCommands, ...navigationCommands, ...editCommands].map((command) => [
    command.id,
    command,
  ]),
);
