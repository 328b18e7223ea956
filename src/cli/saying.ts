// The moment, the place and the habits that words for dates are read in.
import { plainContext } from '#core/dates/plain-context.ts';
import type { PhraseContext } from '#core/dates/reader.ts';
import { habitsOf } from '#client/pickers/phrase-context.ts';

/** When and where something was said: "tomorrow" means another day later on. */
export interface Saying {
  readonly at: number;
  readonly zone: string;
  readonly locale: string;
}

/** The moment and the habits that words for dates are read in. */
export function phraseContextOf({ at, zone, locale }: Saying): PhraseContext {
  return { ...plainContext(at, zone), ...habitsOf(locale) };
}
