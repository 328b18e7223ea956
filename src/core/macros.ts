// What is known of a macro without running it: under which setting it is stored, what it is called, and what it asks for. What its
// steps are is the app's business (client/macros/macro.ts): a server never reads them.
import { type Id, parseId } from './ids.ts';
import { isRecord, readJson } from './json.ts';

const PREFIX = 'macro:';
const NAME = /^[A-Za-z_][\w-]{0,63}$/;

/** The key of the setting that lets programs run macros. */
export const programsRunMacros = 'programsRunMacros';

/** The setting that stores a macro. */
export const macroKey = (id: Id): string => `${PREFIX}${id}`;

/** The id of the macro that a setting stores; null: it stores another thing. */
export function macroIdOf(key: string | undefined): Id | null {
  return key?.startsWith(PREFIX) === true ? parseId(key.slice(PREFIX.length)) : null;
}

/** Whether a variable may have this name. */
export const isVariableName = (name: string): boolean => NAME.test(name);

/** A variable of a macro, as others see it. */
export interface FacedVariable {
  readonly name: string;
  /** The fixed value, or what is offered where it is asked for. */
  readonly value: string;
  readonly isAsked: boolean;
}

/** What somebody who cannot run a macro knows of it. */
export interface MacroFace {
  readonly name: string;
  readonly variables: readonly FacedVariable[];
  /** Its owner lets links and programs start it. */
  readonly isOpen: boolean;
}

function variableOf(value: unknown): FacedVariable | null {
  if (!isRecord(value)) return null;
  const { name, value: given, ask } = value;
  if (typeof name !== 'string' || !isVariableName(name) || typeof given !== 'string') return null;
  return { name, value: given, isAsked: ask === true };
}

/** Reads the stored form, as client/macros/macro.ts writes it. Null: it is no macro that this version can read. */
export function readMacroFace(stored: unknown): MacroFace | null {
  const value = typeof stored === 'string' ? readJson(stored) : null;
  if (!isRecord(value) || value['v'] !== 1 || typeof value['name'] !== 'string') return null;
  const { vars = [] } = value;
  const name = value['name'].trim();
  if (name === '' || !Array.isArray(vars)) return null;
  const variables = vars.map(variableOf);
  if (!variables.every((each) => each !== null)) return null;
  return { name, variables, isOpen: value['links'] === true };
}
