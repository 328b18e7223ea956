// The picker of a due date, a start or a snooze: the three differ in their verb and in their initial choices.
import { guessDate } from '#core/dates/guess.ts';
import { keepTime } from '#core/dates/keep-time.ts';
import { readDate, type Reading } from '#core/dates/phrase.ts';
import type { PhraseContext } from '#core/dates/reader.ts';
import { readRepeat } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import { sayRepeat } from '#core/dates/words.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import { mineOf } from '../outline/personal-fields.ts';
import type { Program } from '../app/program.ts';
import { phraseContext } from './phrase-context.ts';
import { type Choice, type Picker, pickedRows, sayNow, unread } from './picker.ts';
import { todayOf } from '../clock/dates.ts';
import { sayWhen } from './saying.ts';
import { fieldOf } from '#sync/rows/row.ts';

export type WhenKind = 'due' | 'start' | 'snooze';

const NONE: Readonly<Record<WhenKind, string>> = {
  due: 'No due date',
  start: 'No start date',
  snooze: 'Bring back now',
};

type Preset = readonly [title: string, words: string];

/** Title and words of the initial choices; of each line the first whose day is not offered above. */
const DATES: readonly (readonly Preset[])[] = [
  [['Today', 'today']],
  [['Tomorrow', 'tomorrow']],
  // On a Friday the weekend is tomorrow, on a Saturday or Sunday today.
  [
    ['Weekend', 'weekend'],
    ['Next weekend', 'sat'],
    ['Next weekend', 'next weekend'],
  ],
  [
    ['Next week', 'next week'],
    ['In a week', 'in a week'],
    ['In two weeks', 'in 2 weeks'],
  ],
  [
    ['Next month', 'next month'],
    ['In a month', 'in a month'],
  ],
];
const SNOOZES: readonly Preset[] = [
  ['Later today', 'in 3h'],
  ['This evening', 'this evening'],
  ['Tomorrow', 'tomorrow'],
  ['Weekend', 'weekend'],
  ['Next week', 'next week'],
];
/** Titles of what is usually today. */
const TOMORROW: Readonly<Record<string, string>> = {
  'in 3h': 'In three hours',
  'this evening': 'Tomorrow evening',
};
/** On a Saturday or Sunday, "this weekend" would be no snooze. */
const WEEKEND_HERE = { title: 'Next weekend', words: 'sat' };
const KEEPS = 'each keeps its time';
const EXAMPLE = 'Try “fri 5pm”, “in 3 days”, “27 nov” or “none”.';
const HALF_HOUR_MS = 1_800_000;

interface Asked {
  readonly isOnce?: boolean;
  readonly given?: When | null;
}

/** Reads the words of a date, a start or a snooze; without words it offers the usual ones. */
export class WhenPicker implements Picker {
  readonly note: string | null;
  readonly #program: Program;
  readonly #kind: WhenKind;
  readonly #current: When | null;
  readonly #isOnce: boolean;
  /** Several tasks, of which some have a time: a day alone leaves each its own. */
  readonly #timesDiffer: boolean;
  readonly #hasAny: boolean;

  /**
   * `isOnce`: for one occurrence of a series, which no words make a series. `given`: the date of a task that is being
   * written; absent: it is for the target tasks.
   */
  constructor(program: Program, kind: WhenKind, { isOnce = false, given }: Asked = {}) {
    this.#program = program;
    this.#kind = kind;
    this.#isOnce = isOnce;
    const rows = given === undefined ? pickedRows(program) : [];
    const all = given === undefined ? rows.map(({ id }) => heldBy(program, kind, id)) : [given];
    this.#hasAny = all.some((when) => when !== null);
    this.#current = all.length === 1 ? (all[0] ?? null) : null;
    this.#timesDiffer =
      kind !== 'snooze' && rows.length > 1 && rows.some((row) => hasTime(fieldOf(row, kind)));
    this.note = given === undefined ? noteOf(program, kind) : null;
  }

