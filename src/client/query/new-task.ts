// What a new task needs so that it belongs in a smart list: a place, labels and dates. Where a query asks for anything else
// that a new task does not have, it says what.
import { inboxId, type Id } from '#core/ids.ts';
import { daysOf } from '#core/search/days.ts';
import type { Subject } from '#core/search/evaluate.ts';
import { explainTerm } from '#core/search/explain.ts';
import type { DateTest, Expression, Term } from '#core/search/query.ts';
import type { When } from '#core/when.ts';
import type { Asked, Asking } from '#sync/query/asking.ts';
import { placeOf } from '#sync/row-reading.ts';

export interface NewTask {
  readonly parent: Id;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Absent: not snoozed. */
  readonly snooze?: When;
}

interface Plan {
  parent: Id | null;
  due: When | null;
  start: When | null;
  snooze: When | null;
  readonly labels: Set<Id>;
}

/** A text says why none can be made there. */
export function newTaskFor(asking: Asking, asked: Asked): NewTask | string {
  const plan: Plan = { parent: null, due: null, start: null, snooze: null, labels: new Set() };
  fulfil(asking, asked.query.expression, plan);
  const parent = plan.parent ?? inboxId(asking.world.replica.scope);
  const subject = subjectOf(asking, plan, parent);
  if (!asked.question.matches(subject)) return refusal(asked, subject);
  const labels = [...plan.labels].map((label) => [`label:${label}`, true] as const);
  const fields = {
    ...(plan.due === null ? {} : { due: plan.due }),
    ...(plan.start === null ? {} : { start: plan.start }),
    ...Object.fromEntries(labels),
  };
  return { parent, fields, ...(plan.snooze === null ? {} : { snooze: plan.snooze }) };
}

function refusal(asked: Asked, subject: Subject): string {
  const [reason] = asked.question.reasons(subject);
  if (!reason) return 'Tasks cannot be added here.';
  const said = explainTerm(reason.term);
  return `A new task cannot be added here: it would ${reason.holds ? '' : 'not '}be ${said}.`;
}

/** Of alternatives the first. */
function fulfil(asking: Asking, expression: Expression, plan: Plan): void {
  if (expression.type === 'and') for (const part of expression.parts) fulfil(asking, part, plan);
  else if (expression.type === 'or') {
    const [first] = expression.parts;
    if (first) fulfil(asking, first, plan);
  } else if (expression.type === 'term') fulfilTerm(asking, expression.term, plan);
}

function fulfilTerm(asking: Asking, term: Term, plan: Plan): void {
  if (term.type === 'place' && term.kind !== 'folder') {
    for (const id of asking.names.places(term.kind, term.name)) {
      if (asking.world.replica.row(id)?.fields.listType !== 'folder') plan.parent ??= id;
    }
  } else if (term.type === 'label') {
    const [label] = asking.names.labels(term.name);
    if (label !== undefined) plan.labels.add(label);
  } else if (term.type === 'date') {
    const day = dayFor(asking, term.test);
    if (day === null) return;
    if (term.field === 'due') plan.due ??= day;
    if (term.field === 'start') plan.start ??= day;
    if (term.field === 'snoozed') plan.snooze ??= day;
  } else if (term.type === 'is' && term.trait === 'due') plan.due ??= dayFor(asking, TODAY);
  else if (term.type === 'has' && term.what === 'due') plan.due ??= dayFor(asking, TODAY);
  else if (term.type === 'has' && term.what === 'start') plan.start ??= dayFor(asking, TODAY);
}

const TODAY: DateTest = { type: 'compare', comparison: '=', words: 'today' };

/** A day that passes the test: today where it does, else the nearest one. */
function dayFor(asking: Asking, test: DateTest): When | null {
  const context = asking.world.context();
  const today = daysOf('today', context)?.first ?? '';
  if (test.type === 'none') return null;
  if (test.type === 'any') return { on: today };
  if (test.type === 'range') {
    const first = test.from === null ? null : daysOf(test.from, context);
    const last = test.to === null ? null : daysOf(test.to, context);
    return { on: within(today, first?.first ?? null, last?.last ?? null) };
  }
  const days = daysOf(test.words, context);
  if (!days) return null;
  switch (test.comparison) {
    case '=':
      return { on: within(today, days.first, days.last) };
    case '<':
      return { on: within(today, null, shifted(days.first, -1)) };
    case '<=':
      return { on: within(today, null, days.last) };
    case '>':
      return { on: within(today, shifted(days.last, 1), null) };
    case '>=':
      return { on: within(today, days.first, null) };
  }
}

function within(today: string, first: string | null, last: string | null): string {
  if (first !== null && today < first) return first;
  return last !== null && today > last ? last : today;
}

function shifted(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** The task as the query would see it. */
function subjectOf(asking: Asking, plan: Plan, parent: Id): Subject {
  const { replica, index } = asking.world;
  const above = new Set<Id>();
  for (let at: Id | undefined = parent; at !== undefined;) {
    above.add(at);
    at = placeOf(replica.row(at))?.parent;
  }
  const { now } = asking.world.context();
  const isArchived = [...above].some((id) => (replica.row(id)?.fields.archivedAt ?? null) !== null);
  return {
    id: parent,
    title: '',
    notes: '',
    completedAt: null,
    isCleared: false,
    due: plan.due,
    start: plan.start,
    snooze: plan.snooze,
    createdAt: now,
    updatedAt: now,
    duration: null,
    isRepeating: false,
    isBookmarked: false,
    isShared: replica.row(parent)?.scope !== undefined && replica.row(parent)?.scope !== replica.scope,
    isEmailed: false,
    isArchived,
    isNested: !index.named.has(parent) && parent !== inboxId(replica.scope),
    hasChildren: false,
    hasAttachment: false,
    labels: [...plan.labels],
    metadata: new Map(),
    isUnder: (ids) => [...above].some((id) => ids.has(id)),
  };
}
