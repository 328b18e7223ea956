// What a macro is, and how it is stored: each is one setting of the account, under `macro:<its id>`, so that it syncs, is in
// undo, in the history and in exports as every setting is. Of what another version wrote, nothing is guessed.
import { type Id, parseId } from '#core/ids.ts';
import { isRecord, readJson } from '#core/json.ts';
import { isVariableName } from '#core/macros.ts';
import { limits } from '#core/model.ts';
import type { PaletteIcon } from '../palette/palette-view.ts';
import { failed, ok, type Result } from '#core/result.ts';

/** The answer to one question of a command: words, which may hold variables, and the row that they named. */
export interface Answer {
  readonly words: string;
  /** Counts before the words: what was renamed since is still found. */
  readonly id?: Id;
}

/** The icons that a macro may have. */
export const macroIcons = [
  'macro',
  'check',
  'due',
  'clock',
  'bell',
  'label',
  'list',
  'move',
  'notes',
  'pen',
  'box',
  'broom',
  'bookmark',
  'people',
  'mail',
  'plus',
  'repeat',
  'search',
  'focus',
  'moon',
] as const satisfies readonly PaletteIcon[];
/** One of them. */
export type MacroIcon = (typeof macroIcons)[number];

/** One action of a macro. `note`: what its author calls it. */
export type Step =
  | {
      readonly type: 'command';
      readonly command: string;
      readonly answers: Readonly<Record<string, Answer>>;
      readonly note: string;
    }
  | { readonly type: 'script'; readonly source: string; readonly note: string };

/** A text by name, for the texts of steps. */
export interface Variable {
  readonly name: string;
  /** The fixed value, or what is offered where it is asked for. */
  readonly value: string;
  /** It is asked for when the macro runs. */
  readonly isAsked: boolean;
}

/** A macro of the account. */
export interface Macro {
  readonly id: Id;
  readonly name: string;
  readonly steps: readonly Step[];
  readonly variables: readonly Variable[];
  /** Links may start it, and so may programs where the account lets them. */
  readonly takesLinks: boolean;
  /** In the palette and in the editor. Absent: as every macro. */
  readonly icon?: MacroIcon;
}

/** What its author writes: everything but its id. */
export type MacroContent = Omit<Macro, 'id'>;

const VERSION = 1;
/** Limits: steps and variables of a macro, characters of its texts. */
export const most = { steps: 200, variables: 50, name: 200, note: 200, value: 10_000 } as const;

const HEX = 16;

/**
 * The command that runs a macro: for keys, the palette and other macros. Letters stand for the digits of the id, as ids of commands
 * are letters for every version that reads a person's keys.
 */
export function macroCommand(id: Id): string {
  const letters = [...id.replaceAll('-', '')].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, HEX)]);
  return `macro.${letters.join('')}`;
}

const writeAnswer = ({ words, id }: Answer) => (id === undefined ? words : { id, words });

function writeStep(step: Step): object {
  const note = step.note === '' ? {} : { note: step.note };
  if (step.type === 'script') return { js: step.source, ...note };
  const args = Object.fromEntries(
    Object.entries(step.answers).map(([name, answer]) => [name, writeAnswer(answer)]),
  );
  return { cmd: step.command, args, ...note };
}

/** The stored form: also what a shared macro is made of. */
export function writeMacro({ name, steps, variables, takesLinks, icon }: MacroContent): string {
  const vars = variables.map(({ isAsked, ...each }) => ({ ...each, ...(isAsked ? { ask: true } : {}) }));
  const look = icon === undefined ? {} : { icon };
  return JSON.stringify({ v: VERSION, name, steps: steps.map(writeStep), vars, links: takesLinks, ...look });
}

const text = (value: unknown, longest: number): string | null =>
  typeof value === 'string' && value.length <= longest ? value : null;

function readAnswer(value: unknown): Answer | null {
  if (!isRecord(value)) {
    const words = text(value, most.value);
    return words === null ? null : { words };
  }
  const words = text(value['words'], most.value);
  const id = typeof value['id'] === 'string' ? parseId(value['id']) : null;
  return words === null || id === null ? null : { words, id };
}

function readStep(value: unknown): Step | null {
  if (!isRecord(value)) return null;
  const note = text(value['note'] ?? '', most.note);
  if (note === null) return null;
  const source = text(value['js'], limits.settingBytes);
  if (source !== null) return { type: 'script', source, note };
  const { cmd, args = {} } = value;
  if (typeof cmd !== 'string' || !/^[a-z]+\.[\w.-]{1,100}$/i.test(cmd) || !isRecord(args)) return null;
  const answers: Record<string, Answer> = {};
  for (const [name, each] of Object.entries(args)) {
    const answer = readAnswer(each);
    if (answer === null || !isVariableName(name)) return null;
    answers[name] = answer;
  }
  return { type: 'command', command: cmd, answers, note };
}

function readVariable(value: unknown): Variable | null {
  if (!isRecord(value)) return null;
  const given = text(value['value'], most.value);
  const { name } = value;
  if (typeof name !== 'string' || !isVariableName(name) || given === null) return null;
  return { name, value: given, isAsked: value['ask'] === true };
}

const allOf = <T>(values: readonly unknown[], read: (value: unknown) => T | null): readonly T[] | null => {
  const found = values.map(read);
  return found.every((each) => each !== null) ? (found as readonly T[]) : null;
};

/** Reads a stored or shared macro. The problem is a sentence. */
export function readMacro(stored: string): Result<MacroContent, string> {
  const value = readJson(stored);
  if (!isRecord(value) || typeof value['v'] !== 'number') return failed('This isn’t a macro.');
  if (value['v'] > VERSION) return failed('A newer version of the app made this macro. Reload the app.');
  const { steps, vars = [] } = value;
  const name = text(value['name'], most.name)?.trim();
  if (name === undefined || name === '') return failed('This macro has no name.');
  if (!Array.isArray(steps) || steps.length > most.steps)
    return failed(`A macro has up to ${most.steps} steps.`);
  if (!Array.isArray(vars) || vars.length > most.variables)
    return failed(`A macro has up to ${most.variables} variables.`);
  const [readSteps, variables] = [allOf(steps, readStep), allOf(vars, readVariable)];
  if (readSteps === null) return failed('A step of this macro can’t be read.');
  if (variables === null) return failed('A variable of this macro can’t be read.');
  if (new Set(variables.map((each) => each.name)).size < variables.length)
    return failed('Two variables of this macro have the same name.');
  const icon = macroIcons.find((each) => each === value['icon']);
  return ok({
    name,
    steps: readSteps,
    variables,
    takesLinks: value['links'] === true,
    ...(icon === undefined ? {} : { icon }),
  });
}