  /** Another day of the month keeps the time of day, except of a snooze: that was set for its own day. */
  get day(): NonNullable<Choice['day']> {
    if (this.#current === null) return { date: todayOf(this.#program.moment()).toString(), rest: '' };
    const day = dayOf(this.#current, null, this.#program.platform.zone());
    return this.#kind === 'snooze' ? { ...day, rest: '' } : day;
  }

  get held(): string | null {
    return this.#current && dayOf(this.#current, null, this.#program.platform.zone()).date;
  }

  choices(text: string): readonly Choice[] {
    const words = text.trim();
    if (words === '') return this.#presets();
    const read = this.#read(text);
    const found = [
      ...this.#numbered(words),
      ...this.#onHeldDay(words, read),
      ...read.map((reading, index) => this.#choice(reading, `reading.${index}`)),
      ...read.slice(0, 1).flatMap((reading) => this.#withoutTime(reading)),
    ];
    if (found.length > 0) return found;
    const other = [...this.#repeats(words), ...this.#guesses(words)];
    return other.length === 0 ? [unread('Not a date yet. Keep typing.', EXAMPLE)] : other;
  }

  /** The words are a repeat: its question is offered instead. */
  #repeats(words: string): readonly Choice[] {
    if (this.#kind === 'snooze' || this.#isOnce) return [];
    const [reading] = readRepeat(words, this.#phraseContext(), { vocabulary: english });
    if (!reading) return [];
    const title = `Repeat ${sayRepeat(reading.rule)}…`;
    return [
      { id: 'repeat', title, hint: 'a repeat', value: null, instead: { command: 'task.repeat', words } },
    ];
  }

  #guesses(words: string): readonly Choice[] {
    const guess = guessDate(words, this.#phraseContext(), { vocabulary: english });
    return (guess?.readings ?? []).map((reading, index) => {
      const choice = this.#choice(this.#meant(reading), `guess.${index}`);
      return { ...choice, hint: `as “${guess?.words ?? ''}” · ${choice.hint}` };
    });
  }

  /** A digit alone means the choice beside it; followed by more, it begins a phrase. */
  #numbered(words: string): readonly Choice[] {
    if (!/^\d$/.test(words)) return [];
    return this.#presets().flatMap(({ digit, ...choice }) => (digit === words ? [choice] : []));
  }

  #phraseContext(): PhraseContext {
    const context = phraseContext(this.#program, this.#current);
    return this.#kind === 'snooze' ? { ...context, pastEvening: 'tomorrow' } : context;
  }

  #read(text: string): readonly Reading[] {
    const readings = readDate(text, this.#phraseContext(), { vocabulary: english });
    return readings.map((reading) => this.#meant(reading));
  }

  /** A time alone is first offered on the day that the task has, as long as that is ahead. */
  #onHeldDay(words: string, [first]: readonly Reading[]): readonly Choice[] {
    const { held } = this;
    if (this.#kind === 'snooze' || held === null || !first?.when || !isInstantWhen(first.when)) return [];
    const [there] = readDate(`${held} ${words}`, this.#phraseContext(), { vocabulary: english });
    if (!there?.when || !isInstantWhen(there.when)) return [];
    if (there.when.at <= this.#program.replica.now() || there.when.at === first.when.at) return [];
    return [this.#choice(there, 'held')];
  }

  /** A range of days is both dates of a task; of a start or a snooze it is the first day. */
  #meant({ when, start, ...reading }: Reading): Reading {
    if (this.#kind === 'due') return { when, ...(start ? { start } : {}), ...reading };
    return { when: start ?? when, ...reading };
  }

  #presets(): readonly Choice[] {
    const isSnooze = this.#kind === 'snooze';
    const offered = isSnooze ? this.#snoozes() : this.#dates();
    const pick: Choice = {
      id: 'pick',
      title: 'Pick…',
      hint: 'in the calendar',
      digit: `${offered.length + 1}`,
      value: null,
      turn: () => this.#program.palette.focusMonth(true),
    };
    const none = { ...this.#choice({ when: null, duration: null }, 'none'), hint: 'or type “none”' };
    return [...offered, ...(isSnooze ? [pick] : []), ...(this.#hasAny ? [none] : [])];
  }

  #snoozes(): readonly Choice[] {
    return SNOOZES.flatMap(([title, words], index): Choice[] => {
      const found = this.#preset(title, words);
      return found ? [{ ...found, id: `preset.${words}`, digit: `${index + 1}` }] : [];
    });
  }

  /** For due dates a number alone is a day of the month: they have no digits. */
  #dates(): readonly Choice[] {
    const taken = new Set<string>();
    return DATES.flatMap((line): Choice[] => {
      for (const [title, words] of line) {
        const found = this.#preset(title, words);
        if (!found?.day || taken.has(found.day.date)) continue;
        taken.add(found.day.date);
        return [{ ...found, id: `preset.${words}` }];
      }
      return [];
    });
  }

  #preset(title: string, words: string): Choice | null {
    const [reading] = this.#read(words);
    if (!reading || reading.when === null) return null;
    const rounded = words === 'in 3h' ? toHalfHour(reading.when) : this.#kept(reading.when);
    const said = sayWhen(rounded, this.#context());
    if (words === 'weekend' && this.#kind === 'snooze' && said.distance === 'today')
      return this.#preset(WEEKEND_HERE.title, WEEKEND_HERE.words);
    const choice = this.#choice({ when: rounded, duration: null }, words);
    return {
      ...choice,
      title: said.distance === 'tomorrow' ? (TOMORROW[words] ?? title) : title,
      hint:
        this.#timesDiffer && !said.isTimed
          ? `${said.brief} · ${KEEPS}`
          : said.brief + (said.isTimed ? '' : ' · all day'),
    };
  }

  /** The same day without the time that the tasks have, where a day alone keeps it. */
  #withoutTime(reading: Reading): readonly Choice[] {
    const { when, start } = reading;
    if (when === null || start !== undefined || (!this.#timesDiffer && this.#kept(when) === when)) return [];
    return [this.#choice(reading, 'day', false)];
  }

  /** A day keeps the time of the one task that it is for. */
  #kept(when: When): When {
    return this.#kind === 'snooze' ? when : keepTime(when, this.#current, this.#context());
  }

  #choice({ when: read, start, duration, isGuess }: Reading, id: string, keepsTime = true): Choice {
    if (read === null)
      return { id, title: NONE[this.#kind], hint: '', value: JSON.stringify({ when: read }) };
    const keeps = keepsTime && start === undefined && this.#kind !== 'snooze';
    const when = keeps ? this.#kept(read) : read;
    const value = JSON.stringify({
      when: read,
      start,
      duration,
      ...(keeps && isDayWhen(read) ? { keepsTime } : {}),
    });
    const day = { day: dayOf(when, duration, this.#program.platform.zone()) };
    const { text, distance, isPast, isTimed } = sayWhen(when, this.#context());
    const first = start === undefined ? '' : `${sayWhen(start, this.#context()).brief} – `;
    const length = isTimed ? 'timed' : keeps && this.#timesDiffer ? KEEPS : 'all day';
    const parts = [distance, length];
    if (start !== undefined) parts.unshift('starts and is due');
    if (duration !== null) parts.push(`for ${sayDuration(duration)}`);
    if (isPast && distance !== 'now') parts.push('has passed');
    const unavailable =
      isPast && this.#kind === 'snooze' ? 'That’s in the past. Pick a later time.' : undefined;
    return {
      id,
      title: `${isGuess === true ? 'Guess: ' : ''}${first}${text}`,
      hint: parts.join(' · '),
      value,
      ...day,
      ...(unavailable ? { unavailable } : {}),
    };
  }

  #context() {
    return this.#program.moment();
  }
}

/** In the form that the field reads. */
function dayOf(when: When, duration: number | null, zone: string): NonNullable<Choice['day']> {
  if ('on' in when) return { date: when.on, rest: duration === null ? '' : ` for ${duration}m` };
  const wall =
    'at' in when
      ? Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(zone).toPlainDateTime()
      : Temporal.PlainDateTime.from(when.local);
  const length = duration === null ? '' : ` for ${duration}m`;
  const time = wall.toPlainTime().toString({ smallestUnit: 'minute' });
  return { date: wall.toPlainDate().toString(), rest: ` ${time}${length}` };
}

const hasTime = (when: When | null | undefined): boolean => when != null && !isDayWhen(when);

function toHalfHour(when: When): When {
  if (!('at' in when)) return when;
  return { ...when, at: Math.ceil(when.at / HALF_HOUR_MS) * HALF_HOUR_MS };
}

function heldBy(program: Program, kind: WhenKind, id: Parameters<typeof mineOf>[1]): When | null {
  const row = kind === 'snooze' ? mineOf(program.replica, id) : program.replica.row(id);
  return fieldOf(row, kind) ?? null;
}

function noteOf(program: Program, kind: WhenKind): string | null {
  const context = program.moment();
  const rows = pickedRows(program);
  const held = sayNow(
    rows.map(({ id }) => heldBy(program, kind, id)),
    (when) => sayWhen(when, context).text,
  );
  const now = held === null ? [] : [held];
  if (kind !== 'snooze') return now.join('') || null;
  const repeats = rows.some((row) => fieldOf(row, 'repeat') !== undefined);
  const [only] = rows;
  const times = only && rows.length === 1 ? snoozesOf(program, only.id) : 0;
  if (times > 0) now.push(`Snoozed ${times === 1 ? 'once' : `${times} times`} so far.`);
  if (repeats) now.push('The repeat schedule doesn’t change.');
  return now.join(' ') || null;
}

/** How often it was snoozed. */
export function snoozesOf(program: Program, id: Parameters<typeof mineOf>[1]): number {
  return fieldOf(mineOf(program.replica, id), 'snoozeCount') ?? 0;
}
