// Applies a picker's choice to the target tasks: one undo, and a message.
import { readDuration } from '#core/dates/phrase.ts';
import { endIn } from '#core/dates/repeat-end.ts';
import { readRepeat, type RepeatReading } from '#core/dates/repeat-phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import { sayRepeat } from '#core/dates/words.ts';
import type { RepeatRule } from '#core/model.ts';
import type { Occurrence } from '#core/repeat.ts';
import { isWhen, type When } from '#core/when.ts';
import { nextOf, ruleOf, seriesOf } from '#sync/rows/completing.ts';
import { advancingRegisters, type Action } from '#sync/rows/operation.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { inBatches } from '../commands/rows.ts';
import { setMine } from '../outline/personal-fields.ts';
import type { Program } from '../app/program.ts';
import { missedRepeats } from '../settings/behavior.ts';
import { BlockPicker } from '../blocks/block-picker.ts';
import { DurationPicker } from './duration-picker.ts';
import { phraseContext } from './phrase-context.ts';
import { applyOnce, endDifference, OncePicker } from './once-picker.ts';
import { type Given, givenTo, givenWhen, parsed } from './given.ts';
import { type Picker, type PickerKind, pickedIds, pickedRows } from './picker.ts';
import { dayStart } from '../settings/first.ts';
import { beginningOf, datesOf, firstOf, RepeatPicker } from './repeat-picker.ts';
import { RemindPicker } from './remind-picker.ts';
import { applyReminder } from './reminding.ts';
import { sayWhen } from './saying.ts';
import { snoozesOf, type WhenKind, WhenPicker } from './when-picker.ts';
import { registersOf, fieldOf } from '#sync/rows/row.ts';

export function createPicker(program: Program, kind: PickerKind): Picker {
  if (kind === 'repeat') return new RepeatPicker(program);
  if (kind === 'once') return new OncePicker(program);
  if (kind === 'remind') return new RemindPicker(program);
  if (kind === 'block') return new BlockPicker(program);
  return kind === 'duration' ? new DurationPicker(program) : new WhenPicker(program, kind);
}

/** Applies a choice, or a phrase: `value` is either. */
export function applyPicked(
  program: Program,
  kind: Exclude<PickerKind, 'block'>,
  value: string,
): CommandResult {
  program.editor.flush();
  if (kind === 'repeat') return applyRepeat(program, value);
  if (kind === 'duration') return applyDuration(program, value);
  if (kind === 'once') return applyOnce(program, value);
  if (kind === 'remind') return applyReminder(program, value);
  const given = givenWhen(program, value);
  if (given === null) return refused(`“${value}” isn’t a date.`);
  if (kind === 'due') return applyDate(program, kind, given);
  // Of a range of days, that is its first one.
  const { start: when = given.when, start: _, ...rest } = given;
  return kind === 'snooze' ? applySnooze(program, when) : applyDate(program, kind, { ...rest, when });
}

function applyDate(program: Program, kind: Exclude<WhenKind, 'snooze'>, given: Given): CommandResult {
  const rows = pickedRows(program);
  const ids = rows.map(({ id }) => id);
  const { start, duration } = given;
  const dates = rows.map((row) => givenTo(program, given, fieldOf(row, kind) ?? null));
  const when = sameIn(dates) ?? given.when;
  const actions = rows.flatMap(({ id }, index): Action[] => [
    { a: 'set', id, field: kind, value: dates[index] ?? null },
    ...(start === undefined ? [] : [{ a: 'set', id, field: 'start', value: start } as const]),
    ...(duration === null ? [] : [{ a: 'set', id, field: 'duration', value: duration } as const]),
  ]);
  const name = program.describe(ids);
  const noun = kind === 'due' ? 'due date' : 'start date';
  const alone = rows.some((row) => seriesOf(row) !== null) ? ' This occurrence only.' : '';
  const done = `${when === null ? 'removed' : 'set'} the ${start === undefined ? noun : 'dates'}`;
  inBatches(program, actions, `${done} of ${name}`);
  const isOne = ids.length === 1;
  if (when === null) return announced(`${name} ${isOne ? 'has' : 'have'} no ${noun} now.${alone}`);
  const starts = isOne ? 'starts' : 'start';
  const verb = kind === 'start' ? starts : isOne ? 'is due' : 'are due';
  const said = (date: When) => sayWhen(date, program.moment()).text;
  const first = start === undefined ? '' : `${starts} ${said(start)} and `;
  const length = duration === null ? '' : ` and takes ${sayDuration(duration)}`;
  return announced(`${name} ${first}${verb} ${said(when)}${length}.${alone}`);
}

/** The date that all of them are; null: they differ. */
function sameIn(dates: readonly (When | null)[]): When | null {
  const [first = null] = dates;
  const text = JSON.stringify(first);
  return dates.every((date) => JSON.stringify(date) === text) ? first : null;
}

function applySnooze(program: Program, when: When | null): CommandResult {
  const ids = pickedIds(program);
  const name = program.describe(ids);
  if (when !== null && sayWhen(when, program.moment()).isPast)
    return refused('That’s in the past. Pick a later time.');
  const actions = ids.flatMap((id) =>
    setMine(
      program.replica,
      id,
      when === null ? { snooze: null } : { snooze: when, snoozeCount: snoozesOf(program, id) + 1 },
    ),
  );
  const repeats = pickedRows(program).some((row) => ruleOf(row) !== null);
  const [only] = ids;
  const times = only !== undefined && ids.length === 1 ? snoozesOf(program, only) + 1 : 1;
  inBatches(program, actions, `${when === null ? 'brought back' : 'snoozed'} ${name}`);
  if (when === null) return announced(`${name} ${ids.length === 1 ? 'is' : 'are'} back.`);
  const said = `Snoozed ${name} until ${sayWhen(when, program.moment()).text}`;
  const count = times > 1 ? ` (${times} times now)` : '';
  return announced(`${said}${count}.${repeats ? ' The repeat schedule doesn’t change.' : ''}`);
}

