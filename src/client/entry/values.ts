// The one place where tokens become values of a task: the fields of a new task, or the actions that change one.
import { sayDuration } from '#core/dates/duration-words.ts';
import { atTimeOf, type Moment } from '#core/dates/keep-time.ts';
import type { Reading } from '#core/dates/phrase.ts';
import { startNow } from '#core/dates/repeat-start.ts';
import { seriesAhead } from '#core/dates/repeat-phrase.ts';
import { sayRepeat } from '#core/dates/words.ts';
import { type Id, mineId } from '#core/ids.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { Action } from '#sync/rows/operation.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { DateContext } from '../clock/dates.ts';
import { mineOf, setMine } from '../outline/personal-fields.ts';
import type { TokenView } from './entry-view.ts';
import { sayWhen } from '../pickers/saying.ts';
import type { Token } from '#core/titles/tokens.ts';
import type { TaskDraft } from '#core/model.ts';

export interface EntryValues {
  readonly fields: Readonly<TaskDraft>;
  /** The named list; null: none. */
  readonly list: Id | null;
  /** Until when the person snoozes it: a field of their own; null: not said. */
  readonly snooze: When | null;
}

export interface Valuing {
  /** Start of a series without a date of its own. */
  readonly today: When;
  readonly missed: 'skip' | 'every';
  readonly moment: Moment;
  /** The task has a date already, which a repeat keeps. */
  readonly hasDate: boolean;
}

/** The fields and the list that these tokens set. A separate duration wins over one within a date. */
export function valuesOf(tokens: readonly Token[], { today, missed, moment, hasDate }: Valuing): EntryValues {
  const fields: TaskDraft = {};
  let list: Id | null = null;
  let snooze: When | null = null;
  let first: When | null = null;
  let isOpen = false;
  let isTimeAlone = false;
  for (const token of tokens) {
    if (token.kind === 'due') {
      fields.due = token.reading.when;
      isTimeAlone = token.isTime === true;
      if (token.reading.start) fields.start ??= token.reading.start;
      if (token.reading.duration !== null) fields.duration ??= token.reading.duration;
    } else if (token.kind === 'start') {
      fields.start = firstOf(token.reading);
      // "Starting monday until 1 dec".
      if (token.reading.start) fields.due ??= token.reading.when;
      if (token.reading.duration !== null) fields.duration ??= token.reading.duration;
    } else if (token.kind === 'snooze') snooze = firstOf(token.reading);
    else if (token.kind === 'repeat') {
      fields.repeat = { ...token.reading.rule, missed };
      if (token.reading.duration !== null) fields.duration ??= token.reading.duration;
      ({ first } = token.reading);
      isOpen = first === null && !hasDate;
    } else if (token.kind === 'duration') fields.duration = token.minutes;
    else if (token.kind === 'label') fields[`label:${token.id}`] = true;
    else list = token.id;
  }
  // A series begins on the day that it starts, at the time that is said anywhere in the line.
  if (isOpen) first = fields.start ?? (fields.repeat && startNow(fields.repeat, moment)) ?? today;
  if (first !== null && fields.start) first = notBefore(first, fields.start);
  if (first !== null && isTimeAlone && fields.due && isDayWhen(first))
    fields.due = fields.repeat
      ? seriesAhead(fields.repeat, atTimeOf(fields.due, first.on), moment)
      : atTimeOf(fields.due, first.on);
  if (first !== null) fields.due ??= first;
  return { fields, list, snooze };
}

/** A series that is said to start later does. */
function notBefore(first: When, start: When): When {
  if (!isInstantWhen(first) || !isDayWhen(start)) return first;
  const day = Temporal.Instant.fromEpochMilliseconds(first.at).toZonedDateTimeISO(first.zone).toPlainDate();
  return Temporal.PlainDate.compare(day, Temporal.PlainDate.from(start.on)) < 0
    ? atTimeOf(first, start.on)
    : first;
}

/** Of a range of days, that is its first one. */
const firstOf = ({ when, start }: Reading): When | null => start ?? when;

