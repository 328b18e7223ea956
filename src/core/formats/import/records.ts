// Looks into JSON of other programs, of which nothing is certain: the first field that is there and has the right type.
import { isRecord, type JsonRecord } from '../../json.ts';

/** The first text that is there; numbers count as text. Empty for none. */
export function textIn(record: JsonRecord, ...names: readonly string[]): string {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return '';
}

/** The first number that is there, also one written as text; null for none. */
export function numberIn(record: JsonRecord, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = record[name];
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
  }
  return null;
}

/** Whether one of them is true: `true`, 1, "true". */
export function isSet(record: JsonRecord, ...names: readonly string[]): boolean {
  return names.some((name) => [true, 1, 'true', '1'].some((yes) => record[name] === yes));
}

/** The first list of objects that is there. What is no object in it is left out. */
export function recordsIn(record: JsonRecord, ...names: readonly string[]): readonly JsonRecord[] {
  for (const name of names) {
    const value = record[name];
    if (Array.isArray(value)) return value.filter(isRecord);
  }
  return [];
}

/** The object in a field; an empty one for none. */
export function recordIn(record: JsonRecord, name: string): JsonRecord {
  const value = record[name];
  return isRecord(value) ? value : {};
}

/** The texts of a list. */
export function textsIn(record: JsonRecord, name: string): readonly string[] {
  const value = record[name];
  return Array.isArray(value)
    ? value.filter((one): one is string => typeof one === 'string' && one !== '')
    : [];
}

/** The objects of a list, or none. */
export const recordsOfList = (value: unknown): readonly JsonRecord[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];
