// Events and time blocks, read and changed by the calls of the API. The commands and the tools for agents both do it here, in the words of the
// app.
import { readBlockTimes } from '#core/calendar/block-phrase.ts';
import type { Id } from '#core/ids.ts';
import { readDate } from '#core/dates/phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import type { ApiClient, Block, Calendar, Event } from '#wire/api/client.ts';
import { wrongUse } from '../failure.ts';
import { phraseContextOf, type Saying } from '../saying.ts';

/** What the calls need. `saying`: when and where words are said. */
export interface PlanningHands {
  readonly ask: <T>(work: (client: ApiClient) => Promise<T>) => Promise<T>;
  readonly newId: () => Id;
  readonly saying: () => Saying;
}

/** Days, both included: `2026-11-30`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const PAGE = '250';
/** Days that are shown where none are named: a week. */
const USUAL_DAYS = 7;
const EXAMPLE = 'Try “today 14:00 45m” or “tomorrow 9-10:30”.';

const dayOf = (when: When): string =>
  isDayWhen(when)
    ? when.on
    : isInstantWhen(when)
      ? Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone).toPlainDate().toString()
      : when.local.slice(0, 'YYYY-MM-DD'.length);

/** One day, or a range of them; null: the words are neither. */
function rangeIn(words: string, saying: Saying): Days | null {
  const [reading] = readDate(words, phraseContextOf(saying), { vocabulary: english });
  if (!reading?.when) return null;
  const { when, start = when } = reading;
  return { from: dayOf(start ?? when), to: dayOf(when) };
}

/** The days that the words name: “today”, “next week”, “mon fri”, “1 dec 5 dec”. Without words: a week from today on. Throws a Failure. */
export function daysIn(words: readonly string[], saying: Saying): Days {
  if (words.length === 0) {
    const today = Temporal.Instant.fromEpochMilliseconds(saying.at)
      .toZonedDateTimeISO(saying.zone)
      .toPlainDate();
    return { from: today.toString(), to: today.add({ days: USUAL_DAYS - 1 }).toString() };
  }
  const whole = rangeIn(words.join(' '), saying);
  if (whole !== null) return whole;
  for (let at = 1; at < words.length; at += 1) {
    const [from, to] = [words.slice(0, at), words.slice(at)].map((part) => rangeIn(part.join(' '), saying));
    if (!from || !to) continue;
    if (to.to < from.from) throw wrongUse(`“${words.slice(at).join(' ')}” is before ${from.from}.`);
    return { from: from.from, to: to.to };
  }
  throw wrongUse(`“${words.join(' ')}” isn't a day. Try today, next week, or mon fri.`);
}

/** What is on in some days. */
export interface Agenda {
  readonly events: readonly Event[];
  readonly calendars: readonly Calendar[];
}

/** All events of these days, page by page. */
export async function eventsOn(
  { from, to }: Days,
  { ask, saying }: Pick<PlanningHands, 'ask' | 'saying'>,
): Promise<Agenda> {
  const { zone } = saying();
  const events: Event[] = [];
  for (let cursor: string | null = null; ;) {
    const more: { readonly cursor?: string } = cursor === null ? {} : { cursor };
    const page = await ask((client) =>
      client.listEvents({ from, to, time_zone: zone, limit: PAGE, ...more }),
    );
    events.push(...page.events);
    cursor = page.next_cursor;
    if (cursor === null) return { events, calendars: page.calendars };
  }
}

interface Times {
  readonly local_start: string;
  readonly duration_minutes?: number;
  readonly time_zone?: string;
}

/** The times of a block in words. Throws a Failure with an example. */
function timesIn(words: string, saying: Saying): Times {
  const { plans, needsTime } = readBlockTimes(words, phraseContextOf(saying));
  const [plan] = plans;
  if (plan === undefined)
    throw wrongUse(
      needsTime
        ? `“${words}” is a day. Add a time, like “14:00” or “9-10:30”.`
        : `“${words}” isn't a time. ${EXAMPLE}`,
    );
  return {
    local_start: new Date(plan.start).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length),
    ...(plan.minutes === null ? {} : { duration_minutes: plan.minutes }),
    ...(plan.zone === undefined ? {} : { time_zone: plan.zone }),
  };
}

/** The time that is planned for a task, the earliest first. */
export async function blocksOf(task: string, { ask }: Pick<PlanningHands, 'ask'>): Promise<readonly Block[]> {
  return (await ask((client) => client.listBlocks(task))).blocks;
}

/** Plans time for a task, with an id of its own, so that sending it again plans nothing twice. */
export async function planTime(
  task: string,
  words: string,
  { ask, newId, saying }: PlanningHands,
): Promise<Block> {
  const body = { id: newId(), ...timesIn(words, saying()) };
  return (await ask((client) => client.createBlock(task, body))).block;
}

/** Moves planned time; its length stays unless one is said. */
export async function moveTime(
  { task, block }: { readonly task: string; readonly block: string },
  words: string,
  { ask, saying }: Pick<PlanningHands, 'ask' | 'saying'>,
): Promise<Block> {
  const times = timesIn(words, saying());
  return (await ask((client) => client.updateBlock(task, block, { time_zone: null, ...times }))).block;
}

/** Removes planned time. */
export async function removeTime(
  { task, block }: { readonly task: string; readonly block: string },
  { ask }: Pick<PlanningHands, 'ask'>,
): Promise<void> {
  await ask((client) => client.deleteBlock(task, block));
}
