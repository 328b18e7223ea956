// The words of dates, as data: another language is another value of this type, with the same grammar. Not here: how the
// words combine (phrase.ts, repeat-phrase.ts).
import { englishTitle, type TitleWords } from '../titles/words.ts';

/** Units a span is counted in. `workday` skips Saturdays and Sundays. */
export type SpanUnit = 'minute' | 'hour' | 'day' | 'workday' | 'week' | 'month' | 'quarter' | 'year';

/** Calendar periods that words like "this", "next" or "end of" go with. */
export type Period = 'day' | 'week' | 'weekend' | 'month' | 'quarter' | 'year';

export type PartOfDay = 'morning' | 'afternoon' | 'evening' | 'night';

export interface UnitMeaning {
  readonly unit: SpanUnit;
  readonly times: number;
}

/**
 * A day that comes once a year: on a fixed date, on the n-th weekday of a month (−1: the last) or so many days after it,
 * or so many days from Easter Sunday.
 */
export type Holiday =
  | { readonly month: number; readonly day: number }
  | { readonly month: number; readonly weekday: number; readonly nth: number; readonly plus?: number }
  | { readonly easter: number };

/** The words of one language, all in lower case. A word may be in several lists: the grammar tries each meaning. */
export interface Vocabulary {
  /** ISO numbers, Monday is 1. */
  readonly weekdays: ReadonlyMap<string, number>;
  readonly months: ReadonlyMap<string, number>;
  /** Days from today. */
  readonly namedDays: ReadonlyMap<string, number>;
  readonly numbers: ReadonlyMap<string, number>;
  /** Numbers that are meant roughly: "a few". */
  readonly roughNumbers: ReadonlyMap<string, number>;
  /** −1 is the last. */
  readonly ordinals: ReadonlyMap<string, number>;
  readonly ordinalSuffixes: ReadonlySet<string>;
  /** The first meaning is the likelier one. */
  readonly units: ReadonlyMap<string, readonly UnitMeaning[]>;
  readonly periods: ReadonlyMap<string, Period>;
  /** One word for the end of a period: "eom". */
  readonly periodEnds: ReadonlyMap<string, Period>;
  readonly partsOfDay: ReadonlyMap<string, PartOfDay>;
  /** Hour of the day by word: "noon". */
  readonly hours: ReadonlyMap<string, number>;
  /** "weekly" and the like. */
  readonly rhythms: ReadonlyMap<string, { readonly unit: SpanUnit; readonly times: number }>;
  readonly halves: ReadonlyMap<string, 'am' | 'pm'>;
  /** Words that prose uses for other things too: they count only with a companion. */
  readonly everyday: ReadonlySet<string>;
  /** By name, without apostrophes; a name may have several words. */
  readonly holidays: ReadonlyMap<string, Holiday>;
  /** The day of the month that "early", "mid" and "late" stand for. */
  readonly partsOfMonth: ReadonlyMap<string, number>;
  readonly none: readonly string[];
  /** What stands around dates inside a title. */
  readonly title: TitleWords;
  readonly is: Readonly<Record<Keyword, ReadonlySet<string>>>;
}

/** Function words by their role. */
export type Keyword =
  | 'this'
  | 'next'
  | 'last'
  | 'coming'
  | 'in'
  | 'ago'
  | 'from'
  | 'after'
  | 'before'
  | 'of'
  | 'the'
  | 'on'
  | 'at'
  | 'by'
  | 'notAfter'
  | 'for'
  | 'to'
  | 'and'
  | 'now'
  | 'half'
  | 'every'
  | 'other'
  | 'end'
  | 'start'
  | 'tonight'
  | 'oclock'
  | 'weekday'
  | 'business'
  | 'completion'
  | 'starting'
  | 'always'
  | 'between'
  | 'through'
  | 'minutesPast'
  | 'minutesTo'
  | 'clockHour'
  | 'later'
  | 'thing'
  | 'close'
  | 'closing';

