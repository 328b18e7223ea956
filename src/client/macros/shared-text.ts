// A macro as text that people send each other, and reading one out of whatever was copied around it.
import { failed, type Result } from '#core/result.ts';
import { type MacroContent, readMacro, writeMacro } from './macro.ts';

/** Ids of rows mean nothing to others: only their names go along. */
const withoutIds = (macro: MacroContent): MacroContent => ({
  ...macro,
  steps: macro.steps.map((step) => {
    if (step.type === 'script') return step;
    const answers = Object.entries(step.answers).map(([name, { words }]) => [name, { words }] as const);
    return { ...step, answers: Object.fromEntries(answers) };
  }),
});

/** The text block of a macro. */
export const sharedText = (macro: MacroContent): string =>
  `Posthaste macro: ${macro.name}\n${JSON.stringify(JSON.parse(writeMacro(withoutIds(macro))), null, 2)}\n`;

/** The macro in a text. The problem is a sentence. */
export function macroIn(text: string): Result<MacroContent, string> {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (start < 0 || end < start) return failed('There’s no macro in the clipboard.');
  return readMacro(text.slice(start, end + 1));
}
