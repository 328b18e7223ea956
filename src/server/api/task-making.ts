// New tasks of the public API, one or several at once: where they go, what they hold, and the plan that makes all of them or
// none. Changing what is there is tasks.ts.
import { inboxId, listsRoot, parseId, type Id } from '#core/ids.ts';
import type { Position } from '#sync/operation.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import type { CreateTask } from '#wire/api/requests.ts';
import { parseMoment } from '#wire/api/values.ts';
import type { PlanView } from '../sync/planned.ts';
import { creating, strictly, type Creation, type Doors, type Opened } from './doors.ts';
import type { Frame } from './frame.ts';
import { asked } from './moments.ts';
import { Placing, type Placed } from './placing.ts';
import { isProblem, within, type Problem } from './problem.ts';
import {
  firstStatus,
  inputProblem,
  markActions,
  notesOf,
  repeatOf,
  type ScopedAction,
} from './task-changes.ts';
import { labelsAfter, readLabels, type LabelWish } from './task-labels.ts';
import type { Step } from './writing.ts';

type NewTask = Omit<CreateTask, 'strict'>;

export interface WantedTask {
  readonly input: NewTask;
  /** Where it stands in the request; null: it is the request. */
  readonly path: string | null;
}

interface Drafted {
  readonly id: Id;
  readonly scope: Id;
  readonly action: Creation;
  readonly position: Position;
  readonly marks: readonly ScopedAction[];
}

type Parent = Pick<ApiTask, 'id' | 'list_id'>;
type Asking = Opened<{ readonly strict?: boolean | null | undefined }>;

/** Makes all of them, a parent before what stands under it. Those whose ids are there already are taken as made. */
export async function makeTasks(
  doors: Doors,
  asking: Asking,
  wanted: readonly WantedTask[],
): Promise<{ readonly tasks: readonly ApiTask[]; readonly warnings: readonly string[] } | Problem> {
  const { actor, viewer, frame, isStrict } = asking;
  const making = new Making(doors, asking);
  const drafted = await making.draft(wanted);
  if (isProblem(drafted)) return drafted;
  const warnings = [...asking.warnings, ...making.warnings];
  if (isStrict && warnings.length > 0) return strictly(warnings);
  const refused = drafted.length === 0 ? null : await carryOut(doors, asking, drafted);
  if (refused) return refused;
  const after = drafted.length === 0 ? frame : await doors.frames.of(actor);
  return { tasks: await doors.reading.byIds(viewer, after, making.ids), warnings };
}

class Making {
  readonly #doors: Doors;
  readonly #asking: Asking;
  readonly #placing: Placing;
  readonly #now: number;
  /** What tasks of this request may stand under: those before them, and what is there. */
  readonly #parents = new Map<Id, Parent>();
  /** Of those asked to the start, the last one by parent: the next goes behind it. */
  readonly #started = new Map<Id, Id>();
  readonly ids: Id[] = [];
  readonly warnings: string[] = [];

  constructor(doors: Doors, asking: Asking) {
    this.#doors = doors;
    this.#asking = asking;
    this.#placing = new Placing(doors.reads, asking.frame);
    this.#now = Math.round(doors.clock.now());
  }

  async draft(wanted: readonly WantedTask[]): Promise<readonly Drafted[] | Problem> {
    const { viewer, frame } = this.#asking;
    const named = wanted.flatMap(({ input }) => [input.id, input.parent_id].flatMap((text) => idIn(text)));
    const there = await this.#doors.reading.byIds(viewer, frame, [...new Set(named)]);
    for (const task of there) this.#parents.set(task.id as Id, task);
    const drafted: Drafted[] = [];
    for (const { input, path } of wanted) {
      const draft = await this.#one(input);
      if (isProblem(draft)) return path === null ? draft : within(path, draft);
      if (draft) drafted.push(draft);
    }
    return drafted;
  }

