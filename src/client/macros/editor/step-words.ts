// How steps read in the editor: the command, its answers, and what is known to be wrong.
import type { Program } from '../../app/program.ts';
import type { Command } from '../../commands/define.ts';
import { iconOfCommand } from '../../palette/command-icons.ts';
import { builtIns, namesIn } from '../variables.ts';
import type { MacroContent, Step, Variable } from '../macro.ts';
import { mayBeStep } from '../running.ts';
import { answerProblem } from './answer-problem.ts';
import type { AnswerView, MacroEntryView } from './editor-view.ts';

const SHOWN = 80;

const short = (text: string) => {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
};

/** The title of a command as the name of a step. */
export const stepTitle = (command: Command): string => command.title.replace(/…$/u, '');

/** Names that a text of this macro may use, besides what scripts return. */
const namesOf = ({ variables }: MacroContent) => new Set([...variables.map(({ name }) => name), ...builtIns]);

function unknownName(macro: MacroContent, step: Extract<Step, { type: 'command' }>): string | null {
  const at = macro.steps.indexOf(step);
  // What a script returns is known only when it has run.
  if (macro.steps.slice(0, at).some(({ type }) => type === 'script')) return null;
  const known = namesOf(macro);
  const used = Object.values(step.answers).flatMap(({ words }) => namesIn(words));
  const unknown = used.find((name) => !known.has(name));
  return unknown === undefined ? null : `There is no variable “${unknown}”.`;
}

/** Why a step can't run, as far as that is known before. Null: nothing is. */
export function stepProblem(program: Program, macro: MacroContent, step: Step): string | null {
  if (step.type === 'script') return step.source.trim() === '' ? 'There’s no script yet.' : null;
  const command = program.commands.get(step.command);
  const isMacro = step.command.startsWith('macro.');
  if (isMacro && command?.inPalette !== true) return 'That macro is gone.';
  if (command === undefined) return 'This version doesn’t have this command.';
  if (!mayBeStep(command.id)) return 'It can’t be part of a macro.';
  const unanswered = command.args.find(({ name, kind }) => {
    const words = step.answers[name]?.words ?? '';
    return words.trim() === '' && kind !== 'text';
  });
  if (unanswered !== undefined) return `It needs an answer: ${unanswered.prompt}`;
  return unknownName(macro, step) ?? answerProblem(program, macro, step, command);
}

/** A step as a line of the list. */
export function stepEntry(program: Program, macro: MacroContent, step: Step, number: number): MacroEntryView {
  const problem = stepProblem(program, macro, step);
  const common = { kind: 'step', number, problem } as const;
  if (step.type === 'script')
    return { ...common, icon: 'code', title: 'Run JavaScript', detail: short(step.note || step.source) };
  const command = program.commands.get(step.command);
  const said = Object.values(step.answers).map(({ words }) => words);
  return {
    ...common,
    icon: (command && iconOfCommand(command)) ?? 'command',
    title: command === undefined ? step.command : stepTitle(command),
    detail: short(step.note || said.filter((words) => words !== '').join(', ')),
  };
}

/** The questions of a step's command, with their answers. */
export function answerViews(
  command: Command | undefined,
  step: Extract<Step, { type: 'command' }>,
): AnswerView[] {
  return (command?.args ?? []).map(({ name, prompt, isLong = false }) => ({
    field: `answer.${name}`,
    prompt,
    text: step.answers[name]?.words ?? '',
    isLong,
  }));
}

/** Steps that use a variable by its name. Scripts count where they name it. */
export function usesOf({ steps }: MacroContent, { name }: Variable): number {
  return steps.filter((step) =>
    step.type === 'script'
      ? new RegExp(String.raw`\b${name}\b`).test(step.source)
      : Object.values(step.answers).some(({ words }) => namesIn(words).includes(name)),
  ).length;
}
