// Commands that may become steps, by words: those of the palette, JavaScript, and other macros.
import type { Program } from '../../app/program.ts';
import type { Argument } from '../../commands/command.ts';
import type { Command } from '../../commands/define.ts';
import { iconOfCommand } from '../../palette/command-icons.ts';
import type { PaletteIcon } from '../../palette/palette-view.ts';
import { prepare, rank } from '../../search/ranking.ts';
import type { Step } from '../macro.ts';
import { mayBeStep } from '../running.ts';
import { stepTitle } from './step-words.ts';

/** Something that can be added as a step. */
export interface Addable {
  readonly icon: PaletteIcon;
  readonly title: string;
  readonly detail: string;
  readonly step: Step;
}

const MOST = 30;

/** A new script, which does nothing yet. */
const SCRIPT = `function updateVariables(variables, state) {
  return { ...variables };
}
`;

/** Answers that can't be written down: they are about what is on the screen. */
const MOMENTARY: ReadonlySet<Argument['kind']> = new Set(['link', 'item', 'named']);

/** What most macros begin with. */
const FIRST = ['task.due', 'task.addTo', 'label.put', 'task.move', 'task.complete', 'selection.found'];

const script: Addable & { readonly aliases: readonly string[] } = {
  icon: 'code',
  title: 'Run JavaScript',
  detail: 'changes variables',
  aliases: ['script', 'code', 'compute', 'update variables'],
  step: { type: 'script', source: SCRIPT, note: '' },
};

const addable = (command: Command): Addable & { readonly aliases: readonly string[] } => ({
  icon: iconOfCommand(command) ?? 'command',
  title: stepTitle(command),
  detail: command.group === 'Application' ? '' : command.group,
  aliases: command.aliases,
  step: {
    type: 'command',
    command: command.id,
    answers: Object.fromEntries(command.args.map(({ name }) => [name, { words: '' }])),
    note: '',
  },
});

/** What fits the words, best first. `own`: the command of the macro that is edited, which can't run itself. */
export function addables(program: Program, query: string, own: string): readonly Addable[] {
  const possible = [...program.commands.values()].filter(
    ({ id, inPalette, isListed, args }) =>
      inPalette &&
      isListed?.(program) !== false &&
      id !== own &&
      mayBeStep(id) &&
      !args.some(({ kind }) => MOMENTARY.has(kind)),
  );
  if (query.trim() === '') {
    const first = FIRST.flatMap((id) => possible.find((command) => command.id === id) ?? []);
    return [...first.map(addable), script];
  }
  return [script, ...possible.map(addable)]
    .flatMap((each) => {
      const found = rank(query, prepare({ title: each.title, aliases: each.aliases }));
      return found === null ? [] : [{ each, score: found.score }];
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ each: { icon, title, detail, step } }) => ({ icon, title, detail, step }));
}
