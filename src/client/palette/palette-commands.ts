// Commands on the palette itself: aliases, and queries without a result.
import { quoted } from '../text/editor.ts';
import { giveName, OwnNames, takeNames } from './names.ts';
import { forgetMissed, missedQueries, writeMissed } from './missed.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, type Command, define, done, refused } from '../commands/define.ts';

const group = 'Application' as const;

function copyMissed(program: Program): CommandResult {
  const { platform } = program;
  const missed = missedQueries(platform.preferences);
  const said = missed.length === 1 ? '1 search' : `${missed.length} searches`;
  void platform.copyText(writeMissed(missed)).then((isCopied) =>
    program.act(() => {
      if (!isCopied) program.say('Your browser blocked the copy.', { error: true });
      else {
        forgetMissed(platform.preferences);
        program.say(`Copied ${said} that found nothing, and cleared them.`);
      }
    }),
  );
  return done;
}

/** Giving and removing aliases, and the list of queries without a result. */
export const paletteCommands: readonly Command[] = [
  define({
    id: 'palette.name',
    title: 'Set an alias in the palette…',
    aliases: ['name of my own', 'nickname', 'abbreviation', 'another word'],
    group,
    args: [
      { name: 'item', kind: 'item', prompt: 'An alias for what?' },
      { name: 'name', kind: 'text', prompt: 'The alias' },
    ],
    run(program, { item = '', name = '' }) {
      const problem = giveName(program, item, name);
      return problem === null
        ? announced(`${quoted(name.trim())} finds ${program.palette.titleOf(item)} in the palette now.`)
        : refused(problem);
    },
  }),
  define({
    id: 'palette.unname',
    title: 'Remove an alias from the palette…',
    aliases: ['delete nickname', 'forget name of my own'],
    group,
    args: [{ name: 'item', kind: 'named', prompt: 'Which alias?' }],
    when: (program) => (new OwnNames(program).all.length > 0 ? null : 'No aliases yet. Set one first.'),
    run(program, { item = '' }) {
      const count = takeNames(program, item);
      if (count === 0) return refused('It has no alias.');
      return announced(count === 1 ? 'Removed the alias.' : `Removed ${count} aliases.`);
    },
  }),
  define({
    id: 'palette.missed',
    title: 'Copy what the palette didn’t find',
    aliases: ['failed searches', 'missing commands', 'report missing words'],
    group,
    when: ({ platform }) =>
      missedQueries(platform.preferences).length > 0 ? null : 'The palette has found everything so far.',
    run: copyMissed,
  }),
];