const numbered = (lists: readonly (readonly string[])[]): ReadonlyMap<string, number> =>
  new Map(lists.flatMap((words, at) => words.map((word) => [word, at + 1] as const)));

const words = (text: string): readonly string[] => text.split(' ');
const set = (text: string): ReadonlySet<string> => new Set(words(text));

const named = <T>(lists: readonly (readonly [names: string, T])[]): ReadonlyMap<string, T> =>
  new Map(lists.flatMap(([names, meaning]) => names.split(',').map((name) => [name, meaning] as const)));

const unit = (
  names: string,
  ...meanings: readonly UnitMeaning[]
): readonly (readonly [string, readonly UnitMeaning[]])[] =>
  words(names).map((name) => [name, meanings] as const);

const CARDINALS = words(
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
);
const TENS = words('twenty thirty forty fifty sixty seventy eighty ninety');
const ORDINALS = words('first second third fourth fifth sixth seventh eighth ninth tenth');

/** The English words, the only vocabulary so far. */
export const english: Vocabulary = {
  weekdays: numbered([
    words('mon monday'),
    words('tue tues tuesday'),
    words('wed weds wednesday'),
    words('thu thur thurs thursday'),
    words('fri friday'),
    words('sat saturday'),
    words('sun sunday'),
  ]),
  months: numbered([
    words('jan january'),
    words('feb february'),
    words('mar march'),
    words('apr april'),
    words('may'),
    words('jun june'),
    words('jul july'),
    words('aug august'),
    words('sep sept september'),
    words('oct october'),
    words('nov november'),
    words('dec december'),
  ]),
  namedDays: new Map([
    ...words('today tod tdy').map((word) => [word, 0] as const),
    ...words('tomorrow tom tmr tmrw tomo').map((word) => [word, 1] as const),
    ...words('yesterday yday').map((word) => [word, -1] as const),
  ]),
  numbers: new Map([
    ...CARDINALS.map((word, at) => [word, at + 1] as const),
    ['a', 1],
    ['an', 1],
    ...TENS.map((word, at) => [word, 10 * (at + 2)] as const),
  ]),
  roughNumbers: new Map([
    ['couple', 2],
    ['few', 3],
  ]),
  ordinals: new Map([...ORDINALS.map((word, at) => [word, at + 1] as const), ['last', -1]]),
  ordinalSuffixes: set('st nd rd th'),
  units: new Map([
    ...unit('min mins minute minutes', { unit: 'minute', times: 1 }),
    // Minutes are likelier, but "in 3m" may be months: both are given.
    ...unit('m', { unit: 'minute', times: 1 }, { unit: 'month', times: 1 }),
    ...unit('h hr hrs hour hours', { unit: 'hour', times: 1 }),
    ...unit('d day days night nights', { unit: 'day', times: 1 }),
    ...unit('workday workdays weekday weekdays', { unit: 'workday', times: 1 }),
    ...unit('w wk wks week weeks', { unit: 'week', times: 1 }),
    ...unit('fortnight fortnights', { unit: 'week', times: 2 }),
    ...unit('mo mos mth mths month months', { unit: 'month', times: 1 }),
    ...unit('q qtr quarter quarters', { unit: 'quarter', times: 1 }),
    ...unit('y yr yrs year years', { unit: 'year', times: 1 }),
  ]),
  periods: new Map([
    ['day', 'day'],
    ['week', 'week'],
    ['wk', 'week'],
    ['weekend', 'weekend'],
    ['month', 'month'],
    ['quarter', 'quarter'],
    ['year', 'year'],
    ['yr', 'year'],
  ]),
  periodEnds: new Map([
    ['eod', 'day'],
    ['eow', 'week'],
    ['eom', 'month'],
    ['eoq', 'quarter'],
    ['eoy', 'year'],
  ]),
  partsOfDay: new Map([
    ['morning', 'morning'],
    ['morn', 'morning'],
    ['afternoon', 'afternoon'],
    ['evening', 'evening'],
    ['eve', 'evening'],
    ['night', 'night'],
  ]),
  hours: new Map([
    ['noon', 12],
    ['midday', 12],
    ['midnight', 24],
  ]),
  rhythms: new Map<string, UnitMeaning>([
    ['hourly', { unit: 'hour', times: 1 }],
    ['daily', { unit: 'day', times: 1 }],
    ['weekdays', { unit: 'workday', times: 1 }],
    ['weekly', { unit: 'week', times: 1 }],
    ['biweekly', { unit: 'week', times: 2 }],
    ['fortnightly', { unit: 'week', times: 2 }],
    ['monthly', { unit: 'month', times: 1 }],
    ['quarterly', { unit: 'quarter', times: 1 }],
    ['yearly', { unit: 'year', times: 1 }],
    ['annually', { unit: 'year', times: 1 }],
  ]),
  halves: new Map([
    ['am', 'am'],
    ['a', 'am'],
    ['pm', 'pm'],
    ['p', 'pm'],
  ]),
  everyday: set(
    'sun sat wed mon may march mar jan dec tom tomo eve night day morning evening afternoon weekend noon midday',
  ),
  holidays: named([
    ['new years day,new years,new year', { month: 1, day: 1 }],
    ['valentines day,valentines', { month: 2, day: 14 }],
    ['st patricks day,st. patricks day,saint patricks day', { month: 3, day: 17 }],
    ['good friday', { easter: -2 }],
    ['easter,easter sunday,easter day', { easter: 0 }],
    ['easter monday', { easter: 1 }],
    ['memorial day', { month: 5, weekday: 1, nth: -1 }],
    ['independence day', { month: 7, day: 4 }],
    ['labor day,labour day', { month: 9, weekday: 1, nth: 1 }],
    ['halloween', { month: 10, day: 31 }],
    ['thanksgiving,thanksgiving day', { month: 11, weekday: 4, nth: 4 }],
    ['black friday', { month: 11, weekday: 4, nth: 4, plus: 1 }],
    ['christmas eve,xmas eve', { month: 12, day: 24 }],
    ['christmas,christmas day,xmas,xmas day', { month: 12, day: 25 }],
    ['boxing day', { month: 12, day: 26 }],
    ['new years eve,nye', { month: 12, day: 31 }],
  ]),
  partsOfMonth: new Map([
    ['early', 1],
    ['mid', 15],
    ['middle', 15],
    ['late', 25],
  ]),
  none: ['none', 'no date', 'never', 'clear', 'remove', 'off', 'nothing', 'someday'],
  title: englishTitle,
  is: {
    this: set('this'),
    next: set('next nxt following'),
    last: set('last previous past prev'),
    coming: set('coming upcoming'),
    in: set('in within'),
    ago: set('ago back'),
    from: set('from'),
    after: set('after'),
    before: set('before'),
    of: set('of in'),
    the: set('the'),
    on: set('on'),
    at: set('at @'),
    by: set('by due until till'),
    notAfter: set('by before'),
    for: set('for'),
    to: set('to until till - –'),
    and: set('and &'),
    now: set('now'),
    half: set('half'),
    every: set('every each ev'),
    other: set('other second 2nd'),
    end: set('end'),
    start: set('start beginning'),
    tonight: set('tonight tonite'),
    oclock: set("o'clock oclock"),
    weekday: set('weekday weekdays workday workdays'),
    business: set('business work working'),
    completion: set('completion completing done completed'),
    starting: set('starting from beginning since'),
    always: set('!'),
    between: set('between'),
    through: set('through thru'),
    minutesPast: set('past after'),
    minutesTo: set('to till before of'),
    clockHour: set('h'),
    later: set('later'),
    thing: set('thing'),
    close: set('close'),
    closing: set('cob eob'),
  },
};
