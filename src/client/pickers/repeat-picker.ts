// The picker of a repeat: words first, every reading with its rule and the next five dates, and two switches for the
// parts of a rule that the words leave open.
import { corrected } from '#core/dates/guess.ts';
import { readDate } from '#core/dates/phrase.ts';
import { endIn } from '#core/dates/repeat-end.ts';
import { readRepeat, type RepeatReading } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import { movedAlong, seriesStart, startNow } from '#core/dates/repeat-start.ts';
import { sayRepeat } from '#core/dates/words.ts';
import type { RepeatRule } from '#core/model.ts';
import { nextOccurrence } from '#core/repeat.ts';
import { momentOf, type When } from '#core/when.ts';
import { ruleOf, scheduleOf } from '#sync/rows/completing.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import { missedRepeats } from '../settings/behavior.ts';
import { dayStart } from '../settings/first.ts';
import { phraseContext } from './phrase-context.ts';
import { type Choice, type Picker, pickedRows, sayNow, unread } from './picker.ts';
import { sayWhen } from './saying.ts';

const DATES_SHOWN = 5;
/** Words for the most common repeats. */
export const USUAL = [
  'every day',
  'every weekday',
  'every week',
  'every 2 weeks',
  'every month',
  'every year',
];

/** Reads repeats. Its switches for how a rule counts hold for every reading while it is open. */
export class RepeatPicker implements Picker {
  readonly note: string | null;
  readonly #program: Program;
  readonly #rows: readonly Row[];
  readonly #held: RepeatRule | null;
  /** Null: by the words. */
  #from: 'due date' | 'completion' | null = null;
  #missed: RepeatRule['missed'];