function applyDuration(program: Program, value: string): CommandResult {
  const ids = pickedIds(program);
  const isNone = english.none.includes(value.trim().toLowerCase());
  const minutes = isNone ? null : readDuration(value, { vocabulary: english });
  if (!isNone && minutes === null) return refused(`“${value}” isn’t a length, like 45m.`);
  const name = program.describe(ids);
  const actions = ids.map((id): Action => ({ a: 'set', id, field: 'duration', value: minutes }));
  inBatches(program, actions, `${minutes === null ? 'removed' : 'set'} the duration of ${name}`);
  const isOne = ids.length === 1;
  if (minutes === null) return announced(`${name} ${isOne ? 'has' : 'have'} no duration now.`);
  return announced(`${name} ${isOne ? 'takes' : 'take'} ${sayDuration(minutes)}.`);
}

const SAYINGS: readonly RepeatReading['says'][] = ['first day', 'day of year', 'time of day'];

function givenRepeat(program: Program, value: string): RepeatReading | null {
  const made = parsed(value);
  if (made === null) {
    const [read] = readRepeat(value, phraseContext(program, null), { vocabulary: english });
    const missed = program.settings.get(missedRepeats);
    return read ? { ...read, rule: { ...read.rule, missed } } : null;
  }
  const { rule, first = null, says = null, duration = null } = made;
  if (typeof rule !== 'object' || rule === null || (first !== null && !isWhen(first))) return null;
  return {
    rule: rule as RepeatRule,
    first,
    says: SAYINGS.find((saying) => saying === says) ?? null,
    duration: typeof duration === 'number' ? duration : null,
  };
}

function noRepeat(program: Program, value: string): string {
  const isRepeat = (words: string) =>
    readRepeat(words, phraseContext(program, null), { vocabulary: english }).length > 0;
  const found = endIn(value, isRepeat);
  if (found === null) return `“${value}” isn’t a repeat.`;
  return `Repeats can’t have an end. Leave out “${found.end}”.`;
}

function applyRepeat(program: Program, value: string): CommandResult {
  const rows = pickedRows(program);
  const name = program.describe(rows.map(({ id }) => id));
  const isOne = rows.length === 1;
  if (english.none.includes(value.trim().toLowerCase())) {
    const ended = rows.map((row): Action => ({ a: 'set', id: row.id, field: 'repeat', value: null }));
    inBatches(program, [...ended, ...rows.flatMap(endDifference)], `ended the repeat of ${name}`);
    return announced(`${name} ${isOne ? 'doesn’t' : 'don’t'} repeat now.`);
  }
  const given = givenRepeat(program, value);
  if (given === null) return refused(noRepeat(program, value));
  const { rule, first, duration } = given;
  const begin = firstOf(program, first, rule);
  const actions = rows.flatMap((row): Action[] => {
    const set: Action = { a: 'set', id: row.id, field: 'repeat', value: rule };
    const dates = beginningOf(row, given, begin);
    const was = datesOf(row, begin);
    const hasDate = (fieldOf(row, 'due') ?? null) !== null || (fieldOf(row, 'start') ?? null) !== null;
    const moved = (['due', 'start'] as const).flatMap((field): Action[] =>
      (hasDate && JSON.stringify(dates[field]) === JSON.stringify(was[field])) || dates[field] === null
        ? []
        : [{ a: 'set', id: row.id, field, value: dates[field] }],
    );
    const length: Action = { a: 'set', id: row.id, field: 'duration', value: duration };
    return [set, ...moved, ...(duration === null ? [] : [length]), ...endDifference(row)];
  });
  const firsts = new Set(
    actions.flatMap((action) =>
      action.a === 'set' && action.field === 'due'
        ? [sayWhen(action.value as When, program.moment()).text]
        : [],
    ),
  );
  inBatches(program, actions, `set ${name} to repeat`);
  const [only] = firsts;
  const from = firsts.size === 1 && only !== undefined ? `, first ${only}` : '';
  return announced(`${name} ${isOne ? 'repeats' : 'repeat'} ${sayRepeat(rule)}${from}.`);
}

/** Moves repeating tasks to their next date without completing this one. */
export function skipOccurrence(program: Program): CommandResult {
  const at = program.replica.now();
  const zone = program.platform.zone();
  const first = firstOf(program, null);
  const alike = new Map<string, Occurrence | null>();
  const moved = pickedRows(program).flatMap((row) => {
    const dates = datesOf(row, first);
    const next = nextOf(row, { at, zone, dayStart: program.settings.get(dayStart), dates, alike });
    return next === null ? [] : [{ row, next }];
  });
  if (moved.length === 0) return refused('There’s no later date to skip to.');
  const actions = moved.flatMap(({ row, next }): Action[] =>
    ([...advancingRegisters, 'notes'] as const).flatMap((field): Action[] => {
      const value = next[field];
      const was = registersOf(row)[field] ?? null;
      return value === undefined || (value === null && was === null)
        ? []
        : [{ a: 'set', id: row.id, field, value }];
    }),
  );
  const name = program.describe(moved.map(({ row }) => row.id));
  inBatches(program, actions, `skipped an occurrence of ${name}`);
  const [one] = moved;
  const lead = one ? (one.next.due ?? one.next.start) : null;
  if (moved.length > 1 || lead === null) return announced(`Skipped one occurrence of ${name}.`);
  return announced(`Skipped to ${sayWhen(lead, program.moment()).text}: ${name}.`);
}
