// A macro as text that people send each other, and reading one out of whatever was copied around it.
import { readJson } from '#core/json.ts';
import { failed, type Result } from '#core/result.ts';
import { type MacroContent, readMacro, writeMacro } from './macro.ts';

/** Begins the text of a macro. */
const HEAD = 'Posthaste macro:';

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
  `${HEAD} ${macro.name}\n${JSON.stringify(JSON.parse(writeMacro(withoutIds(macro))), null, 2)}\n`;

/** The macro in a text. The problem is a sentence. */
export function macroIn(text: string): Result<MacroContent, string> {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  const json = start < 0 ? '' : text.slice(start, end + 1);
  if (text.includes(HEAD) && readJson(json) === undefined)
    return failed('The end of this macro is missing. Copy all of its text.');
  return json === '' ? failed('There’s no macro in the clipboard.') : readMacro(json);
}
