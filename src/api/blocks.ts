// The handlers of the calls about time blocks: the plan of the person whose token it is for a task, also for one of a shared list. Every change
// is one register of their own row of the task.
import {
  type Block,
  blockLimits,
  blockRegister,
  blocksIn,
  type BlockRegister,
  isBlockRegister,
} from '#core/calendar/blocks.ts';
import { mineId, parseId, type Id } from '#core/ids.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { isDone, isTrashed } from '#sync/rows/row-reading.ts';
import { fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import { type ApiBlock, parseClock, type UpdateBlock } from '#wire/api/calendar.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import type { Frame } from './frame.ts';
import { answer, idOf, nothing, open, viewerOf, type HandlerContext } from './handler-context.ts';
import { unreadParameters } from './parsing.ts';
import type { ApiAnswer, ApiCall, PlanView } from './ports.ts';
import { invalid, isProblem, problem, type Problem } from './problem.ts';
import { isPartlySealed } from './sealed-reads.ts';
import { markActions } from './tasks/task-changes.ts';
import type { Step } from './writing.ts';

const noTask = nothing('task');
const noBlock = nothing('time block');
const MINUTE_MS = 60_000;

const hidden = problem(
  'encrypted',
  'When time is planned is end-to-end encrypted, so this server can’t read it. Open an app of yours, or use a program that has the key.',
);
const partHidden = problem(
  'encrypted',
  'When this time was planned is end-to-end encrypted. Send "local_start", "time_zone" and its length together.',
);
const lengthHidden = problem(
  'encrypted',
  'How long this task takes is end-to-end encrypted. Send "duration_minutes".',
  'duration_minutes',
);
const full = problem(
  'invalid',
  `A task can have ${blockLimits.perTask} time blocks. Remove one first.`,
  'id',
);
const done = problem('invalid', 'This task is complete. Reopen it to plan time for it.', 'id');

/** When and how long, as far as a request says it. Null of a zone: none. */
interface Wish {
  readonly start?: number;
  readonly end?: number;
  readonly minutes?: number;
  readonly zone?: string | null;
}

/** A task with its personal row, as they stand in the transaction. */
interface Rows {
  readonly task: Row;
  readonly mine: Row | undefined;
}

function wishOf(input: Omit<UpdateBlock, 'strict'>): Wish | Problem {
  const { local_start: start, local_end: end, duration_minutes: minutes, time_zone: zone } = input;
  if ((end ?? null) !== null && (minutes ?? null) !== null)
    return invalid(
      'duration_minutes',
      '"local_end" and "duration_minutes" can\'t be used together. Send one of them.',
    );
  return {
    ...(start ? { start: parseClock(start) ?? 0 } : {}),
    ...(end ? { end: parseClock(end) ?? 0 } : {}),
    ...(minutes ? { minutes } : {}),
    ...(zone === undefined ? {} : { zone }),
  };
}

/** The block with its length said by an end, by minutes, or by `usual`. */
function blockOf(
  wish: Wish & { readonly start: number },
  { usual, occ, zone }: { readonly usual: number; readonly occ: number; readonly zone?: string | undefined },
): Block | Problem {
  const { start, end } = wish;
  const minutes = end === undefined ? (wish.minutes ?? usual) : (end - start) / MINUTE_MS;
  if (minutes < 1) return invalid('local_end', '"local_end" has to be after "local_start".');
  if (minutes > blockLimits.minutes) return invalid('local_end', "A time block can't be longer than a week.");
  const kept = wish.zone === undefined ? zone : (wish.zone ?? undefined);
  return { start, minutes, ...(kept === undefined ? {} : { zone: kept }), occ };
}

function planned(wish: Wish, { task }: Rows): Block | Problem {
  const { start, end, minutes } = wish;
  if (start === undefined) return invalid('local_start', '"local_start" is required.');
  const isSaid = end !== undefined || minutes !== undefined;
  if (!isSaid && isEnvelope(registersOf(task)['duration'])) return lengthHidden;
  const takes = isSaid ? null : fieldOf(task, 'duration');
  const usual = Math.min(takes ?? blockLimits.usualMinutes, blockLimits.minutes);
  return blockOf({ ...wish, start }, { usual, occ: fieldOf(task, 'occ') ?? 0 });
}

function moved(wish: Wish, present: Block | null, { task }: Rows): Block | Problem {
  const { start, end, minutes, zone } = wish;
  // A block that is moved is for what is to be done now.
  const occ = fieldOf(task, 'occ') ?? 0;
  if (present !== null)
    return blockOf(
      { ...wish, start: start ?? present.start },
      { usual: present.minutes, zone: present.zone, occ: start === undefined ? present.occ : occ },
    );
  if (start === undefined || zone === undefined || (end === undefined && minutes === undefined))
    return partHidden;
  return blockOf({ ...wish, start }, { usual: blockLimits.usualMinutes, occ });
}

const clockOf = (at: number): string => new Date(at).toISOString().slice(0, 16);

function blockJson(task: Row, register: BlockRegister, block: Block): ApiBlock {
  return {
    id: register.slice('block:'.length),
    todo_item_id: task.id,
    local_start: clockOf(block.start),
    local_end: clockOf(block.start + block.minutes * MINUTE_MS),
    duration_minutes: block.minutes,
    time_zone: block.zone ?? null,
    is_done: isDone(task) || block.occ !== (fieldOf(task, 'occ') ?? 0),
  };
}

const isSame = (a: Block | null, b: Block): boolean =>
  a?.start === b.start && a.minutes === b.minutes && a.zone === b.zone && a.occ === b.occ;

/** What stands in a register; null: what only devices can read. Undefined: nothing. */
function present(mine: Row | undefined, register: BlockRegister): Block | null | undefined {
  if (mine?.type !== 'mine') return undefined;
  if (isEnvelope(registersOf(mine)[register])) return null;
  return mine.fields[register] ?? undefined;
}

/** The person's own time blocks. */
export class BlockHandlers {
  readonly #context: HandlerContext;

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  async list(call: ApiCall): Promise<ApiAnswer> {
    const frame = await this.#context.frames.of(call.account());
    const task = await this.#task(call, frame, idOf(call));
    if (task === null) return answer(noTask);
    const [mine] = await this.#context.reads.find([frame.personal], [mineId(frame.personal, task.id)]);
    if (mine?.type !== 'mine') return answer({ blocks: [] }, unreadParameters(call.url));
    if (hasHidden(mine)) return answer(hidden);
    const blocks = blocksIn(mine).map(({ register, block }) => blockJson(task, register, block));
    return answer({ blocks }, unreadParameters(call.url));
  }

  async create(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.createBlock.body);
    if (isProblem(opened)) return answer(opened);
    const { frame, input, warnings } = opened;
    const wish = wishOf(input);
    if (isProblem(wish)) return answer(wish);
    const id = (input.id ? parseId(input.id) : null) ?? this.#context.newId();
    return this.#write(call, frame, { register: blockRegister(id), warnings }, (rows, before) => {
      const block = planned(wish, rows);
      if (isProblem(block)) return block;
      // The same request sent twice has one effect.
      if (before !== undefined) return before ?? block;
      if (isDone(rows.task)) return done;
      const count = Object.keys(rows.mine?.fields ?? {}).filter(isBlockRegister).length;
      return count < blockLimits.perTask ? block : full;
    });
  }

  async update(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.updateBlock.body);
    if (isProblem(opened)) return answer(opened);
    const wish = wishOf(opened.input);
    if (isProblem(wish)) return answer(wish);
    const register = registerOf(call);
    if (register === null) return answer(noBlock);
    const { frame, warnings } = opened;
    return this.#write(call, frame, { register, warnings }, (rows, before) => {
      if (before === undefined) return noBlock;
      return isDone(rows.task) ? done : moved(wish, before, rows);
    });
  }

  async remove(call: ApiCall): Promise<ApiAnswer> {
    const frame = await this.#context.frames.of(call.account());
    const register = registerOf(call);
    if (register === null) return answer(noBlock);
    const written = await this.#carryOut(call, frame, ({ task, mine }) =>
      present(mine, register) === undefined ? noBlock : stepsOf(frame, { task, mine }, register, null),
    );
    return answer(isProblem(written) ? written : {}, unreadParameters(call.url));
  }

  /** Sets a register to the block that `decide` gives, and answers it. `before`: what stood there, as `present`. */
  async #write(
    call: ApiCall,
    frame: Frame,
    { register, warnings }: { readonly register: BlockRegister; readonly warnings: readonly string[] },
    decide: (rows: Rows, before: Block | null | undefined) => Block | Problem,
  ): Promise<ApiAnswer> {
    let made: Block | null = null;
    const written = await this.#carryOut(call, frame, (rows) => {
      const before = present(rows.mine, register);
      const block = decide(rows, before);
      if (isProblem(block)) return block;
      made = block;
      return isSame(before ?? null, block) ? [] : stepsOf(frame, rows, register, block);
    });
    if (isProblem(written)) return answer(written);
    return answer(made === null ? noBlock : { block: blockJson(written, register, made) }, warnings);
  }

  /** Resolves with the task, after what `decide` says is written. */
  async #carryOut(
    call: ApiCall,
    frame: Frame,
    decide: (rows: Rows) => readonly Step[] | Problem,
  ): Promise<Row | Problem> {
    const task = await this.#task(call, frame, idOf(call));
    if (task === null) return noTask;
    const { scope, id } = task;
    const of = mineId(frame.personal, id);
    const refused = await this.#context.writing.carryOut({
      actor: call.account(),
      scopes: [frame.personal, scope],
      rows: [
        { scope, id },
        { scope: frame.personal, id: of },
      ],
      decide(view: PlanView) {
        const row = view.row(scope, id);
        if (row === undefined || isTrashed(row)) return noTask;
        return decide({ task: row, mine: view.row(frame.personal, of) });
      },
    });
    return refused ?? task;
  }

  /** Null: not there for this reader. */
  async #task(call: ApiCall, frame: Frame, id: Id | null): Promise<Row | null> {
    const { reading } = this.#context;
    const rows = id === null ? [] : await reading.rows(frame, [id]);
    const [shown] = await reading.show(viewerOf(this.#context, call), frame, rows);
    return shown?.row ?? null;
  }
}

function stepsOf(
  frame: Frame,
  { task, mine }: Rows,
  register: BlockRegister,
  block: Block | null,
): readonly Step[] {
  const actions = markActions(task.id, { [register]: block }, { mine, personal: frame.personal });
  return actions.map(({ action }) => ({ scope: frame.personal, action }));
}

/** Whether a block of this row can't be read here. */
function hasHidden(mine: Row): boolean {
  return (
    isPartlySealed(mine) ||
    Object.entries(mine.fields).some(([name, value]) => isBlockRegister(name) && isEnvelope(value))
  );
}

function registerOf(call: ApiCall): BlockRegister | null {
  const id = parseId(call.params['block'] ?? '');
  return id === null ? null : blockRegister(id);
}