/** Actions that set these values on a task, and their inverses. */
export function actionsFor(
  replica: Replica,
  row: Row,
  { fields, list, snooze }: EntryValues,
): { readonly actions: readonly Action[]; readonly back: readonly Action[] } {
  const actions: Action[] = [];
  const back: Action[] = [];
  for (const [field, value] of Object.entries(fields)) {
    actions.push({ a: 'set', id: row.id, field, value });
    back.push({ a: 'set', id: row.id, field, value: registersOf(row)[field] ?? null });
  }
  if (snooze !== null) {
    const mine = mineOf(replica, row.id)?.fields;
    const { snooze: was = null, snoozeCount: count = 0 } = mine ?? {};
    actions.push(...setMine(replica, row.id, { snooze, snoozeCount: count + 1 }));
    const id = mineId(replica.scope, row.id);
    back.push(
      { a: 'set', id, field: 'snooze', value: was },
      { a: 'set', id, field: 'snoozeCount', value: count },
    );
  }
  const parent = placeOf(row)?.parent;
  if (list !== null && list !== parent) {
    actions.push({ a: 'place', id: row.id, place: { parent: list } });
    if (parent !== undefined) back.push({ a: 'place', id: row.id, place: { parent } });
  }
  return { actions, back };
}

/** "due Fri 27 Nov 2026, 17:00", "every 2 weeks", "for 45 min", "#errands", "@Home". */
export function sayToken(token: Token, context: DateContext): string {
  const { lead, rest } = wordsOf(token, context);
  return lead + rest;
}

/** `lead`: what an icon says as well. */
function wordsOf(token: Token, context: DateContext): { readonly lead: string; readonly rest: string } {
  switch (token.kind) {
    case 'due': {
      const { when, start, duration } = token.reading;
      if (when === null) return { lead: '', rest: 'no due date' };
      const length = duration === null ? '' : `, ${sayDuration(duration)}`;
      const day = `${sayWhen(when, context).brief}${length}`;
      if (start === undefined) return { lead: 'due ', rest: day };
      return { lead: '', rest: `starts ${sayWhen(start, context).brief}, due ${day}` };
    }
    case 'start': {
      const { when, start = when, duration } = token.reading;
      if (start === null || when === null) return { lead: '', rest: 'no start' };
      const due = start === when ? '' : `, due ${sayWhen(when, context).brief}`;
      const length = duration === null ? '' : `, ${sayDuration(duration)}`;
      return { lead: '', rest: `starts ${sayWhen(start, context).brief}${due}${length}` };
    }
    case 'snooze': {
      const when = firstOf(token.reading);
      const rest = when === null ? 'not snoozed' : `snoozed until ${sayWhen(when, context).brief}`;
      return { lead: '', rest };
    }
    case 'repeat': {
      const { rule, first, duration } = token.reading;
      const from = first === null ? '' : `, first ${sayWhen(first, context).brief}`;
      const length = duration === null ? '' : `, ${sayDuration(duration)}`;
      return { lead: '', rest: `${sayRepeat(rule)}${from}${length}` };
    }
    case 'duration':
      return { lead: 'takes ', rest: sayDuration(token.minutes) };
    case 'label':
      return { lead: '#', rest: token.isNew === true ? `${token.name} (new)` : token.name };
    case 'list':
      return { lead: '@', rest: token.name };
  }
}

/** `isInLine`: its words still stand in the line. */
export function viewOf(
  token: Token,
  { state, isInLine }: { readonly state: TokenView['state']; readonly isInLine: boolean },
  context: DateContext,
): TokenView {
  const { kind, text, start } = token;
  const { lead, rest } = wordsOf(token, context);
  const said = lead + rest;
  const act = state === 'counts' ? `Keep “${text}” as words` : suggested(said);
  return { kind, said, lead, act, text, at: isInLine && text !== '' ? start : null, state };
}

/** The name of a button that takes what is only offered. */
export const suggested = (said: string): string => `Suggested: ${said}`;
