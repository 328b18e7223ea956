// The values that make a new task match a smart list: a place, labels and dates. If a query requires anything else that
// a new task does not have, names it.
import { inboxId, type Id } from '#core/ids.ts';
import { daysOf } from '#core/search/days.ts';
import type { Subject } from '#core/search/evaluate.ts';
import { explainTerm } from '#core/search/explain.ts';
import type { DateTest, Expression, Term } from '#core/search/query.ts';
import type { When } from '#core/when.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Asked, Asking } from '#sync/query/asking.ts';
import { idsAbove } from '#sync/rows/ancestors.ts';
import { fieldOf } from '#sync/rows/row.ts';

/** The place and values of a new task that matches a query. */
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
  /** Names, which labels of several lists may have. */
  readonly labels: Set<string>;
}

/** The problem says why no task can be created there. */
export function newTaskFor(asking: Asking, asked: Asked): Result<NewTask, string> {
  const [problem] = asked.query.problems;
  if (problem) return failed(`The query has a mistake. ${problem.message}`);
  const plan: Plan = { parent: null, due: null, start: null, snooze: null, labels: new Set() };
  fulfil(asking, asked.query.expression, plan);
  const parent = plan.parent ?? inboxId(asking.world.replica.scope);
  const carried = labelsFor(asking, plan.labels, parent);
  const subject = subjectOf(asking, { ...plan, parent, carried });
  if (!asked.question.matches(subject)) return failed(refusal(asked, subject));
  const labels = carried.map((label) => [`label:${label}`, true] as const);
  const fields = {
    ...(plan.due === null ? {} : { due: plan.due }),
    ...(plan.start === null ? {} : { start: plan.start }),
    ...Object.fromEntries(labels),
  };
  return ok({ parent, fields, ...(plan.snooze === null ? {} : { snooze: plan.snooze }) });
}

function refusal(asked: Asked, subject: Subject): string {
  const [reason] = asked.question.reasons(subject);
  if (!reason) return 'You can’t add tasks here.';
  const said = explainTerm(reason.term);
  return `You can’t add a task here. It would ${reason.holds ? '' : 'not '}be ${said}.`;
}

/** Of alternatives, the first one. */
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
      if (fieldOf(asking.world.replica.row(id), 'listType') !== 'folder') plan.parent ??= id;
    }
  } else if (term.type === 'label') {
    plan.labels.add(term.name);
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

/** A day that passes the test: today if it does, else the nearest one. */
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

/** The labels of these names: of several that have one name, that of the list in which the task will be. */
function labelsFor({ names, world: { replica } }: Asking, wanted: Iterable<string>, parent: Id): Id[] {
  const scope = replica.row(parent)?.scope;
  return [...wanted].flatMap((name) => {
    const ids = [...names.labels(name)];
    return ids.find((id) => replica.row(id)?.scope === scope) ?? ids.slice(0, 1);
  });
}

/** What a planned task will be, and carry. */
interface Planned extends Pick<Plan, 'due' | 'start' | 'snooze'> {
  readonly parent: Id;
  readonly carried: readonly Id[];
}

/** The planned task as a query sees it. */
function subjectOf(asking: Asking, { parent, carried, ...plan }: Planned): Subject {
  const { replica, index } = asking.world;
  const above = new Set([parent, ...idsAbove(parent, (id) => replica.row(id))]);
  const { now } = asking.world.context();
  const isArchived = [...above].some((id) => (fieldOf(replica.row(id), 'archivedAt') ?? null) !== null);
  return {
    id: parent,
    title: '',
    notes: '',
    completedAt: null,
    isCleared: false,
    due: plan.due,
    start: plan.start,
    snooze: plan.snooze,
    blocks: [],
    createdAt: now,
    updatedAt: now,
    scalars: {},
    isRepeating: false,
    isBookmarked: false,
    isShared: replica.row(parent)?.scope !== undefined && replica.row(parent)?.scope !== replica.scope,
    isEmailed: false,
    isArchived,
    isNested: !index.named.has(parent) && parent !== inboxId(replica.scope),
    hasChildren: false,
    hasAttachment: false,
    hasComment: false,
    assignee: null,
    labels: carried,
    metadata: new Map(),
    isUnder: (ids) => [...above].some((id) => ids.has(id)),
  };
}
