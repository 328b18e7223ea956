// What a script's updateVariables returned, checked: text by name and nothing else. The sentences about it.
import { failed, ok, type Result } from '#core/result.ts';
import { isVariableName } from '#core/macros.ts';
import { scriptLimits, type ScriptProblem } from './port.ts';

/** A member of the object that was returned: its text, or what it is instead. */
export interface Returned {
  readonly name: string;
  readonly value: { readonly text: string } | { readonly kind: string } | { readonly characters: number };
}

const NAME_SHOWN = 40;
const FN = 'updateVariables';

/** A problem with what was returned, before it has a log. */
export type Complaint = Omit<ScriptProblem, 'log'>;

/** A problem of this type, with its sentence. */
export function complaint(
  type: ScriptProblem['type'],
  message: string,
  line: number | null = null,
): Complaint {
  return { type, message, line };
}

const wrong = (message: string): Result<never, Complaint> => failed(complaint('result', message));

const count = (number: number) => number.toLocaleString('en-US');

/** A name in a sentence: shortened, without characters that cannot be seen. */
function shown(name: string): string {
  const [...letters] = name.toWellFormed().replaceAll(/[\p{C}`]/gu, '\u{FFFD}');
  return `\`${letters.slice(0, NAME_SHOWN).join('')}${letters.length > NAME_SHOWN ? '…' : ''}\``;
}

/** With an article: a number, an array, null. */
function described(kind: string): string {
  if (kind === 'null' || kind === 'undefined') return kind;
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** For an answer that is no object, or one of a kind that has no names. */
export function notAnObject(kind: string): Complaint {
  if (kind === 'promise')
    return complaint(
      'result',
      `${FN} returned a promise. A script can’t wait for anything: return the variables themselves, without async.`,
    );
  if (kind === 'undefined')
    return complaint('result', `${FN} returned nothing. Return an object, such as { ...variables }.`);
  return complaint('result', `${FN} must return an object with text. It returned ${described(kind)}.`);
}

/** For an object with more names than a script may return. */
export function tooMany(names: number): Complaint {
  return complaint(
    'result',
    `${FN} returned ${count(names)} variables. It may return ${count(scriptLimits.variables)}.`,
  );
}

/** The variables in an object without a prototype, or what is wrong with the first one that is wrong. */
export function readReturned(
  members: readonly Returned[],
): Result<Readonly<Record<string, string>>, Complaint> {
  if (members.length > scriptLimits.variables) return failed(tooMany(members.length));
  const variables: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const { name, value } of members) {
    if (!isVariableName(name))
      return wrong(
        `${shown(name)} can’t be the name of a variable. A name has letters, digits, _, and -, begins with a letter or _, and has at most 64 characters.`,
      );
    if ('kind' in value)
      return wrong(`${FN} must return text only: ${shown(name)} is ${described(value.kind)}.`);
    const characters = 'characters' in value ? value.characters : value.text.length;
    if (characters > scriptLimits.valueCharacters || !('text' in value))
      return wrong(
        `${shown(name)} has ${count(characters)} characters. A variable may have ${count(scriptLimits.valueCharacters)}.`,
      );
    variables[name] = value.text;
  }
  return ok(variables);
}
