// Creates tasks for the public API, one or several at once: positions, registers, and the plan that creates all of them or
// none. Changing existing tasks is tasks.ts.
import { must } from '#core/assert.ts';
import { listsRoot, parseId, type Id } from '#core/ids.ts';
import { eachScalar, scalarFields } from '#core/task-fields.ts';
import type { Position } from '#sync/rows/operation.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import type { CreateTask } from '#wire/api/requests.ts';
import { linesOf, parseMoment } from '#wire/api/values.ts';
import type { PlanView } from '../ports.ts';
import {
  creating,
  strictly,
  takenAbove,
  type Creation,
  type HandlerContext,
  type Opened,
} from '../handler-context.ts';
import type { Frame } from '../frame.ts';
import { asked } from '../moments.ts';
import type { Move } from '../outline.ts';
import { Placing, type Parent } from '../placing.ts';
import { invalid, isProblem, within, type Problem } from '../problem.ts';
import { assigneeProblem } from './assigning.ts';
import { firstStatus, inputProblem, markActions, repeatOf, type ScopedAction } from './task-changes.ts';
import { hiddenNamesProblem, labelsAfter, readLabels } from './task-labels.ts';
import type { Step } from '../writing.ts';

type NewTask = Omit<CreateTask, 'strict'>;

export interface WantedTask {
  readonly input: NewTask;
  /** Path inside the request; null: the request itself. */
  readonly path: string | null;
}

interface Drafted {
  readonly id: Id;
  readonly scope: Id;
  /** Registers. */
  readonly fields: Creation['fields'];
  readonly path: string | null;
  readonly marks: readonly ScopedAction[];
}

type Asking = Opened<{ readonly strict?: boolean | null | undefined }>;

/** Creates all of them, parents before children. Existing ids count as created. */
export async function makeTasks(
  context: HandlerContext,
  asking: Asking,
  wanted: readonly WantedTask[],
): Promise<{ readonly tasks: readonly ApiTask[]; readonly warnings: readonly string[] } | Problem> {
  const { actor, viewer, frame, isStrict } = asking;
  const making = new Making(context, asking);
  const drafted = await making.draft(wanted);
  if (isProblem(drafted)) return drafted;
  const warnings = [...asking.warnings, ...making.warnings];
  if (isStrict && warnings.length > 0) return strictly(warnings);
  const refused =
    drafted.length === 0 ? null : await carryOut(context, asking, { drafted, moves: await making.moves() });
  if (refused) return refused;
  const after = drafted.length === 0 ? frame : await context.frames.of(actor);
  return { tasks: await context.reading.byIds(viewer, after, making.ids), warnings };
}

class Making {
  readonly #context: HandlerContext;
  readonly #asking: Asking;
  readonly #placing: Placing;
  readonly #now: number;
  /** Possible parents: earlier tasks of this request, and existing ones. */
  readonly #parents = new Map<Id, Parent>();
  readonly ids: Id[] = [];
  readonly #warnings: string[] = [];

  constructor(context: HandlerContext, asking: Asking) {
    this.#context = context;
    this.#asking = asking;
    this.#placing = new Placing(context.reads, asking.frame);
    this.#now = Math.round(context.clock.now());
  }

