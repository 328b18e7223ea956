// Decides what completing a task does, where it is done: the next occurrence of a repeating task and the subtasks that
// reopen with it travel with the operation, so that every copy gets the same result. What the operation does is
// occurrence.ts.
import type { Id } from '#core/ids.ts';
import { limits, type RepeatRule, type SeriesValues } from '#core/model.ts';
import { nextOccurrence, type Occurrence } from '#core/repeat.ts';
import type { When } from '#core/when.ts';
import type { Action, NextOccurrence } from './operation.ts';
import { datesOf, isDone, isTrashed, occurrenceOf } from './row-reading.ts';
import { withFields, fieldOf, type Row } from './row.ts';

/** The dates of a task; those of its series, if only the current occurrence was changed. */
export interface Dates {
  readonly due: When | null;
  readonly start: When | null;
}

export interface Deciding {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The person's own zone. */
  readonly zone: string;
  /** The hour at which a new day begins for the person; before it, days still count as yesterday. Absent: midnight. */
  readonly dayStart?: number;
  /** Children by parent: completed tasks under a repeating one reopen with it. Null: they stay complete. */
  readonly children: ((parent: Id) => readonly Row[]) | null;
  /** Next occurrences of tasks that repeat alike, cached while many are completed at one moment; absent: no cache. */
  readonly alike?: Map<string, Occurrence | null>;
}

/** The rule of a repeating task; null when it does not repeat. */
export function ruleOf(row: Row | undefined): RepeatRule | null {
  return fieldOf(row, 'repeat') ?? null;
}

/** The values of the series, if only the current occurrence was changed; else null. */
export function seriesOf(row: Row | undefined): SeriesValues | null {
  const series = fieldOf(row, 'series');
  return row !== undefined && series?.occ === occurrenceOf(row) ? series : null;
}

/** The dates that the schedule counts from. */
export function scheduleOf(row: Row): Dates {
  const { due, start } = seriesOf(row) ?? datesOf(row);
  return { due, start };
}

interface Moment {
  readonly moment: number;
  readonly zone: string;
  readonly alike: Deciding['alike'];
}

function reckoned(rule: RepeatRule, dates: Dates, { moment, zone, alike }: Moment): Occurrence | null {
  const kind = alike === undefined ? '' : JSON.stringify([rule, dates.due, dates.start]);
  const known = alike?.get(kind);
  if (known !== undefined) return known;
  const next = nextOccurrence(rule, dates, moment, zone);
  alike?.set(kind, next);
  return next;
}

/** The next occurrence of a repeating task; null when it does not repeat, or no further date exists. */
export function nextOf(
  row: Row,
  {
    at,
    zone,
    dayStart = 0,
    dates = scheduleOf(row),
    alike,
  }: Omit<Deciding, 'children'> & { readonly dates?: Dates },
): NextOccurrence | null {
  const rule = ruleOf(row);
  const lead = dates.due ?? dates.start;
  const isByDays = (lead === null || 'on' in lead) && rule?.unit !== 'minutes' && rule?.unit !== 'hours';
  const moment = isByDays ? at - dayStart * 3_600_000 : at;
  const next = rule === null ? null : reckoned(rule, dates, { moment, zone, alike });
  if (next === null) return null;
  const series = seriesOf(row);
  if (series === null) return fieldOf(row, 'series') === undefined ? { ...next } : { ...next, series: null };
  const { title, notes, duration } = series;
  return {
    ...next,
    ...(title === undefined ? {} : { title }),
    ...(notes === undefined ? {} : { notes }),
    ...(duration === undefined ? {} : { duration }),
    series: null,
  };
}

/** Completed tasks under a row, cleared ones included. */
function doneBeneath(root: Id, children: (parent: Id) => readonly Row[]): Row[] {
  const done: Row[] = [];
  const waiting = [...children(root)];
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    if (row.type !== 'task' || isTrashed(row)) continue;
    if (isDone(row)) done.push(row);
    waiting.push(...children(row.id));
  }
  return done;
}

/** The action that reopens a task. */
export function reopening(row: Row): Action {
  return { a: 'reopen', id: row.id, occ: occurrenceOf(row), previous: null };
}

/**
 * The actions that complete these open tasks. Repeating ones come last, so that tasks completed under them in the same
 * command reopen too.
 */
export function completing(rows: readonly Row[], deciding: Deciding): readonly Action[] {
  const { at, children } = deciding;
  const all: Deciding = { ...deciding, alike: new Map() };
  const plain: Action[] = [];
  const repeating: { readonly row: Row; readonly next: NextOccurrence }[] = [];
  for (const row of rows) {
    const next = nextOf(row, all);
    if (next === null) plain.push({ a: 'complete', id: row.id, occ: occurrenceOf(row), at, next });
    else repeating.push({ row, next });
  }
  const now = new Set(plain.map(({ id }) => id));
  const begun = new Set<Id>();
  const late: Action[] = [];
  const advances = repeating.map(({ row, next }): Action => {
    const seen = (parent: Id): readonly Row[] =>
      (children?.(parent) ?? []).map((child) => (now.has(child.id) ? withFields(child, done(child)) : child));
    const beneath = doneBeneath(row.id, seen).filter(({ id }) => !begun.has(id));
    for (const { id } of beneath) begun.add(id);
    const anew = beneath.slice(0, limits.anewTasks).map(({ id }) => id);
    late.push(...beneath.slice(limits.anewTasks).map(reopening));
    const begins = anew.length === 0 ? {} : { anew };
    return { a: 'complete', id: row.id, occ: occurrenceOf(row), at, next, ...begins };
  });
  return [...plain, ...advances, ...late];
}

function done({ fields }: Row): Row['fields'] {
  return { ...fields, status: { done: 0 } };
}
