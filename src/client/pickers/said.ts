// What was answered to a picker, in words that mean the same on another day: "tomorrow" rather than a date. For recorded macros.
import { readRepeat } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import type { Program } from '../app/program.ts';
import { readPlans } from '../blocks/plan.ts';
import { givenWhen, parsed } from './given.ts';
import { phraseContext } from './phrase-context.ts';
import type { PickerKind } from './picker.ts';
import { readReminders } from './remind-picker.ts';

interface Answered {
  /** What stood in the field. */
  readonly query: string;
  /** The title of the choice. */
  readonly label: string;
  /** The value that the command gets. */
  readonly value: string;
}

/** The words that stand for a value; the value itself where none do. */
export function saidFor(program: Program, kind: PickerKind, { query, label, value }: Answered): string {
  const made = parsed(value);
  if (made === null) return value;
  const means = (words: string): boolean => {
    if (words === '') return false;
    if (kind === 'repeat')
      return readRepeat(words, phraseContext(program, null), { vocabulary: english }).length > 0;
    if (kind === 'remind') {
      const [first] = readReminders(words, program);
      return first !== undefined && JSON.stringify({ add: first }) === value;
    }
    if (kind === 'block') {
      const [plan] = readPlans(program, words).plans;
      return plan !== undefined && JSON.stringify({ plan }) === value;
    }
    if (kind !== 'due' && kind !== 'start' && kind !== 'snooze' && kind !== 'once') return false;
    const given = givenWhen(program, words);
    return given !== null && JSON.stringify(given.when) === JSON.stringify(made['when'] ?? null);
  };
  return [query.trim(), label, 'none'].find(means) ?? value;
}