  /** Null: it is there already. */
  async #one(input: NewTask): Promise<Drafted | null | Problem> {
    const { frame } = this.#asking;
    const wrong = inputProblem(input);
    if (wrong) return wrong;
    const [id = this.#doors.newId()] = idIn(input.id);
    this.ids.push(id);
    if (input.id && this.#parents.has(id)) return null;
    const labels = readLabels(input, frame);
    this.warnings.push(...labels.warnings);
    const [under] = idIn(input.parent_id);
    const parent = (under && this.#parents.get(under)) ?? null;
    const placed = await this.#placing.ofNew(id, input, parent);
    if (isProblem(placed)) return placed;
    const fields = fieldsOf(input, labels, this.#now);
    if (isProblem(fields)) return fields;
    const position = this.#inOrder(id, placed);
    this.#parents.set(id, { id, list_id: parent?.list_id ?? placed.list });
    const marks = markActions(id, marksOf(input), { mine: undefined, personal: frame.personal });
    const action: Creation = { a: 'create', id, type: 'task', fields, place: position };
    return { id, scope: placed.scope, action, position, marks };
  }

  /** Several at the start of the same parent keep the order in which they were asked for. */
  #inOrder(id: Id, { position }: Placed): Position {
    if (!('at' in position) || position.at !== 'start') return position;
    const last = this.#started.get(position.parent);
    this.#started.set(position.parent, id);
    return last === undefined ? position : { parent: position.parent, after: last };
  }
}

function idIn(text: string | null | undefined): Id[] {
  const id = text ? parseId(text) : null;
  return id === null ? [] : [id];
}

function carryOut(
  { writing }: Doors,
  { actor, frame }: Asking,
  drafted: readonly Drafted[],
): Promise<Problem | null> {
  const { personal } = frame;
  const hasMarks = drafted.some(({ marks }) => marks.length > 0);
  const intoInbox = drafted.find(({ position }) => position.parent === frame.inbox)?.position;
  return writing.carryOut({
    actor,
    scopes: [...drafted.map(({ scope }) => scope), ...(hasMarks ? [personal] : [])],
    rows: [
      ...drafted.map(({ scope, id }) => ({ scope, id })),
      ...(intoInbox ? inboxRow(intoInbox, frame) : []),
    ],
    decide(view) {
      const steps: Step[] = intoInbox ? inboxSteps(view, intoInbox, frame) : [];
      for (const { scope, action, marks } of drafted) {
        const made = creating(view, { scope, action });
        if (isProblem(made)) return made;
        if (made.length === 0) continue;
        steps.push(...made);
        for (const mark of marks) steps.push({ scope: personal, action: mark.action });
      }
      return steps;
    },
  });
}

/** Registers of a new task. */
function fieldsOf(input: NewTask, labels: LabelWish, now: number): Record<string, unknown> | Problem {
  const status = firstStatus(input, now);
  if (status !== null && 'problem' in status) return status;
  const repeat = repeatOf(input, null);
  if (repeat !== null && repeat !== undefined && 'problem' in repeat) return repeat;
  const { time_zone: zone } = input;
  const registers: Record<string, unknown> = {
    title: input.title,
    notes: input.notes ? notesOf(input.notes) : null,
    due: asked(input.due_at, input.timeless_due_at, null, zone) ?? null,
    start: asked(input.starts_at, input.timeless_starts_at, null, zone) ?? null,
    duration: input.duration_minutes ?? null,
    repeat: repeat ?? null,
    status,
  };
  for (const [key, value] of Object.entries(input.metadata ?? {})) registers[`meta:${key}`] = value;
  for (const id of labelsAfter(labels, [])) registers[`label:${id}`] = true;
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

const isInbox = (position: Position, frame: Frame) => position.parent === frame.inbox;
const inboxRow = (position: Position, frame: Frame) =>
  isInbox(position, frame) ? [{ scope: frame.personal, id: frame.inbox }] : [];

/** The Inbox is made with the first thing that goes into it. */
export function inboxSteps(view: PlanView, position: Position, frame: Frame): Step[] {
  const { personal } = frame;
  if (!isInbox(position, frame) || view.row(personal, frame.inbox) !== undefined) return [];
  const place: Position = { parent: listsRoot(personal), at: 'start' };
  const fields = { listType: 'inbox' };
  return [{ scope: personal, action: { a: 'create', id: inboxId(personal), type: 'list', fields, place } }];
}
