// From what a request asks of a task to the actions that bring it about, given the task as it is stored at that moment.
// Pure: run inside the write transaction. Where a task goes was worked out before (outline.ts).
import { mineId, type Id } from '#core/ids.ts';
import type { RepeatRule, Status } from '#core/model.ts';
import { isInstantWhen, type When } from '#core/when.ts';
import { completing } from '#sync/completing.ts';
import type { Action, Position } from '#sync/operation.ts';
import { statusOf } from '#sync/row-reading.ts';
import type { Row } from '#sync/row.ts';
import type { UpdateTask } from '#wire/api/requests.ts';
import { parseMoment } from '#wire/api/values.ts';
import { repeatRuleSchema } from '#wire/values.ts';
import { asked, isSame } from './moments.ts';
import { invalid, type Problem } from './problem.ts';
import { labelsAfter, type LabelWish } from './task-labels.ts';

export type TaskInput = Omit<UpdateTask, 'strict'>;

export interface Circumstances {
  readonly now: number;
  readonly personal: Id;
  readonly labels: LabelWish;
  /** Null: it stays where it is. */
  readonly position: Position | null;
  /** What hangs beneath it, by parent: what is done of it begins anew with a repeating task. */
  readonly beneath: ReadonlyMap<Id, readonly Row[]>;
}

/** An action in the scope of the task, or in one's own. */
export interface ScopedAction {
  readonly where: 'task' | 'mine';
  readonly action: Action;
}

const PAIRS = [
  ['due_at', 'timeless_due_at'],
  ['starts_at', 'timeless_starts_at'],
  ['snoozed_until', 'timeless_snoozed_until'],
] as const;

/** What can be seen to be wrong without the task. */
export function inputProblem(input: TaskInput): Problem | null {
  for (const [at, day] of PAIRS)
    if ((input[at] ?? null) !== null && (input[day] ?? null) !== null)
      return invalid(day, `"${at}" and "${day}" cannot both be given.`);
  const { isDone, isCleared } = wishOf(input);
  if (isDone === false && isCleared === true) return notComplete;
  return null;
}

const notComplete = invalid('is_cleared', 'Only a completed task can be cleared. Nothing was changed.');

interface StatusWish {
  readonly isDone: boolean | undefined;
  readonly isCleared: boolean | undefined;
  readonly doneAt: number | null;
  readonly clearedAt: number | null;
}

function wishOf(input: TaskInput): StatusWish {
  const { is_complete: complete, is_cleared: cleared, completed_at: done, cleared_at: away } = input;
  return {
    isDone: complete ?? (done === undefined ? undefined : done !== null),
    isCleared: cleared ?? (away === undefined ? undefined : away !== null),
    doneAt: done ? parseMoment(done) : null,
    clearedAt: away ? parseMoment(away) : null,
  };
}

/** The status of a new task. */
export function firstStatus(input: TaskInput, now: number): Status | Problem {
  const { isDone, isCleared, doneAt, clearedAt } = wishOf(input);
  if (isCleared === true && isDone !== true) return notComplete;
  if (isDone !== true) return null;
  return { done: doneAt ?? now, ...(isCleared === true ? { cleared: clearedAt ?? now } : {}) };
}

const whenOf = (row: Row | undefined, register: string): When | null =>
  (row?.fields[register] as When | null | undefined) ?? null;

/** Notes as they are kept: lines end in \n. */
export const notesOf = (text: string) => text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');

/** The rule asked for; undefined: no word of it. */
export function repeatOf(
  input: TaskInput,
  present: RepeatRule | null,
): RepeatRule | null | undefined | Problem {
  const { repeat_value: value, repeat_unit: unit, repeat_unit_metadata: metadata, repeat_from: from } = input;
  if (value === undefined && unit === undefined && metadata === undefined && from === undefined)
    return undefined;
  const wanted = {
    value: value === undefined ? (present?.value ?? null) : value,
    unit: unit === undefined ? (present?.unit ?? null) : unit,
  };
  if (wanted.value === null && wanted.unit === null) return null;
  if (wanted.value === null || wanted.unit === null)
    return invalid(
      wanted.value === null ? 'repeat_value' : 'repeat_unit',
      '"repeat_value" and "repeat_unit" go together.',
    );
  const isSameSeries = present !== null && present.value === wanted.value && present.unit === wanted.unit;
  const rule = {
    ...(isSameSeries && present.also !== undefined ? { also: present.also } : {}),
    value: wanted.value,
    unit: wanted.unit,
    metadata: metadata === undefined ? (present?.metadata ?? null) : metadata,
    from: from === undefined ? (present?.from ?? null) : from,
    missed: present?.missed ?? 'skip',
    anchorDay: isSameSeries ? present.anchorDay : null,
  };
  const read = repeatRuleSchema.safeParse(rule);
  return read.success ? rule : invalid('repeat_value', 'The repeat rule is not right.');
}

