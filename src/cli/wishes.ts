// The options of `add` and `edit` that describe a task, as typed and as fields of the API. Dates, lengths and repeats are
// read with the grammar of the app (core/dates).
import * as z from 'zod/mini';
import { readDate, readDuration, type Reading } from '#core/dates/phrase.ts';
import { endIn } from '#core/dates/repeat-end.ts';
import { readRepeat } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import type { RepeatRule } from '#core/model.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import type { TaskChanges } from '#wire/api/client.ts';
import type { Option } from './command.ts';
import { wrongUse } from './failure.ts';
import { phraseContextOf, type Saying } from './saying.ts';

export type WishedFields = Omit<TaskChanges, 'title'>;

export const wishesSchema = z.object({
  due: z.optional(z.string()),
  start: z.optional(z.string()),
  snooze: z.optional(z.string()),
  for: z.optional(z.string()),
  repeat: z.optional(z.string()),
  list: z.optional(z.string()),
  labels: z.array(z.string()),
});
export type Wishes = z.infer<typeof wishesSchema>;

/** Options that `add` and `edit` share. */
export const wishOptions: readonly Option[] = [
  {
    name: 'due',
    short: 'd',
    value: 'words',
    summary: "when it's due: tomorrow 5pm, nov 27, in 3 days; none",
  },
  { name: 'start', short: 's', value: 'words', summary: 'when it starts' },
  { name: 'snooze', value: 'words', summary: 'when it comes back' },
  { name: 'for', value: 'words', summary: 'how long it takes: 45m, 1h30' },
  { name: 'repeat', value: 'words', summary: 'how it repeats: every 2 weeks on mon, every! 3 days; none' },
  { name: 'list', short: 'l', value: 'list', summary: 'a list by name, path (Home/Garden), or id' },
  {
    name: 'label',
    value: 'label',
    isRepeatable: true,
    summary: 'an existing label, exact in case and spaces',
  },
];

/** The words given for these options, not yet parsed. */
export function wishesOf(call: {
  option(name: string): string | undefined;
  all(name: string): readonly string[];
}): Wishes {
  const given = (['due', 'start', 'snooze', 'for', 'repeat', 'list'] as const).flatMap((name) => {
    const value = call.option(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(given), labels: [...call.all('label')] };
}

function dateIn(words: string, saying: Saying): Reading {
  const [reading] = readDate(words, phraseContextOf(saying), { vocabulary: english });
  if (!reading) throw wrongUse(`“${words}” isn't a date. Try tomorrow 5pm.`);
  return reading;
}

/** Of a range of days the first one. */
function firstIn(words: string, saying: Saying): When | null {
  const { when, start = when } = dateIn(words, saying);
  return start;
}

/** A range of days says the start too, unless that is said by itself. */
function dueIn(words: string, hasStart: boolean, saying: Saying): WishedFields {
  const { when, start } = dateIn(words, saying);
  const first = start === undefined || hasStart ? {} : dateFields('start', start, saying.zone);
  return { ...first, ...dateFields('due', when, saying.zone) };
}

const NAMES = {
  due: ['due_at', 'timeless_due_at'],
  start: ['starts_at', 'timeless_starts_at'],
  snooze: ['snoozed_until', 'timeless_snoozed_until'],
} as const;

/** A date as the API takes it. */
export function dateFields(field: keyof typeof NAMES, when: When | null, zone: string): WishedFields {
  const [at, day] = NAMES[field];
  if (when === null) return { [at]: null };
  if (isDayWhen(when)) return { [day]: when.on };
  const moment = isInstantWhen(when)
    ? Temporal.Instant.fromEpochMilliseconds(when.at)
    : Temporal.PlainDateTime.from(when.local).toZonedDateTime(zone).toInstant();
  return {
    [at]: moment.toString({ smallestUnit: 'millisecond' }),
    time_zone: isInstantWhen(when) ? when.zone : zone,
  };
}

/** Null: the API cannot express it. */
export function repeatFields({ value, also, unit, metadata, from }: RepeatRule): WishedFields | null {
  if (also !== undefined && also.length > 0) return null;
  return {
    repeat_value: value,
    repeat_unit: unit,
    repeat_unit_metadata: metadata as NonNullable<TaskChanges['repeat_unit_metadata']> | null,
    repeat_from: from,
  };
}

const isNone = (words: string) => english.none.includes(words.trim().toLowerCase());

function repeatIn(words: string, saying: Saying): WishedFields {
  if (isNone(words)) return { repeat_value: null, repeat_unit: null };
  const [reading] = readRepeat(words, phraseContextOf(saying), { vocabulary: english });
  if (!reading) {
    const end = endIn(
      words,
      (text) => readRepeat(text, phraseContextOf(saying), { vocabulary: english }).length > 0,
    );
    if (end) throw wrongUse(`Repeats can't have an end. Leave out “${end.end}”.`);
    throw wrongUse(`“${words}” isn't a repeat. Try every 2 weeks.`);
  }
  const fields = repeatFields(reading.rule);
  if (fields === null) throw wrongUse(`“${words}” can only be set in the app.`);
  return { ...(reading.first === null ? {} : dateFields('due', reading.first, saying.zone)), ...fields };
}

function durationIn(words: string): number | null {
  if (isNone(words)) return null;
  const minutes = readDuration(words, { vocabulary: english });
  if (minutes === null) throw wrongUse(`“${words}” isn't a length. Try 45m.`);
  return minutes;
}

/** All fields but lists and labels, which need a look-up. */
export function fieldsOfWishes(wishes: Wishes, saying: Saying): WishedFields {
  const { due, start, snooze, repeat, for: length } = wishes;
  return {
    ...(repeat === undefined ? {} : repeatIn(repeat, saying)),
    ...(due === undefined ? {} : dueIn(due, start !== undefined, saying)),
    ...(start === undefined ? {} : dateFields('start', firstIn(start, saying), saying.zone)),
    ...(snooze === undefined ? {} : dateFields('snooze', firstIn(snooze, saying), saying.zone)),
    ...(length === undefined ? {} : { duration_minutes: durationIn(length) }),
  };
}
