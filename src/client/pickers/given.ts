// The value that a date picker passes to its command: a date it made, or a phrase from elsewhere (a link, code).
import { isRecord, readJson } from '#core/json.ts';
import { keepTime } from '#core/dates/keep-time.ts';
import { readDate } from '#core/dates/phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { isWhen, type When } from '#core/when.ts';
import type { Program } from '../app/program.ts';
import { phraseContext } from './phrase-context.ts';

export interface Given {
  readonly when: When | null;
  /** The first day of a range of days, of which `when` is the last. */
  readonly start?: When;
  readonly duration: number | null;
  /** A day was named and no time: a task that has a time keeps it. */
  readonly keepsTime?: true;
}

/** The object made by a picker; null: the value is a phrase. */
export function parsed(value: string): Readonly<Record<string, unknown>> | null {
  // A phrase may begin with a brace, too.
  const read = value.startsWith('{') ? readJson(value) : null;
  return isRecord(read) ? read : null;
}

/** Null: it is no date. */
export function givenWhen(program: Program, value: string): Given | null {
  const made = parsed(value);
  if (made === null) {
    const [read] = readDate(value, phraseContext(program, null), { vocabulary: english });
    return read === undefined ? null : { ...read, keepsTime: true };
  }
  const { when = null, start, duration = null, keepsTime } = made;
  if (when !== null && !isWhen(when)) return null;
  const first = isWhen(start) ? { start } : {};
  return {
    when,
    ...first,
    duration: typeof duration === 'number' ? duration : null,
    ...(keepsTime === true ? { keepsTime } : {}),
  };
}

/** The date that a task gets which has `was`. */
export function givenTo(program: Program, { when, start, keepsTime }: Given, was: When | null): When | null {
  if (when === null || start !== undefined || keepsTime !== true) return when;
  return keepTime(when, was, program.moment());
}
