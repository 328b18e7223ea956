// Reads the values of scalar task fields (task-fields.ts) from what somebody wrote. Apart from the table, because a page does
// not need to read dates and durations before its first screen.
import { readDuration } from './dates/phrase.ts';
import { english } from './dates/vocabulary.ts';
import type { ScalarFields, ScalarName } from './model.ts';
import type { ScalarValue } from './task-fields.ts';

/** By register; null when the text is no value of the field. */
const readers: { readonly [Name in ScalarName]: (text: string) => ScalarFields[Name] } = {
  duration: (text) => readDuration(text, { vocabulary: english }),
};

/** Reads a value of a scalar field in words; null when the text is none. */
export function readScalar(name: ScalarName, text: string): ScalarValue | null {
  return readers[name](text) ?? null;
}
