// The picker of reminders: common ones to choose from, any other in words ("10m before", "tomorrow 9am"), and the
// existing ones, to remove them.
import { counted } from '#core/counted.ts';
import { readDate, readDuration } from '#core/dates/phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import {
  type Reminder,
  reminderLimits,
  reminderMoment,
  type ReminderRegister,
  remindersIn,
  registerOf,
} from '#core/reminders.ts';
import type { When } from '#core/when.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { mineOf } from '../outline/personal-fields.ts';
import type { Program } from '../app/program.ts';
import { reminderContext } from '../reminders/context.ts';
import { sayReminder } from '../reminders/words.ts';
import { phraseContext } from './phrase-context.ts';
import { type Choice, type Picker, pickedRows, unread } from './picker.ts';
import { sayWhen } from './saying.ts';

/** A choice: a reminder to set, or the register of one to remove; `none` removes all. */
export type RemindChoice = { readonly add: Reminder } | { readonly remove: ReminderRegister };

const DAY = 1_440;
const USUAL: readonly Reminder[] = [{ before: 0 }, { before: 10 }, { before: 60 }, { before: DAY }];
const OWN_WORDS = 'tomorrow 9am';
const NEEDS_DUE = 'Set a due date first (d), or type a time, like “tomorrow 9am.”';
const EXAMPLE = 'Try “10m before”, “2 days before”, “tomorrow 9am” or “none”.';

const BEFORE =
  /\s*(?:before|earlier|ahead|prior|early)(?:\s+(?:it\s+is\s+)?(?:the\s+)?due(?:\s+(?:date|time))?)?$/;
const AT_DUE = /^(?:at|on|when)?\s*(?:it\s+is\s+|the\s+)*due(?:\s+(?:date|time|day))?$|^on time$/;
const LONG = /^(\d{1,3}|an?|one|two|three|four|five|six|seven)\s*(d|days?|w|wks?|weeks?)$/;
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
};

/** Minutes of "10m", "2 hours", "1 day", "a week"; null if it is no length. */
function readLength(text: string): number | null {
  const long = LONG.exec(text);
  if (!long) return readDuration(text, { vocabulary: english });
  const [, count = '', unit = ''] = long;
  return (NUMBERS[count] ?? Number(count)) * (unit.startsWith('w') ? 7 * DAY : DAY);
}

/** The readings of the words: times before the due date, best first, else moments. */
export function readReminders(text: string, program: Program): readonly Reminder[] {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (AT_DUE.test(words)) return [{ before: 0 }];
  const isBefore = BEFORE.test(words);
  const minutes = readLength(words.replace(BEFORE, ''));
  const fits = minutes !== null && minutes <= reminderLimits.beforeMinutes;
  const before: Reminder[] = fits ? [{ before: minutes }] : [];
  if (isBefore) return before;
  const said = readDate(text, phraseContext(program, null), { vocabulary: english });
  const moments = said.flatMap(({ when, start = when }): Reminder[] =>
    start === null ? [] : [{ when: start }],
  );
  // "10m" alone is a time before the due date rather than a moment.
  return fits ? [...before, ...moments] : moments;
}

export class RemindPicker implements Picker {
  readonly note: string | null;
  readonly #program: Program;
  readonly #rows: readonly Row[];

  constructor(program: Program) {
    this.#program = program;
    this.#rows = pickedRows(program);
    this.note = this.#noteOf();
  }

  choices(text: string): readonly Choice[] {
    const words = text.trim().toLowerCase();
    if (words === '') return this.#offered();
    if (english.none.includes(words)) return [this.#none()];
    const found = readReminders(text, this.#program);
    return found.length === 0
      ? [unread('Not a reminder yet. Keep typing.', EXAMPLE)]
      : found.map((reminder) => this.#choice(reminder));
  }

  #noteOf(): string | null {
    const { replica } = this.#program;
    const { length } = this.#held();
    if (length === 0) return null;
    const [first = '', ...others] = this.#rows.map(({ id }) =>
      remindersIn(mineOf(replica, id))
        .map(({ register }) => register)
        .toSorted()
        .join(' '),
    );
    if (others.some((registers) => registers !== first))
      return 'Some have this. Choosing it adds it to the rest.';
    return `${counted(length, 'reminder')} set.`;
  }

  #offered(): readonly Choice[] {
    const held = new Set(this.#held().map(({ register }) => register));
    const usual = USUAL.filter((reminder) => !held.has(registerOf(reminder)));
    const own = readReminders(OWN_WORDS, this.#program).slice(0, 1);
    const offered = [...usual, ...own].map((reminder) => this.#choice(reminder));
    const removable = this.#held().map(({ register, reminder }, index): Choice => ({
      id: `remove.${register}`,
      title: `Remove: ${sayReminder(reminder, this.#context())}`,
      hint: this.#momentHint(reminder),
      ...(index === 0 ? { heading: 'Reminders set' } : {}),
      value: JSON.stringify({ remove: register } satisfies RemindChoice),
    }));
    const all = removable.length > 1 ? [this.#none()] : [];
    return [...offered, ...removable, ...all];
  }

  #choice(reminder: Reminder): Choice {
    const value = JSON.stringify({ add: reminder } satisfies RemindChoice);
    const id = `remind.${registerOf(reminder)}`;
    const title = sayReminder(reminder, this.#context());
    const hint = this.#momentHint(reminder);
    const unavailable = this.#problem(reminder);
    return { id, title, words: title, hint, value, ...(unavailable === null ? {} : { unavailable }) };
  }

  /** When it would ring: the moment for one task; for several, only that it differs. */
  #momentHint(reminder: Reminder): string {
    const moment = this.#momentOf(reminder);
    if (moment === null)
      return this.#rows.length > 1 && 'before' in reminder ? 'each before its own date' : '';
    const { zone } = this.#context();
    const { text, distance, isPast } = sayWhen({ at: moment, zone }, this.#context());
    return [
      ...('when' in reminder ? [] : [text]),
      distance,
      ...(isPast && distance !== 'now' ? ['has passed'] : []),
    ].join(' · ');
  }

  #momentOf(reminder: Reminder): number | null {
    const [only] = this.#rows;
    if ('before' in reminder && (this.#rows.length !== 1 || !only)) return null;
    return reminderMoment(reminder, dueOf(only), reminderContext(this.#program));
  }

  #problem(reminder: Reminder): string | null {
    if ('before' in reminder) return this.#rows.some((row) => dueOf(row) !== null) ? null : NEEDS_DUE;
    const moment = this.#momentOf(reminder) ?? 0;
    return moment <= this.#context().now ? 'That’s in the past. Pick a later time.' : null;
  }

  /** Reminders of any of the tasks, each once. */
  #held(): ReturnType<typeof remindersIn> {
    const { replica } = this.#program;
    const found = this.#rows.flatMap(({ id }) => remindersIn(mineOf(replica, id)));
    return [...new Map(found.map((one) => [one.register, one])).values()];
  }

  #none(): Choice {
    return { id: 'none', title: 'No reminders', hint: 'or type “none”', value: 'none' };
  }

  #context() {
    return this.#program.moment();
  }
}

function dueOf(row: Row | undefined): When | null {
  return fieldOf(row, 'due') ?? null;
}
