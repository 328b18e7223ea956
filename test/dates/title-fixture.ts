// The titles of titles.tsv, titles-held-back.tsv and titles-written-after.tsv: what a person expects of each, what is read of it, and how far the two
// agree. They were written without a look at the parser; those held back were not looked at while it was made.
import { readFileSync } from 'node:fs';
import { deriveId } from '#core/ids.ts';
import { TokenLine, finishTask } from '#client/entry/token-line.ts';
import { readTokens, type Token } from '#core/titles/tokens.ts';
import { valuesOf } from '#client/entry/values.ts';
import { sayRepeat } from '#core/dates/words.ts';
import type { When } from '#core/when.ts';
import { saidAt, written } from './said-at.ts';

/** A title as it is typed, the title that should be left, and the readings that should be set. */
export interface Fixture {
  readonly text: string;
  readonly title: string;
  readonly readings: readonly string[];
}

/** `false`: something is recognized that should not be, or wrongly. `missed`: less is recognized than should be. */
export type Verdict = 'right' | 'missed' | 'false';

export interface Judged {
  readonly fixture: Fixture;
  readonly verdict: Verdict;
  readonly title: string;
  readonly readings: readonly string[];
}

const named = (...all: readonly string[]) => all.map((name) => ({ id: deriveId(name), name }));
const NAMES = {
  labels: named('Errands', 'High priority', 'Waiting', 'Calls'),
  lists: named('Home', 'Home improvement', 'Work'),
};
const nameOf = (id: string) =>
  [...NAMES.labels, ...NAMES.lists].find((one) => one.id === id)?.name ?? 'unknown';
const TODAY = { on: '2026-11-20' };
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
const LONG_DAYS: Readonly<Record<string, string>> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
};

/** The rows of a file beside this one. */
type FixtureFile = 'titles.tsv' | 'titles-held-back.tsv' | 'titles-written-after.tsv';

export function readFixtures(name: FixtureFile): readonly Fixture[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [typed = '', title = '', said = ''] = line.split('\t');
      return { text: typed, title, readings: said === '–' ? [] : said.split(' · ') };
    });
}

/** Reads a title at the moment of the fixtures, as a line that recognizes by itself. */
export function readTitle(text: string): { readonly title: string; readonly readings: readonly string[] } {
  const context = saidAt('UTC');
  const line = new TokenLine('auto', (typed) => readTokens(typed, context, { names: () => NAMES }));
  line.type(text, text.length);
  const { title, tokens } = finishTask(line, '');
  return { title, readings: readingsOf(tokens) };
}

const day = (when: When | null) => written(when).slice(4);

function readingsOf(tokens: readonly Token[]): readonly string[] {
  const { now, zone } = saidAt('UTC');
  const { fields, list, snooze } = valuesOf(tokens, {
    today: TODAY,
    missed: 'skip',
    moment: { now, zone },
    hasDate: true,
  });
  const found: string[] = [];
  const due = fields.due ?? null;
  if (fields.repeat) found.push(`repeat ${repeatIn(tokens, due)}`);
  else if (due !== null) found.push(`due ${day(due)}`);
  if (fields.start) found.push(`start ${day(fields.start)}`);
  if (snooze !== null) found.push(`snooze ${day(snooze)}`);
  if (typeof fields.duration === 'number') found.push(`length ${fields.duration}`);
  for (const name of Object.keys(fields))
    if (name.startsWith('label:')) found.push(`label ${nameOf(name.slice(6))}`);
  if (list !== null) found.push(`list ${nameOf(list)}`);
  return found;
}

/** The repeat in the words of the fixtures: "every first Monday of the month; due 2026-12-07". */
function repeatIn(tokens: readonly Token[], due: When | null): string {
  const token = tokens.findLast(({ kind }) => kind === 'repeat');
  if (token?.kind !== 'repeat') return '';
  const { rule, first, says } = token.reading;
  const words = sayRepeat(rule)
    .replace(/^every (\d)(?:st|nd|rd|th) /, (_, nth: string) => `every ${ORDINALS[Number(nth)] ?? nth} `)
    .replaceAll(/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, (name) => LONG_DAYS[name] ?? name);
  const isYearly = rule.unit === 'years' && says === 'day of year' && first !== null;
  const on = isYearly ? ` on ${monthDay(day(first))}` : '';
  // "Every weekday" names no day.
  const isNamed = due !== null && !(words === 'every weekday' && says === null);
  return `${words}${on}${isNamed ? `; due ${day(due)}` : ''}`;
}

function monthDay(date: string): string {
  return Temporal.PlainDate.from(date.slice(0, 10)).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'long',
  });
}

/** Compares what is read of a title with what should be. */
export function judge(fixture: Fixture): Judged {
  const { title, readings } = readTitle(fixture.text);
  const isFalse = readings.some((reading) => !fixture.readings.includes(reading));
  const isLess = readings.length < fixture.readings.length;
  const isWhole = !isLess && title === fixture.title;
  return {
    fixture,
    verdict: isFalse ? 'false' : isLess ? 'missed' : isWhole ? 'right' : 'false',
    title,
    readings,
  };
}
