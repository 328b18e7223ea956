// The input of every rule of the date grammar: the tokens of a phrase, the vocabulary, and the moment it is said at. A
// rule takes a token index and gives every reading that starts there, so nothing is decided too early.
import type { When } from '../when.ts';
import { tokensOf, type Token } from './tokens.ts';
import type { Keyword, Vocabulary } from './vocabulary.ts';

/** The moment and the habits that words like "tomorrow" or "3/4" depend on. */
export interface PhraseContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA zone the person is in. */
  readonly zone: string;
  /** Which of 3/4 is the day. */
  readonly order: 'dmy' | 'mdy' | 'ymd';
  /** Whether "5:30" may mean the afternoon. */
  readonly hour12: boolean;
  /** "3:15" is in the afternoon also where clocks count to 24: in titles. */
  readonly prefersAfternoon?: true;
  /** The hour at which a new day begins for the person, 0–23. */
  readonly dayStart: number;
  /** ISO number of the first day of a week. */
  readonly weekStart: 1 | 6 | 7;
  /** Meaning of "next week": its Monday, or this weekday in seven days. */
  readonly nextWeek: 'first day' | 'same weekday';
  /** The side of today on which days without a year lie: due dates ahead, "completed:" behind. */
  readonly prefers: 'future' | 'past';
  /**
   * When the text was written, milliseconds, if a program wrote it that leaves out the current year; absent for a
   * person.
   */
  readonly writtenAt?: number;
  /** The value a picker holds: "+1d" counts from it. */
  readonly current: When | null;
  /**
   * What "tonight" and "this evening" mean when their hour has passed: absent, an hour from now as long as it is still
   * today; `tomorrow`, the same hour tomorrow; `stays`, today's all the same.
   */
  readonly pastEvening?: 'tomorrow' | 'stays';
  /** Hours of the parts of a day. */
  readonly hours: Readonly<Record<'morning' | 'afternoon' | 'evening' | 'night', number>>;
}

/**
 * How certain it is, in prose, that a date is meant. `strong` always ("next friday"); `weak` with a companion or at the
 * end ("sun"); `bare` never by itself ("15", "3d").
 */
export type Strength = 'strong' | 'weak' | 'bare';

/** A reading of the tokens up to `end`; a lower rank is a more literal one. */
export interface Match<T> {
  readonly value: T;
  readonly end: number;
  readonly rank: number;
  readonly strength: Strength;
}

export function match<T>(value: T, end: number, rank = 0, strength: Strength = 'strong'): Match<T> {
  return { value, end, rank, strength };
}

/** Longest phrase, in tokens. Longer ones are not dates. */
const LONGEST_PHRASE = 16;

const known = new WeakMap<Vocabulary, ReadonlySet<string>>();

/** Every word of a vocabulary. */
function wordsOf(vocabulary: Vocabulary): ReadonlySet<string> {
  const made = known.get(vocabulary);
  if (made) return made;
  const { weekdays, months, namedDays, numbers, ordinals, units } = vocabulary;
  const { periods, periodEnds, partsOfDay, hours, roughNumbers, is } = vocabulary;
  const maps = [
    weekdays,
    months,
    namedDays,
    numbers,
    roughNumbers,
    ordinals,
    units,
    periods,
    periodEnds,
    partsOfDay,
    hours,
  ];
  const lists = [...maps, ...Object.values(is)];
  const first = (phrase: string) => phrase.split(' ', 1)[0] ?? '';
  const words = new Set<string>([
    ...lists.flatMap((list) => [...list.keys()]),
    ...[...vocabulary.holidays.keys()].map(first),
    ...vocabulary.title.leads.keys(),
    ...vocabulary.title.names.keys(),
  ]);
  known.set(vocabulary, words);
  return words;
}

const NOTHING: Token = { kind: 'sign', text: '', value: Number.NaN, start: 0, end: 0, glued: false };

/** The tokens of a text, as the rules of the grammar look at them; `steps` counts the looks. */
export class Reader {
  readonly vocabulary: Vocabulary;
  readonly context: PhraseContext;
  readonly text: string;
  readonly tokens: readonly Token[];
  /**
   * Phrases that prose uses in many ways ("christmas", "a few days", "3-10 dec") are read too: where the whole text is a
   * date or none, and where a title leads them ("on christmas").
   */
  isWhole = false;
  /** Number of tokens looked at: the work done. */
  steps = 0;
  #until = Number.POSITIVE_INFINITY;
  #now: Temporal.ZonedDateTime | null = null;
  #today: Temporal.PlainDate | null = null;

  constructor(text: string, vocabulary: Vocabulary, context: PhraseContext) {
    this.vocabulary = vocabulary;
    this.context = context;
    this.text = text;
    this.tokens = tokensOf(text);
  }

  /** The moment it is said at. Most titles never ask. */
  get now(): Temporal.ZonedDateTime {
    const { now, zone } = this.context;
    this.#now ??= Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
    return this.#now;
  }

  /** The person's current day: before the start of the day it is still yesterday. */
  get today(): Temporal.PlainDate {
    this.#today ??= this.now.subtract({ hours: this.context.dayStart }).toPlainDate();
    return this.#today;
  }

  /** What a rule reads as if it were said on another day. */
  saidOn<T>(day: Temporal.PlainDate, rule: () => T): T {
    const { today } = this;
    this.#today = day;
    const read = rule();
    this.#today = today;
    return read;
  }

  /** Hides the tokens after the longest phrase that could start here. */
  startAt(at: number, longest = LONGEST_PHRASE): void {
    this.#until = at + longest;
  }

  /** Whether a token from there on, within the longest phrase, is such a one. */
  sees(isSuch: (at: number) => boolean, from: number): boolean {
    const end = Math.min(this.#until, this.tokens.length);
    for (let at = from; at < end; at += 1) if (isSuch(at)) return true;
    return false;
  }

  token(at: number): Token {
    this.steps += 1;
    return at < this.#until ? (this.tokens[at] ?? NOTHING) : NOTHING;
  }

  word(at: number): string {
    const token = this.token(at);
    return token.kind === 'number' ? '' : token.text;
  }

  /** The whole number at a token, if it has that many digits. */
  number(at: number, digits: { readonly least: number; readonly most: number }): number | null {
    const token = this.token(at);
    if (token.kind !== 'number' || token.text.length < digits.least || token.text.length > digits.most)
      return null;
    return token.value;
  }

  is(at: number, keyword: Keyword): boolean {
    const word = this.word(at);
    return word !== '' && this.vocabulary.is[keyword].has(word);
  }

  /** Whether a date could start with the token. Most words of prose are known to no rule. */
  mayBegin(at: number): boolean {
    const token = this.tokens[at];
    this.steps += 1;
    if (token?.kind !== 'word') return token?.kind === 'number' || /^[-+−@]$/.test(token?.text ?? '');
    return wordsOf(this.vocabulary).has(token.text);
  }

  /** The index after any run of these keywords and commas. */
  skip(at: number, ...keywords: readonly Keyword[]): number {
    let next = at;
    while (keywords.some((keyword) => this.is(next, keyword)) || this.word(next) === ',') next += 1;
    return next;
  }

  isSign(at: number, sign: string): boolean {
    const token = this.token(at);
    return token.kind === 'sign' && token.text === sign;
  }

  isGlued(at: number): boolean {
    return this.token(at).glued;
  }
}
