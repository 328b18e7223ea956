// Turns the requested fields of a task into actions, given the task as it is stored at that moment.
// Pure: runs inside the write transaction. The position was worked out before (outline.ts).
import { mineId, type Id } from '#core/ids.ts';
import { scalarNames, type RepeatRule, type Status } from '#core/model.ts';
import { scalarFields } from '#core/task-fields.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { isInstantWhen, type When } from '#core/when.ts';
import { completing } from '#sync/rows/completing.ts';
import type { Action } from '#sync/rows/operation.ts';
import { statusOf } from '#sync/rows/row-reading.ts';
import { withFields, registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import type { UpdateTask } from '#wire/api/requests.ts';
import { linesOf, parseMoment } from '#wire/api/values.ts';
import { repeatRuleSchema } from '#wire/values.ts';
import { asked, isSame } from '../moments.ts';
import { invalid, problem, type Problem } from '../problem.ts';
import { labelsAfter, type LabelWish } from './task-labels.ts';

export type TaskInput = Omit<UpdateTask, 'strict'>;

export interface Circumstances {
  readonly now: number;
  readonly personal: Id;
  readonly labels: LabelWish;
  /** Descendants by parent: done ones start anew with a repeating task. */
  readonly beneath: ReadonlyMap<Id, readonly Row[]>;
}

/** An action in the scope of the task, or in the personal scope. */
export interface ScopedAction {
  readonly where: 'task' | 'mine';
  readonly action: Action;
}

const PAIRS = [
  ['due_at', 'timeless_due_at'],
  ['starts_at', 'timeless_starts_at'],
  ['snoozed_until', 'timeless_snoozed_until'],
] as const;

/** Errors visible without the stored task. */
export function inputProblem(input: TaskInput): Problem | null {
  for (const [at, day] of PAIRS)
    if ((input[at] ?? null) !== null && (input[day] ?? null) !== null)
      return invalid(day, `"${at}" and "${day}" can't be used together. Send one of them.`);
  const { isDone, isCleared } = wishOf(input);
  if (isDone === false && isCleared === true) return notComplete;
  return null;
}

const notComplete = invalid('is_cleared', 'You can only clear completed tasks. Nothing was changed.');

const repeatHidden = problem(
  'encrypted',
  'How this task repeats is end-to-end encrypted. Complete it in an app of yours, or send the whole rule and its dates.',
);

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

/** Registers that decide when a repeating task comes again. */
const RECURRENCE = ['repeat', 'due', 'start', 'series'] as const;

const isHidden = (row: Row | undefined, register: string): boolean =>
  isEnvelope(row === undefined ? null : registersOf(row)[register]);

/** The stored moment; null where there is none, or one that only devices can open. */
const whenOf = (row: Row | undefined, register: 'due' | 'start' | 'snooze'): When | null =>
  isHidden(row, register) ? null : (fieldOf(row, register) ?? null);

/** The requested rule; undefined: not mentioned. */
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
      '"repeat_value" and "repeat_unit" go together. Send both.',
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
  return read.success ? rule : invalid('repeat_value', 'The repeat rule is invalid.');
}

