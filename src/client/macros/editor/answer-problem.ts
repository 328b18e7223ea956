// What is known to be wrong with an answer before its step runs: a date or a planned time that is none, a list, label or choice that is not there.
import { english } from '#core/dates/vocabulary.ts';
import type { Program } from '../../app/program.ts';
import { givenPlan } from '../../blocks/plan.ts';
import type { Argument } from '../../commands/command.ts';
import type { Command } from '../../commands/define.ts';
import { givenWhen } from '../../pickers/given.ts';
import { answerOf } from '../answering.ts';
import type { MacroContent, Step } from '../macro.ts';
import { namesIn } from '../variables.ts';

/** Kinds that name something: an earlier step may make it. */
const NAMED: ReadonlySet<Argument['kind']> = new Set(['list', 'folder', 'label', 'bookmark', 'choice']);
const DATES: ReadonlySet<Argument['kind']> = new Set(['due', 'start', 'snooze']);
/** Commands that make what a later step may name, or that may be anything. */
const MAKES = /^(?:list|folder|label|macro)\.|^task\.addTo$/;

const mayMake = (step: Step): boolean => step.type === 'script' || MAKES.test(step.command);

const isPlan = (program: Program, words: string): boolean =>
  english.none.includes(words.trim().toLowerCase()) || givenPlan(program, words) !== null;

/** Null: nothing is known to be wrong. */
export function answerProblem(
  program: Program,
  { steps }: MacroContent,
  step: Extract<Step, { type: 'command' }>,
  command: Command,
): string | null {
  const isMade = steps.slice(0, steps.indexOf(step)).some((earlier) => mayMake(earlier));
  for (const argument of command.args) {
    const answer = step.answers[argument.name];
    // What a variable comes to is known only when it runs.
    if (answer === undefined || answer.words.trim() === '' || namesIn(answer.words).length > 0) continue;
    if (DATES.has(argument.kind) && givenWhen(program, answer.words) === null)
      return `“${answer.words}” isn’t a date.`;
    if (argument.kind === 'block' && !isPlan(program, answer.words))
      return `“${answer.words}” isn’t a time, like “today 14:00 45m.”`;
    if (!NAMED.has(argument.kind) || isMade) continue;
    const found = answerOf(program, command, argument, { answer, values: new Map() });
    if (!found.ok) return found.problem;
  }
  return null;
}
