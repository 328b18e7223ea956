// Macros: a person's own commands, made of others. Each macro is a command (shelf.ts); these are the commands that make them.
import { definePart, type Part } from '../app/part.ts';
import { macroCommands } from './macro-commands.ts';
import { MacroShelf } from './shelf.ts';
import { stepCommands } from './step-commands.ts';

/** Macros: recorded, shared, changed and run. */
export const macros: Part<MacroShelf> = definePart({
  name: 'Macros',
  create: (program) => new MacroShelf(program),
  commands: [...macroCommands((program) => program.part(macros)), ...stepCommands],
});
