// What the registers of a scope may hold that is sealed, or on its way from or to it: envelopes where there is content, of a length that
// the content may have, and everything else as in any scope. Whether a value has the form that the state asks for is scope-state.ts.
import { isBlockRegister } from '#core/calendar/blocks.ts';
import { limits, type EntityType } from '#core/model.ts';
import { isEnvelope, isSealedText, longestEnvelope } from '#core/sealing/envelope.ts';
import { fateOf, isHiddenRegister } from '#core/sealing/sealable.ts';
import { registerChecks, registerNames, requiredRegisters, type RegisterChecks } from '#wire/registers.ts';

/** Bytes of JSON that a character takes at most: as `\u0000`. */
const CHARACTER = 6;
/** Dates, rules, colors and the like. */
const SMALL = 4_096;

/** Bytes of JSON of the registers that may be long. */
const LONGEST: Readonly<Record<string, number>> = {
  title: limits.titleCodePoints * CHARACTER,
  // Most characters are one byte, and the longest note was measured in bytes.
  notes: limits.notesBytes * 2,
  name: limits.nameCodePoints * CHARACTER,
  query: limits.queryCodePoints * CHARACTER,
  text: limits.commentCodePoints * CHARACTER,
  value: limits.settingBytes * 3,
  // The values of the whole series, title and note among them.
  series: limits.titleCodePoints * CHARACTER + limits.notesBytes * 2 + SMALL,
};

function longestIn(register: string): number {
  const bytes = register.startsWith('meta:')
    ? (limits.metadataCharacters + 200) * CHARACTER
    : (LONGEST[register] ?? SMALL);
  return longestEnvelope(bytes);
}

function isThere(type: EntityType, register: string): boolean {
  if (isHiddenRegister(register)) return register.startsWith('meta:') ? type === 'task' : type === 'mine';
  if (type === 'mine' && isBlockRegister(register))
    return registerChecks.register(type, register, null) === null;
  return registerNames(type).includes(register);
}

function register(type: EntityType, name: string, value: unknown): string | null {
  const fate = fateOf(type, name);
  if (isEnvelope(value) && fate !== 'plain' && isSealedText(value)) {
    if (!isThere(type, name) || (fate === 'hidden' && !isHiddenRegister(name)))
      return `${type} has no ${name}`;
    return value.e.length > longestIn(name) ? `${name} is too long` : null;
  }
  if (fate === 'hidden' && isHiddenRegister(name) && isThere(type, name))
    return value === null ? null : `${name} isn't sealed`;
  return registerChecks.register(type, name, value);
}

function creation(type: EntityType, fields: Readonly<Record<string, unknown>>): string | null {
  const missing = requiredRegisters(type).find((name) => fields[name] === undefined || fields[name] === null);
  if (missing !== undefined) return `${missing} is required`;
  for (const [name, value] of Object.entries(fields)) {
    const problem = register(type, name, value);
    if (problem !== null) return problem;
  }
  return null;
}

/** The checks of a scope that is not plain. */
export const sealedChecks: RegisterChecks = { register, creation };
