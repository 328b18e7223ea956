// The command that sets after how long a shared list clears what is complete in it, for everybody. Clearing itself is automatic.ts.
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { definePart } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type { Availability, CommandResult } from '../commands/command.ts';
import { announced, type Command, define, refused } from '../commands/define.ts';
import { currentList } from '../commands/lists.ts';
import { nameOf } from '../outline/row-facts.ts';
import { autoClear } from '../settings/behavior.ts';
import { quoted } from '../text/editor.ts';

const NOT_SHARED = 'Your own lists clear as “Automatic clearing” in Settings says. Open a shared list first.';

const choices = autoClear.choices.map(({ value, title }) => ({ value: `${value}`, title }));

function sharedList(program: Program): Row | undefined {
  const list = currentList(program);
  return list === undefined || list.scope === program.replica.scope ? undefined : list;
}

const needsShared = (program: Program): Availability => (sharedList(program) ? null : NOT_SHARED);

function setClearing(program: Program, value: string): CommandResult {
  const list = sharedList(program);
  const chosen = choices.find((choice) => choice.value === value);
  if (!list) return refused(NOT_SHARED);
  if (chosen === undefined)
    return refused('A list can’t be cleared after that time. Choose one of the list.');
  program.leaveText();
  const name = quoted(nameOf(list) || 'Untitled');
  const hours = Number(chosen.value);
  const how = chosen.title.toLowerCase();
  program.change(
    [{ a: 'set', id: list.id, field: 'clearAfter', value: hours === 0 ? null : hours }],
    hours === 0 ? `turned off automatic clearing of ${name}` : `cleared ${name} ${how}`,
  );
  return announced(
    hours === 0
      ? `Completed tasks stay in ${name} until somebody clears them.`
      : `Completed tasks of ${name} clear ${how}, for everybody in it.`,
  );
}

const listClearingCommands: readonly Command[] = [
  define({
    id: 'list.clearAfter',
    title: 'Clear shared list automatically…',
    aliases: ['automatic clearing of list', 'clear completed for everybody', 'tidy up shared list'],
    group: 'Lists',
    icon: 'broom',
    args: [{ name: 'after', kind: 'choice', prompt: 'Clear its completed tasks when?', choices }],
    when: needsShared,
    chosen: (program) => `${fieldOf(sharedList(program), 'clearAfter') ?? 0}`,
    run: (program, { after = '' }) => setClearing(program, after),
  }),
];

/** Says when a shared list clears itself. */
export const listClearing = definePart({
  name: 'Clearing of shared lists',
  create: () => ({}),
  commands: listClearingCommands,
});
