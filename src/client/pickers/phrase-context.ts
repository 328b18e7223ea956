// This person's way of writing dates: the order of day and month, the clock and the first day of the week, by their
// language. Parsing the words is in core/dates.
import type { PhraseContext } from '#core/dates/reader.ts';
import type { When } from '#core/when.ts';
import type { Program } from '../app/program.ts';
import { dayStart } from '../settings/first.ts';
import { afternoon, evening, morning, nextWeek, night, weekStart } from '../settings/general.ts';

type Habits = Pick<PhraseContext, 'order' | 'hour12' | 'weekStart'>;

/** `Intl.Locale` week data, which some browsers lack and some have as a property. */
interface WeekInfo {
  readonly firstDay: number;
}
type LocaleWithWeeks = Intl.Locale & {
  readonly getWeekInfo?: () => WeekInfo;
  readonly weekInfo?: WeekInfo;
};

const SAMPLE = Date.UTC(2026, 10, 27);

function orderOf(locale: string): PhraseContext['order'] {
  const parts = new Intl.DateTimeFormat(locale, { timeZone: 'UTC' }).formatToParts(SAMPLE);
  const at = (type: string) => parts.findIndex((part) => part.type === type);
  if (at('year') < at('month')) return 'ymd';
  return at('day') < at('month') ? 'dmy' : 'mdy';
}

function weekStartOf(locale: string): PhraseContext['weekStart'] {
  const known: LocaleWithWeeks = new Intl.Locale(locale);
  const firstDay = (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay;
  return firstDay === 6 || firstDay === 7 ? firstDay : 1;
}

const habitsBy = new Map<string, Habits>();

/** The habits of a language tag; British ones for an unknown tag. */
export function habitsOf(locale: string): Habits {
  const known = habitsBy.get(locale);
  if (known) return known;
  let habits: Habits;
  try {
    const { hour12 = false } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
    habits = { order: orderOf(locale), hour12, weekStart: weekStartOf(locale) };
  } catch {
    // An invalid tag: phrases in words still work.
    habits = { order: 'dmy', hour12: false, weekStart: 1 };
  }
  habitsBy.set(locale, habits);
  return habits;
}

const WEEK_STARTS = { monday: 1, saturday: 6, sunday: 7 } as const;

/** The moment, with this person's date habits: from their settings, else from their language. */
export function phraseContext(program: Program, current: When | null): PhraseContext {
  const { platform, settings } = program;
  const habits = habitsOf(platform.locale());
  const week = settings.get(weekStart);
  return {
    ...habits,
    weekStart: week === 'auto' ? habits.weekStart : WEEK_STARTS[week],
    now: program.replica.now(),
    zone: platform.zone(),
    dayStart: settings.get(dayStart),
    nextWeek: settings.get(nextWeek),
    prefers: 'future',
    current,
    hours: {
      morning: settings.get(morning),
      afternoon: settings.get(afternoon),
      evening: settings.get(evening),
      night: settings.get(night),
    },
  };
}