export function labelsOn(row: Row | undefined): Id[] {
  return Object.keys(row?.fields ?? {}).flatMap((register) =>
    register.startsWith('label:') ? [register.slice('label:'.length) as Id] : [],
  );
}

class Changes {
  readonly #row: Row;
  readonly #mine: Row | undefined;
  readonly #input: TaskInput;
  readonly #at: Circumstances;
  readonly actions: ScopedAction[] = [];

  constructor(
    input: TaskInput,
    rows: { readonly row: Row; readonly mine: Row | undefined },
    at: Circumstances,
  ) {
    this.#input = input;
    this.#row = rows.row;
    this.#mine = rows.mine;
    this.#at = at;
  }

  all(): Problem | readonly ScopedAction[] {
    const { title, notes, duration_minutes: duration, time_zone: zone } = this.#input;
    if (title !== undefined && title !== null) this.#set('title', title);
    if (notes !== undefined) this.#set('notes', notes === null || notes === '' ? null : notesOf(notes));
    if (duration !== undefined) this.#set('duration', duration);
    this.#date('due', asked(this.#input.due_at, this.#input.timeless_due_at, whenOf(this.#row, 'due'), zone));
    this.#date(
      'start',
      asked(this.#input.starts_at, this.#input.timeless_starts_at, whenOf(this.#row, 'start'), zone),
    );
    const repeat = repeatOf(this.#input, (this.#row.fields['repeat'] as RepeatRule | undefined) ?? null);
    if (repeat !== null && repeat !== undefined && 'problem' in repeat) return repeat;
    if (repeat !== undefined) this.#set('repeat', repeat);
    this.#metadata();
    this.#labels();
    this.#marks();
    const { position } = this.#at;
    if (position !== null) this.#do({ a: 'place', id: this.#row.id, place: position });
    return this.#status() ?? this.actions;
  }

  #do(action: Action): void {
    this.actions.push({ where: 'task', action });
  }

