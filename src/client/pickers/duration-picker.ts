// The picker of a task's duration: words ("1h30", "an hour and a half"), and usual lengths to choose from.
import { readDuration } from '#core/dates/phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import type { Program } from '../app/program.ts';
import { type Choice, type Picker, pickedRows, sayNow, unread } from './picker.ts';
import { fieldOf } from '#sync/rows/row.ts';

const USUAL = [15, 30, 45, 60, 90, 120];

export class DurationPicker implements Picker {
  readonly note: string | null;
  readonly #hasAny: boolean;

  constructor(program: Program) {
    const rows = pickedRows(program);
    const lengths = rows.map((row) => fieldOf(row, 'duration') ?? null);
    this.#hasAny = lengths.some((minutes) => minutes !== null);
    this.note = sayNow(lengths, sayDuration);
  }

  choices(text: string): readonly Choice[] {
    if (text.trim() === '') {
      const none: Choice = { id: 'none', title: 'No duration', hint: 'or type “none”', value: 'none' };
      return [...USUAL.map((minutes) => lengthOf(minutes)), ...(this.#hasAny ? [none] : [])];
    }
    if (english.none.includes(text.trim().toLowerCase()))
      return [{ id: 'none', title: 'No duration', hint: '', value: 'none' }];
    const minutes = readDuration(text, { vocabulary: english });
    return minutes === null ? [unread('Keep typing: 45m, 1h30…', 'or “none”')] : [lengthOf(minutes)];
  }
}

function lengthOf(minutes: number): Choice {
  const hint = minutes < 60 ? '' : `${minutes} minutes`;
  const title = sayDuration(minutes);
  return { id: `length.${minutes}`, title, words: title, hint, value: `${minutes}` };
}