/** Ids of the labels in a row. */
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
    const { title, notes, time_zone: zone } = this.#input;
    if (title !== undefined && title !== null) this.#set('title', title);
    if (notes !== undefined) this.#set('notes', notes === null || notes === '' ? null : linesOf(notes));
    for (const name of scalarNames) {
      const value = this.#input[scalarFields[name].api];
      if (value !== undefined) this.#set(name, value);
    }
    const { assignee_user_id: assignee } = this.#input;
    if (assignee !== undefined) this.#set('assignee', assignee);
    this.#date('due', asked(this.#input.due_at, this.#input.timeless_due_at, whenOf(this.#row, 'due'), zone));
    this.#date(
      'start',
      asked(this.#input.starts_at, this.#input.timeless_starts_at, whenOf(this.#row, 'start'), zone),
    );
    const repeat = this.#repeat();
    if (repeat !== null && repeat !== undefined && 'problem' in repeat) return repeat;
    if (repeat !== undefined) this.#set('repeat', repeat);
    this.#metadata();
    this.#labels();
    this.#marks();
    return this.#status() ?? this.actions;
  }

  #do(action: Action): void {
    this.actions.push({ where: 'task', action });
  }

  #set(field: string, value: unknown): void {
    const present = registersOf(this.#row)[field] ?? null;
    if (JSON.stringify(present) === JSON.stringify(value ?? null)) return;
    this.#do({ a: 'set', id: this.#row.id, field, value: value ?? null });
  }

  #repeat(): ReturnType<typeof repeatOf> {
    const { repeat_value: value, repeat_unit: unit } = this.#input;
    if (!isHidden(this.#row, 'repeat')) return repeatOf(this.#input, fieldOf(this.#row, 'repeat') ?? null);
    const wanted = repeatOf(this.#input, null);
    // A part of a rule that can't be read here is not to be joined to the rest.
    const isPart = wanted !== undefined && (value === undefined || unit === undefined);
    return isPart ? repeatHidden : wanted;
  }

  #date(field: 'due' | 'start', wanted: When | null | undefined): void {
    const isKnown = !isHidden(this.#row, field);
    if (wanted === undefined || (isKnown && isSame(wanted, whenOf(this.#row, field)))) return;
    this.#do({ a: 'set', id: this.#row.id, field, value: wanted });
  }

  /** The resulting map. Removals come first, so that the map is never too long in between. */
  #metadata(): void {
    const { metadata } = this.#input;
    if (metadata === undefined) return;
    const wanted = new Map(Object.entries(metadata ?? {}).map(([key, value]) => [`meta:${key}`, value]));
    for (const register of Object.keys(this.#row.fields))
      if (register.startsWith('meta:') && !wanted.has(register)) this.#set(register, null);
    const longest = (register: string) => ((registersOf(this.#row)[register] ?? '') as string).length;
    const shrinking = [...wanted].toSorted(
      ([a, x], [b, y]) => x.length - longest(a) - (y.length - longest(b)),
    );
    for (const [register, value] of shrinking) this.#set(register, value);
  }

  #labels(): void {
    const present = [...labelsOn(this.#row), ...labelsOn(this.#mine)];
    const wanted = labelsAfter(this.#at.labels, { scope: this.#row.scope, present });
    for (const id of labelsOn(this.#row)) if (!wanted.has(id)) this.#set(`label:${id}`, null);
    for (const id of labelsOn(this.#mine)) {
      if (wanted.has(id) || !this.#mine) continue;
      const action: Action = { a: 'set', id: this.#mine.id, field: `label:${id}`, value: null };
      this.actions.push({ where: 'mine', action });
    }
    for (const id of wanted) if (!present.includes(id)) this.#set(`label:${id}`, true);
  }

  /** Snooze and bookmark are personal fields. */
  #marks(): void {
    const { snoozed_until: at, timeless_snoozed_until: day, bookmarked_at: bookmark } = this.#input;
    const fields: Record<string, unknown> = {};
    const present = whenOf(this.#mine, 'snooze');
    const snooze = asked(at, day, present, this.#input.time_zone);
    const isKnown = !isHidden(this.#mine, 'snooze');
    if (snooze !== undefined && !(isKnown && isSame(snooze, present))) {
      fields['snooze'] = snooze;
      if (snooze !== null) fields['snoozeCount'] = Number(fieldOf(this.#mine, 'snoozeCount') ?? 0) + 1;
    }
    if (bookmark !== undefined) {
      const wanted = bookmark === null ? null : parseMoment(bookmark);
      if (wanted !== (fieldOf(this.#mine, 'bookmarkedAt') ?? null)) fields['bookmarkedAt'] = wanted;
    }
    this.actions.push(
      ...markActions(this.#row.id, fields, { mine: this.#mine, personal: this.#at.personal }),
    );
  }

  #status(): Problem | null {
    const { isDone, isCleared, doneAt, clearedAt } = wishOf(this.#input);
    const status = statusOf(this.#row);
    const { id } = this.#row;
    const occ = fieldOf(this.#row, 'occ') ?? 0;
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
      if (actions === null) return repeatHidden;
      for (const action of actions) this.#do(action);
      // A repeating task has moved on: there is nothing to clear.
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

  /** A repeating task moves to its next date instead of being done, by the rule and dates that this request sets. Null: they are sealed. */
  #completing(at: number): readonly Action[] | null {
    const fields: Record<string, unknown> = { ...this.#row.fields };
    for (const { action } of this.actions) {
      if (action.a !== 'set' || action.id !== this.#row.id) continue;
      if (action.value === null) delete fields[action.field];
      else fields[action.field] = action.value;
    }
    const row = withFields(this.#row, fields);
    // Without the rule and its dates nobody can tell when the task comes again.
    const repeats = isHidden(row, 'repeat') || (fieldOf(row, 'repeat') ?? null) !== null;
    if (repeats && RECURRENCE.some((register) => isHidden(row, register))) return null;
    const lead = whenOf(row, 'due') ?? whenOf(row, 'start');
    const zone = lead !== null && isInstantWhen(lead) ? lead.zone : 'UTC';
    const { beneath } = this.#at;
    return completing([row], { at, zone, children: (parent) => beneath.get(parent) ?? [] });
  }
}

function setStatus(id: Id, value: { readonly done: number; readonly cleared?: number }): Action {
  return { a: 'set', id, field: 'status', value };
}

/** Actions for the personal fields of a task. */
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

/** The actions that turn a stored task into the requested one, or why that is impossible. */
export function changesOf(
  input: TaskInput,
  rows: { readonly row: Row; readonly mine: Row | undefined },
  at: Circumstances,
): Problem | readonly ScopedAction[] {
  return new Changes(input, rows, at).all();
}
