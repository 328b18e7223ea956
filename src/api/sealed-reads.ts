// Rows as they are shown by a server that can't open what is sealed in them: without it, as if it were at its default. Who asks is told
// that something is missing (`isSealed`).
import { isEnvelope, isSealedText } from '#core/sealing/envelope.ts';
import { isHiddenRegister } from '#core/sealing/sealable.ts';

/** How envelopes begin in the JSON of a row's registers: version 1 or 2 and the first bits of the generation, of a list's version 1. */
const BEGINNINGS = ['{"e":"AQ', '{"e":"Ag', '{"e":"AY'] as const;

const isSealed = (name: string, value: unknown): boolean =>
  isHiddenRegister(name) || (isEnvelope(value) && isSealedText(value));

/** Whether the registers of a row, as JSON, may hold something that is sealed. Most rows are done with here. */
export const mayBeSealed = (json: string): boolean =>
  BEGINNINGS.some((each) => json.includes(each)) || json.includes(':~');

/** The row without what is sealed, and with a mark where there was any. */
export function withoutSealed<T extends { readonly fields: object }>(row: T): T {
  const all = Object.entries(row.fields);
  const plain = all.filter(([name, value]) => !isSealed(name, value));
  return plain.length === all.length ? row : { ...row, fields: Object.fromEntries(plain), isSealed: true };
}

/** Whether something of a row that was read to be shown is sealed. */
export const isPartlySealed = (row: object): boolean => 'isSealed' in row;
