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
  keys: [
    { context: 'dialog.macroSteps', keys: 'n', command: 'steps.add' },
    { context: 'dialog.macroSteps', keys: 'v', command: 'steps.variable' },
    { context: 'dialog.macroSteps', keys: 'q', command: 'steps.record' },
    { context: 'dialog.macroSteps', keys: 'Home', command: 'options.first' },
    { context: 'dialog.macroSteps', keys: 'End', command: 'options.last' },
    { context: 'dialog.macroSteps', keys: 'k', command: 'steps.key' },
    { context: 'dialog.macroSteps', keys: 'Delete', command: 'steps.remove' },
    { context: 'dialog.macroSteps', keys: 'Backspace', command: 'steps.remove' },
    { context: 'dialog.macroSteps', keys: 'Mod+D', command: 'steps.duplicate' },
    { context: 'dialog.macroTrial', keys: 'Home', command: 'options.first' },
    { context: 'dialog.macroTrial', keys: 'End', command: 'options.last' },
    { context: 'dialog.macroEditor', keys: 'Alt+Up', command: 'steps.earlier' },
    { context: 'dialog.macroEditor', keys: 'Alt+Down', command: 'steps.later' },
    { context: 'dialog.macroEditor', keys: 'Mod+Enter', command: 'steps.check' },
    { context: 'dialog.macroEditor', keys: 'Mod+Shift+Enter', command: 'steps.run' },
  ],
  dialogs: {
    macroEditor: { name: 'Macro', isWide: true },
    macroTrial: { name: 'Try a macro', isWide: true },
  },
});
