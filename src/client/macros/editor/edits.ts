// Changes to a macro as its author makes them. Pure: each gives a new macro.
import type { MacroContent, Step, Variable } from '../macro.ts';
import { isVariableName } from '#core/macros.ts';

/** A step put in before the one at `at`. */
export const withInserted = (macro: MacroContent, at: number, step: Step): MacroContent => ({
  ...macro,
  steps: macro.steps.toSpliced(at, 0, step),
});

/** The step at `at` replaced; one that is not there is added at the end. */
export const withStep = (macro: MacroContent, at: number, step: Step): MacroContent => ({
  ...macro,
  steps: macro.steps.toSpliced(at, 1, step),
});

/** Without the step at `at`. */
export const withoutStep = (macro: MacroContent, at: number): MacroContent => ({
  ...macro,
  steps: macro.steps.toSpliced(at, 1),
});

/** The step at `at` moved by one. The same macro: it is at that end already. */
export function withShifted(macro: MacroContent, at: number, by: -1 | 1): MacroContent {
  const step = macro.steps[at];
  const to = at + by;
  if (step === undefined || to < 0 || to >= macro.steps.length) return macro;
  return { ...macro, steps: macro.steps.toSpliced(at, 1).toSpliced(to, 0, step) };
}

/** The texts of a step, each replaced. Scripts have none: in them a variable is an ordinary member. */
export function withTexts(step: Step, change: (text: string) => string): Step {
  if (step.type === 'script') return step;
  const answers = Object.entries(step.answers).map(([name, answer]) => {
    const words = change(answer.words);
    return [name, words === answer.words ? answer : { words }] as const;
  });
  return { ...step, answers: Object.fromEntries(answers) };
}

/** Everything between braces of this name. Escaped braces are matched first, and left alone. */
const placesOf = (name: string) => new RegExp(String.raw`\\\{\{|\{\{\s*${name}\s*\}\}`, 'g');

/** The variable renamed in every text that uses it. `to` is a name. */
export function withRenamed(macro: MacroContent, from: string, to: string): MacroContent {
  const rename = (text: string) =>
    text.replaceAll(placesOf(from), (whole) => (whole.startsWith('\\') ? whole : `{{${to}}}`));
  return {
    ...macro,
    steps: macro.steps.map((step) => withTexts(step, rename)),
    variables: macro.variables.map((each) => (each.name === from ? { ...each, name: to } : each)),
  };
}

/** The variable at `at` changed. */
export const withVariable = (macro: MacroContent, at: number, change: Partial<Variable>): MacroContent => ({
  ...macro,
  variables: macro.variables.map((each, index) => (index === at ? { ...each, ...change } : each)),
});

/** A name that no variable has. */
export function freeVariable({ variables }: MacroContent): string {
  const taken = new Set(variables.map(({ name }) => name));
  let number = 1;
  while (taken.has(number === 1 ? 'text' : `text${number}`)) number += 1;
  return number === 1 ? 'text' : `text${number}`;
}

/** Why a variable can't have this name. Null: it can. `at`: the variable that has it, if it has. */
export function variableProblem({ variables }: MacroContent, name: string, at: number): string | null {
  if (!isVariableName(name))
    return 'A variable’s name is up to 64 letters, digits, - and _, and begins with a letter or _.';
  return variables.some((each, index) => each.name === name && index !== at)
    ? `There’s already a variable “${name}”.`
    : null;
}