  #set(field: string, value: unknown): void {
    const present = this.#row.fields[field] ?? null;
    if (JSON.stringify(present) === JSON.stringify(value ?? null)) return;
    this.#do({ a: 'set', id: this.#row.id, field, value: value ?? null });
  }

  #date(field: 'due' | 'start', wanted: When | null | undefined): void {
    if (wanted === undefined || isSame(wanted, whenOf(this.#row, field))) return;
    this.#do({ a: 'set', id: this.#row.id, field, value: wanted });
  }

  /** The map from now on. What goes is taken away first, so that both together never are too long. */
  #metadata(): void {
    const { metadata } = this.#input;
    if (metadata === undefined) return;
    const wanted = new Map(Object.entries(metadata ?? {}).map(([key, value]) => [`meta:${key}`, value]));
    for (const register of Object.keys(this.#row.fields))
      if (register.startsWith('meta:') && !wanted.has(register)) this.#set(register, null);
    const longest = (register: string) => ((this.#row.fields[register] ?? '') as string).length;
    const shrinking = [...wanted].toSorted(
      ([a, x], [b, y]) => x.length - longest(a) - (y.length - longest(b)),
    );
    for (const [register, value] of shrinking) this.#set(register, value);
  }

  #labels(): void {
    const present = [...labelsOn(this.#row), ...labelsOn(this.#mine)];
    const wanted = labelsAfter(this.#at.labels, present);
    for (const id of labelsOn(this.#row)) if (!wanted.has(id)) this.#set(`label:${id}`, null);
    for (const id of labelsOn(this.#mine)) {
      if (wanted.has(id) || !this.#mine) continue;
      const action: Action = { a: 'set', id: this.#mine.id, field: `label:${id}`, value: null };
      this.actions.push({ where: 'mine', action });
    }
    for (const id of wanted) if (!present.includes(id)) this.#set(`label:${id}`, true);
  }

  /** Snooze and bookmark are one's own. */
  #marks(): void {
    const { snoozed_until: at, timeless_snoozed_until: day, bookmarked_at: bookmark } = this.#input;
    const fields: Record<string, unknown> = {};
    const present = whenOf(this.#mine, 'snooze');
    const snooze = asked(at, day, present, this.#input.time_zone);
    if (snooze !== undefined && !isSame(snooze, present)) {
      fields['snooze'] = snooze;
      if (snooze !== null) fields['snoozeCount'] = Number(this.#mine?.fields['snoozeCount'] ?? 0) + 1;
    }
    if (bookmark !== undefined) {
      const wanted = bookmark === null ? null : parseMoment(bookmark);
      if (wanted !== (this.#mine?.fields['bookmarkedAt'] ?? null)) fields['bookmarkedAt'] = wanted;
    }
    this.actions.push(
      ...markActions(this.#row.id, fields, { mine: this.#mine, personal: this.#at.personal }),
    );
  }

  #status(): Problem | null {
    const { isDone, isCleared, doneAt, clearedAt } = wishOf(this.#input);
    const status = statusOf(this.#row);
    const { id } = this.#row;
    const occ = (this.#row.fields['occ'] as number | undefined) ?? 0;
    const { now } = this.#at;
    const willBeDone = isDone ?? status !== null;
    if (isCleared === true && !willBeDone) return notComplete;
    if (!willBeDone) {
      if (status !== null) this.#do({ a: 'reopen', id, occ, previous: null });
      return null;
    }
    if (status === null) {
      const at = doneAt ?? now;
      const actions = this.#completing(at);
      for (const action of actions) this.#do(action);
      // A repeating task has rolled on: there is nothing to clear.
      if (actions[0]?.a === 'complete' && actions[0].next !== null) return null;
      if (isCleared === true) this.#do(setStatus(id, { done: at, cleared: clearedAt ?? now }));
      return null;
    }
    const cleared =
      isCleared === false
        ? undefined
        : isCleared === true
          ? (clearedAt ?? status.cleared ?? now)
          : status.cleared;
    const wanted = { done: doneAt ?? status.done, ...(cleared === undefined ? {} : { cleared }) };
    if (wanted.done !== status.done || wanted.cleared !== status.cleared) this.#do(setStatus(id, wanted));
    return null;
  }

  /** A repeating task rolls on instead of being done, by its rule and dates as this request leaves them. */
  #completing(at: number): readonly Action[] {
    const fields: Record<string, unknown> = { ...this.#row.fields };
    for (const { action } of this.actions) {
      if (action.a !== 'set' || action.id !== this.#row.id) continue;
      if (action.value === null) delete fields[action.field];
      else fields[action.field] = action.value;
    }
    const row = { ...this.#row, fields };
    const lead = whenOf(row, 'due') ?? whenOf(row, 'start');
    const zone = lead !== null && isInstantWhen(lead) ? lead.zone : 'UTC';
    const { beneath } = this.#at;
    return completing([row], { at, zone, children: (parent) => beneath.get(parent) ?? [] });
  }
}

function setStatus(id: Id, value: { readonly done: number; readonly cleared?: number }): Action {
  return { a: 'set', id, field: 'status', value };
}

/** Writes what is one's own about a task. */
export function markActions(
  task: Id,
  fields: Readonly<Record<string, unknown>>,
  { mine, personal }: { readonly mine: Row | undefined; readonly personal: Id },
): readonly ScopedAction[] {
  const entries = Object.entries(fields);
  if (entries.length === 0) return [];
  if (mine)
    return entries.map(([field, value]) => ({
      where: 'mine',
      action: { a: 'set', id: mine.id, field, value },
    }));
  const kept = Object.fromEntries(entries.filter(([, value]) => value !== null));
  if (Object.keys(kept).length === 0) return [];
  const action: Action = {
    a: 'create',
    id: mineId(personal, task),
    type: 'mine',
    fields: { of: task, ...kept },
  };
  return [{ where: 'mine', action }];
}

/** What brings a stored task to what is asked, or why that cannot be. */
export function changesOf(
  input: TaskInput,
  rows: { readonly row: Row; readonly mine: Row | undefined },
  at: Circumstances,
): Problem | readonly ScopedAction[] {
  return new Changes(input, rows, at).all();
}
