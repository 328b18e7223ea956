// Finds what a title sets besides its words: due date, start, snooze, repeat, length, labels (#) and list (@). Every place
// where a person writes a title reads it with this. What the tokens set is in client/entry/values.ts.
import type { Reading } from '../dates/phrase.ts';
import type { PhraseContext } from '../dates/reader.ts';
import { atTimeOf } from '../dates/keep-time.ts';
import { type RepeatReading, seriesAhead } from '../dates/repeat-phrase.ts';
import { isDayWhen } from '../when.ts';
import { asEvery, findRepeatIn } from './repeats.ts';
import { findDates } from './dates.ts';
import { findLength } from './lengths.ts';
import { type Range, TitleLine } from './line.ts';
import { isQuoted, type Named, type Names, namesIn } from './names.ts';
import { english } from '../dates/vocabulary.ts';

interface Place extends Range {
  /** The words as typed. */
  readonly text: string;
}

/** A part of the line that sets a field of the task, with its place in the text. */
export type Token = Place &
  (
    | { readonly kind: 'due'; readonly reading: Reading; readonly isTime?: true }
    | { readonly kind: 'start'; readonly reading: Reading }
    | { readonly kind: 'snooze'; readonly reading: Reading }
    /** `endWords`: what is said to end it, which no rule holds: these words stay. */
    | { readonly kind: 'repeat'; readonly reading: RepeatReading; readonly endWords?: string }
    | { readonly kind: 'duration'; readonly minutes: number }
    | ({ readonly kind: 'label' | 'list' } & Named)
  );

/** As people write it who had priorities elsewhere. */
const PRIORITY = /(?<=^|\s)(?:p[1-4]|!{2,3})(?=\s|$)/gi;

/** Marks of priority: they set nothing, and stay in the title. */
export function prioritiesIn(text: string): readonly (Range & { readonly text: string })[] {
  return [...text.matchAll(PRIORITY)].map(({ index, 0: mark }) => ({
    start: index,
    end: index + mark.length,
    text: mark,
  }));
}

/** Only the end of a long line is read: a key must not wait. */
const LOOKED_AT = 120;

/**
 * Every token, in the order of the text; of a kind the last one, except of labels. None inside a word or inside quotation
 * marks. Linear in the text, of which only the end is read.
 */
export function readTokens(
  text: string,
  context: PhraseContext,
  { names, steps }: { readonly names: () => Names; readonly steps?: { count: number } },
): readonly Token[] {
  const from = beginning(text);
  const end = text.slice(from);
  const tokens = readAll(end, context, /[#@]/.test(end) ? namesIn(end, names()) : [], steps);
  if (from === 0) return tokens;
  return tokens.map((token) => ({ ...token, start: token.start + from, end: token.end + from }));
}

/** Where reading begins: after a space, and outside quotation marks. */
function beginning(text: string): number {
  if (text.length <= LOOKED_AT) return 0;
  const space = text.indexOf(' ', text.length - LOOKED_AT);
  if (space < 0) return text.length;
  if (!isQuoted(text, space)) return space + 1;
  const closing = text.slice(space).search(/["“”«»]/);
  return space + closing + 1;
}

/** What is said to end a repeat; null: nothing is. */
export function endOf(tokens: readonly Token[]): string | null {
  const repeat = tokens.find(({ kind }) => kind === 'repeat');
  return repeat?.kind === 'repeat' ? (repeat.endWords ?? null) : null;
}

/**
 * What is left says to enjoy something that would be gone: "Watch 60 minutes", "Read Saturday by Ian McEwan", "See Wednesday
 * on Netflix".
 */
function isName(text: string, tokens: readonly Token[]): boolean {
  const [first] = tokens;
  if (first === undefined || !ENJOYS.test(text.slice(0, first.start))) return false;
  const last = tokens.reduce((end, token) => Math.max(end, token.end), 0);
  return tokens.length === 1
    ? /^\s*(?:$|by\s|on\s+(?!the\b))/i.test(text.slice(first.end))
    : text.slice(last).trim() === '';
}

const ENJOYS = /^\s*(?:watch|read|see|hear|listen to|play)\s+(?:the\s+)?$/i;

/** A time alone beside a repeat is on the first day of the series: "Standup 9:30 weekdays". */
function withSeries(tokens: Token[], { rule, first }: RepeatReading, context: PhraseContext): void {
  const at = tokens.findIndex((token) => token.kind === 'due' && token.isTime === true);
  const token = tokens[at];
  if (token?.kind !== 'due' || token.reading.when === null) return;
  const today = Temporal.Instant.fromEpochMilliseconds(context.now).toZonedDateTimeISO(context.zone);
  const day = first !== null && isDayWhen(first) ? first.on : today.toPlainDate().toString();
  const when = seriesAhead(rule, atTimeOf(token.reading.when, day), context);
  tokens[at] = { ...token, reading: { ...token.reading, when } };
}

function readAll(
  text: string,
  context: PhraseContext,
  named: readonly Token[],
  steps?: { count: number },
): readonly Token[] {
  const line = new TitleLine(asEvery(text), context, english);
  const tokens: Token[] = [...named];
  const place = ({ start, end }: Range): Place => ({ start, end, text: text.slice(start, end) });
  const take = (token: Token) => {
    tokens.push(token);
    line.close(token);
  };
  for (const token of named) line.close(token);
  // "Renew insurance p1 Jan 15": a mark of priority stays a word, and belongs to nothing beside it.
  for (const mark of prioritiesIn(text)) line.close(mark);
  const repeat = findRepeatIn(line, steps);
  const [rhythm] = repeat?.readings ?? [];
  if (repeat && rhythm) {
    const end =
      repeat.ends &&
      text
        .slice(repeat.ends.start, repeat.ends.end)
        .replace(/^[\s,]+/, '')
        .trim();
    take({
      ...place(repeat),
      kind: 'repeat',
      reading: rhythm,
      ...(end === undefined ? {} : { endWords: end }),
    });
    if (repeat.ends) line.close(repeat.ends);
  } else if (repeat) line.close(repeat);
  const takeDates = () => {
    const dates = findDates(line);
    for (const kind of ['due', 'start', 'snooze'] as const) {
      const found = dates.findLast((date) => date.kind === kind);
      const [reading] = found?.readings ?? [];
      const alone = kind === 'due' && found?.isTime === true ? { isTime: true } : {};
      if (found && reading) take({ ...place(found), kind, reading, ...alone } as Token);
    }
    return dates.length > 0;
  };
  const hasDates = takeDates();
  const length = findLength(line);
  if (length !== null) {
    take({ ...place(length), kind: 'duration', minutes: length.minutes });
    // "Sat 1h": with the length away, the day stands at the end.
    if (!hasDates) takeDates();
  }
  if (steps) steps.count += line.reader.steps;
  if (isName(text, tokens)) return named;
  if (rhythm) withSeries(tokens, rhythm, context);
  return tokens.toSorted((a, b) => a.start - b.start);
}
