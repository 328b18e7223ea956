// Ex commands typed out of habit: with Vim keys the palette knows them by exactly these names, so that Enter never runs
// a mere lookalike. Everything else there is a command of the app.
import type { Offered, Offering } from '../palette/offering.ts';
import type { Program } from '../app/program.ts';
import { definePart } from '../app/part.ts';

const WRITE = ['w', 'w!', 'wa'];
const QUIT = ['q', 'q!', 'qa', 'qa!', 'wq', 'wqa', 'x', 'xa'];
const SUBSTITUTE = ['%s'];
const QUIET = ['noh', 'nohl'];

function exCommands(program: Program): Offering {
  const all: readonly Offered[] = [
    ...WRITE.map((name) => ({
      name,
      hint: 'Vim: save',
      run: () => program.say('Your text is already saved.'),
    })),
    ...QUIT.map((name) => ({
      name,
      hint: 'Vim: close notes or search',
      run: () => void program.run('view.close'),
    })),
    ...SUBSTITUTE.map((name) => ({
      name,
      hint: 'Vim: find and replace',
      run: () => void program.run('edit.replace'),
    })),
    ...QUIET.map((name) => ({
      name,
      hint: 'Vim: end the search',
      run: () => void program.run('search.leave'),
    })),
  ].map(({ name, hint, run }) => ({ id: `vim.${name}`, title: name, aliases: [], hint, run }));
  return {
    kind: 'Vim',
    icon: 'command',
    scopes: '>',
    bonus: 0,
    offered: () => (program.labelKeys.keymap.grammar === 'vim' ? all : []),
  };
}

/** Offers Vim's `:` commands in the palette. */
export const exPart = definePart({
  name: 'Ex commands',
  create: () => ({}),
  paletteSources: (program) => [exCommands(program)],
});
