// Variables in the texts of a macro: `{{name}}` becomes the value, `\{{` stays as braces. Pure. A value is inserted as it
// is: what looks like a variable in it is text.
import { isVariableName } from '#core/macros.ts';
import { failed, ok, type Result } from '#core/result.ts';

/** Values by name. */
export type Values = ReadonlyMap<string, string>;

/** What every macro knows, besides its own variables. */
export const builtIns = ['today', 'clipboard', 'selection.title', 'list.name'] as const;
export type BuiltIn = (typeof builtIns)[number];

const PLACES = /\\\{\{|\{\{([^{}\n]*)\}\}/g;

const isBuiltIn = (name: string): name is BuiltIn => builtIns.some((known) => known === name);

/** The names that a text uses, each once, in their order. */
export function namesIn(text: string): readonly string[] {
  const names = new Set<string>();
  for (const [, inside] of text.matchAll(PLACES)) if (inside !== undefined) names.add(inside.trim());
  return [...names];
}

/** The text with its values. The problem is a sentence: a variable without a value is never empty text. */
export function expand(text: string, values: Values): Result<string, string> {
  let problem: string | null = null;
  const expanded = text.replaceAll(PLACES, (whole: string, inside: string | undefined) => {
    if (inside === undefined) return '{{';
    const name = inside.trim();
    const value = values.get(name);
    if (value !== undefined) return value;
    problem ??=
      isVariableName(name) || isBuiltIn(name)
        ? `There is no variable “${name}”.`
        : `“${whole}” isn’t a variable. Write \\{{ for the braces themselves.`;
    return '';
  });
  return problem === null ? ok(expanded) : failed(problem);
}