  get warnings(): readonly string[] {
    return [...this.#warnings, ...this.#placing.warnings];
  }

  /** Their positions, in the order in which they can be created. */
  moves(): Promise<readonly Move[]> {
    return this.#placing.moves();
  }

  async draft(wanted: readonly WantedTask[]): Promise<readonly Drafted[] | Problem> {
    const { viewer, frame } = this.#asking;
    const named = wanted.flatMap(({ input }) => [input.id, input.parent_id].flatMap((text) => idIn(text)));
    const there = await this.#context.reading.byIds(viewer, frame, [...new Set(named)]);
    for (const task of there) this.#parents.set(task.id as Id, task);
    const drafted: Drafted[] = [];
    for (const { input, path } of wanted) {
      const draft = this.#one(input, path);
      if (isProblem(draft)) return path === null ? draft : within(path, draft);
      if (draft) drafted.push(draft);
    }
    return drafted;
  }

  /** Null: it already exists. */
  #one(input: NewTask, path: string | null): Drafted | null | Problem {
    const { frame } = this.#asking;
    const wrong = inputProblem(input);
    if (wrong) return wrong;
    const [id = this.#context.newId()] = idIn(input.id);
    if (this.ids.includes(id)) return invalid('id', 'Two tasks in this request have the same "id".');
    this.ids.push(id);
    if (input.id && this.#parents.has(id)) return null;
    const conflict = takenAbove(frame, id);
    if (conflict) return conflict;
    const hidden = hiddenNamesProblem(input, frame);
    if (hidden) return hidden;
    const labels = readLabels(input, frame);
    this.#warnings.push(...labels.warnings);
    const [under] = idIn(input.parent_id);
    const parent = (under && this.#parents.get(under)) ?? null;
    const placed = this.#placing.ofNew(id, input, parent);
    if (isProblem(placed)) return placed;
    const unknown = assigneeProblem(input, frame, placed);
    if (unknown) return unknown;
    const { scope } = placed;
    const named = labelsAfter(labels, { scope, present: [] });
    const fields = fieldsOf(input, named, this.#now);
    if (isProblem(fields)) return fields;
    this.#parents.set(id, { id, list_id: parent?.list_id ?? placed.list });
    const marks = markActions(id, marksOf(input), { mine: undefined, personal: frame.personal });
    return { id, scope, fields, path, marks };
  }
}

function idIn(text: string | null | undefined): Id[] {
  const id = text ? parseId(text) : null;
  return id === null ? [] : [id];
}

function carryOut(
  { writing }: HandlerContext,
  { actor, frame }: Asking,
  { drafted, moves }: { readonly drafted: readonly Drafted[]; readonly moves: readonly Move[] },
): Promise<Problem | null> {
  const { personal } = frame;
  const hasMarks = drafted.some(({ marks }) => marks.length > 0);
  const intoInbox = moves.some(({ position }) => position.parent === frame.inbox);
  const drafts = new Map(drafted.map((draft) => [draft.id, draft]));
  return writing.carryOut({
    actor,
    scopes: [...drafted.map(({ scope }) => scope), ...(hasMarks ? [personal] : [])],
    rows: [
      ...drafted.map(({ scope, id }) => ({ scope, id })),
      ...(intoInbox ? [{ scope: personal, id: frame.inbox }] : []),
    ],
    decide(view) {
      const steps: Step[] = intoInbox ? inboxSteps(view, frame) : [];
      for (const { id, position } of moves) {
        const { scope, fields, path, marks } = must(drafts.get(id), 'only what is made was asked about');
        const action: Creation = { a: 'create', id, type: 'task', fields, place: position };
        const made = creating(view, { scope, action });
        if (isProblem(made)) return path === null ? made : within(path, made);
        if (made.length === 0) continue;
        for (const step of made) steps.push({ ...step, path });
        for (const mark of marks) steps.push({ scope: personal, action: mark.action, path });
      }
      return steps;
    },
  });
}

/** Registers of a new task. */
function fieldsOf(input: NewTask, labels: ReadonlySet<Id>, now: number): Record<string, unknown> | Problem {
  const status = firstStatus(input, now);
  if (status !== null && 'problem' in status) return status;
  const repeat = repeatOf(input, null);
  if (repeat !== null && repeat !== undefined && 'problem' in repeat) return repeat;
  const { time_zone: zone } = input;
  const registers: Record<string, unknown> = {
    title: input.title,
    notes: input.notes ? linesOf(input.notes) : null,
    due: asked(input.due_at, input.timeless_due_at, null, zone) ?? null,
    start: asked(input.starts_at, input.timeless_starts_at, null, zone) ?? null,
    ...eachScalar((name) => input[scalarFields[name].api] ?? null),
    repeat: repeat ?? null,
    assignee: input.assignee_user_id ?? null,
    status,
  };
  for (const [key, value] of Object.entries(input.metadata ?? {})) registers[`meta:${key}`] = value;
  for (const id of labels) registers[`label:${id}`] = true;
  return Object.fromEntries(Object.entries(registers).filter(([, value]) => value !== null));
}

function marksOf(input: NewTask): Record<string, unknown> {
  const snooze = asked(input.snoozed_until, input.timeless_snoozed_until, null, input.time_zone) ?? null;
  const bookmarkedAt = input.bookmarked_at ? parseMoment(input.bookmarked_at) : null;
  return {
    ...(snooze === null ? {} : { snooze, snoozeCount: 1 }),
    ...(bookmarkedAt === null ? {} : { bookmarkedAt }),
  };
}

/** The Inbox is created with the first task in it, or beside it. */
export function inboxSteps(view: PlanView, { personal, inbox }: Frame): Step[] {
  if (view.row(personal, inbox) !== undefined) return [];
  const place: Position = { parent: listsRoot(personal), at: 'start' };
  const fields = { listType: 'inbox' };
  return [{ scope: personal, action: { a: 'create', id: inbox, type: 'list', fields, place } }];
}