  /** `rows`: the tasks it is for; none: one that is being written. */
  constructor(program: Program, rows = pickedRows(program)) {
    this.#program = program;
    this.#rows = rows;
    const [only] = this.#rows;
    this.#held = only && this.#rows.length === 1 ? ruleOf(only) : null;
    if (this.#held?.from === 'completion') this.#from = 'completion';
    this.#missed = this.#held?.missed ?? program.settings.get(missedRepeats);
    this.note = sayNow(
      this.#rows.map((row) => ruleOf(row)),
      sayRepeat,
    );
  }

  choices(text: string): readonly Choice[] {
    const isEmpty = text.trim() === '';
    if (english.none.includes(text.trim().toLowerCase())) return [this.#none()];
    const read = isEmpty ? [] : this.#read(text);
    const found = isEmpty ? this.#offered() : read.map((reading) => this.#choice(reading));
    if (found.length === 0) return this.#otherwise(text);
    const isRemovable = isEmpty && this.#rows.some((row) => ruleOf(row) !== null);
    return [
      ...found,
      ...this.#switches(this.#from ?? read[0]?.rule.from ?? 'due date'),
      ...(isRemovable ? [this.#none()] : []),
    ];
  }

  /** What may be meant by words that are no repeat. */
  #otherwise(text: string): readonly Choice[] {
    const endless = this.#endless(text);
    if (endless) return [endless];
    const words = text.trim();
    const context = phraseContext(this.#program, null);
    const [date] = readDate(words, context, { vocabulary: english });
    if (date?.when != null) {
      const title = `Due ${sayWhen(date.when, this.#program.moment()).text}…`;
      return [{ id: 'date', title, hint: 'a date', value: null, instead: { command: 'task.due', words } }];
    }
    const right = corrected(words, english);
    const guesses = right === null ? [] : this.#read(right).map((reading) => this.#choice(reading));
    if (right !== null && guesses.length > 0)
      return guesses.map((choice) => ({
        ...choice,
        title: `Guess: ${choice.title}`,
        hint: `as “${right}” · ${choice.hint}`,
      }));
    return [
      unread(
        'Not a repeat yet. Keep typing.',
        'Try “every 2 weeks on mon thu”, “last business day” or “none”.',
      ),
    ];
  }

  /** A hint about an end date, which repeats do not have here; null: none was typed. */
  #endless(text: string): Choice | null {
    const found = endIn(text, (words) => this.#read(words).length > 0);
    if (found === null) return null;
    return unread(`Repeats can’t have an end. Leave out “${found.end}”.`, `“${found.repeat}” works.`);
  }

  #offered(): readonly Choice[] {
    const held =
      this.#held === null
        ? []
        : [this.#choice({ rule: this.#held, first: null, says: null, duration: null })];
    const usual = USUAL.flatMap((words) => this.#read(words).slice(0, 1)).map((reading) =>
      this.#choice(reading),
    );
    return [...held, ...usual.filter(({ title }) => title !== held[0]?.title)];
  }

  /** "last business day" means "every last business day". */
  #read(text: string): readonly RepeatReading[] {
    const context = phraseContext(this.#program, null);
    const found = readRepeat(text, context, { vocabulary: english });
    return found.length > 0 ? found : readRepeat(`every ${text}`, context, { vocabulary: english });
  }

  #choice({ rule: said, first, says, duration }: RepeatReading): Choice {
    const rule: RepeatRule = { ...said, from: this.#from ?? said.from, missed: this.#missed };
    const title = capital(sayRepeat(rule));
    return {
      id: `rule.${title}`,
      title,
      words: sayRepeat(rule),
      hint: `${rule.from === 'completion' ? 'from completion' : 'from the due date'}${duration === null ? '' : ` · takes ${sayDuration(duration)}`}`,
      value: JSON.stringify({ rule, first, says, duration }),
      note: this.#dates(rule, { first, says }),
    };
  }

  /** The dates that the first of the tasks would have. */
  #dates(rule: RepeatRule, said: Pick<RepeatReading, 'first' | 'says'>): string {
    const context = this.#program.moment();
    const [task] = this.#rows;
    let { due, start } = beginningOf(task, said, firstOf(this.#program, said.first, rule));
    const dates: string[] = [];
    let ahead: RepeatRule = rule;
    let at = context.now;
    for (let shown = 0; shown < DATES_SHOWN; shown += 1) {
      const lead = due ?? start;
      if (lead !== null) dates.push(sayWhen(lead, context).text);
      // A repeat from completion is previewed as if completed on the day.
      if (lead !== null && rule.from === 'completion') at = Math.max(at, momentOf(lead, context.zone));
      const next = nextOccurrence(ahead, { due, start }, at, context.zone);
      if (next === null) break;
      ({ due, start } = next);
      ahead = next.repeat ?? ahead;
    }
    const also = rule.from === 'completion' ? ' if completed on the day' : '';
    return dates.length === 0 ? 'That day doesn’t exist.' : `Next${also}: ${dates.join(' · ')}`;
  }

  /** `from`: what the rule counts from, by its words or by the switch. */
  #switches(from: RepeatRule['from']): readonly Choice[] {
    const isFromCompletion = from === 'completion';
    return [
      {
        id: 'switch.from',
        title: isFromCompletion ? 'Count from the due date instead' : 'Count from completion instead',
        hint: isFromCompletion ? 'now from completion' : 'now from the due date',
        heading: 'How it counts',
        value: null,
        turn: () => (this.#from = isFromCompletion ? 'due date' : 'completion'),
      },
      {
        id: 'switch.missed',
        title: this.#missed === 'skip' ? 'Keep every missed date' : 'Skip missed dates',
        hint: this.#missed === 'skip' ? 'now skips to the next' : 'now keeps every date',
        value: null,
        turn: () => (this.#missed = this.#missed === 'skip' ? 'every' : 'skip'),
      },
    ];
  }

  #none(): Choice {
    return { id: 'none', title: 'Don’t repeat', hint: 'or type “none”', value: 'none' };
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The start of a series for a task without a date. */
export function firstOf(program: Program, said: When | null, rule?: RepeatRule): When {
  const here = Temporal.Instant.fromEpochMilliseconds(program.replica.now());
  const today = here
    .toZonedDateTimeISO(program.platform.zone())
    .subtract({ hours: program.settings.get(dayStart) });
  const now = rule === undefined ? null : startNow(rule, program.moment());
  return said ?? now ?? { on: today.toPlainDate().toString() };
}

/** The dates from which a task repeats: its own, moved if the words of the repeat say so. */
export function beginningOf(
  row: Row | undefined,
  said: Pick<RepeatReading, 'first' | 'says'>,
  first: When,
): { due: When | null; start: When | null } {
  const { due, start } = datesOf(row, first);
  const lead = due ?? start;
  const begin = seriesStart(said, lead);
  if (lead === null || begin === null) return { due, start };
  if (due === null) return { due, start: begin };
  return { due: begin, start: start === null ? null : movedAlong(start, lead, begin) };
}

/** The dates that a task's schedule counts from; without any, `first` becomes its due date. */
export function datesOf(row: Row | undefined, first: When): { due: When | null; start: When | null } {
  const { due, start } = row ? scheduleOf(row) : { due: null, start: null };
  return due === null && start === null ? { due: first, start: null } : { due, start };
}
