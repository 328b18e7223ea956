// The calls about tasks: made (task-making.ts), read, changed, deleted, one by one and several at once.
import { mineId, parseId, type Id } from '#core/ids.ts';
import type { Position } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import { apiLimits, type UpdateTask } from '#wire/api/requests.ts';
import { parseBound } from '#wire/api/values.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { RouteCall } from '../http/route.ts';
import {
  answer,
  idOf,
  nothing,
  open,
  remove,
  showingOf,
  strictly,
  viewerOf,
  type Doors,
  type Opened,
} from './doors.ts';
import type { Frame } from './frame.ts';
import { labelJson, listJson, type Viewer } from './objects.ts';
import { parseQuery } from './parsing.ts';
import { Placing, type PlaceFields } from './placing.ts';
import { invalid, isProblem, problem, within, type Problem } from './problem.ts';
import { before, parseCursor, printCursor, type PageWish } from './reading.ts';
import { changesOf, inputProblem } from './task-changes.ts';
import { readLabels, type LabelWish } from './task-labels.ts';
import { inboxSteps, makeTasks } from './task-making.ts';
import type { Step } from './writing.ts';

const noTask = nothing('task');
const BENEATH = 5_000;

/** One change of one task, as far as it can be worked out before the transaction. */
interface Update {
  readonly row: Row;
  readonly input: UpdateTask;
  readonly labels: LabelWish;
  readonly position: Position | null;
  readonly beneath: ReadonlyMap<Id, readonly Row[]>;
}

export class TaskDoors {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async create(call: RouteCall): Promise<Response> {
    const opened = await open(this.#doors, call, endpoints.createTask.body);
    if (isProblem(opened)) return answer(opened);
    const made = await makeTasks(this.#doors, opened, [{ input: opened.input, path: null }]);
    if (isProblem(made)) return answer(made);
    const [task] = made.tasks;
    return answer(task ? taskBody(task) : noTask, made.warnings);
  }

  async bulkCreate(call: RouteCall): Promise<Response> {
    const opened = await open(this.#doors, call, endpoints.createItems.body);
    if (isProblem(opened)) return answer(opened);
    const wanted = opened.input.create_bodies.map((input, at) => ({ input, path: `create_bodies.${at}` }));
    const made = await makeTasks(this.#doors, opened, wanted);
    if (isProblem(made)) return answer(made);
    return answer({ todo_items: made.tasks }, made.warnings);
  }

  async get(call: RouteCall): Promise<Response> {
    const id = idOf(call);
    const frame = await this.#doors.frames.of(call.account());
    const task = id && (await this.#one(viewerOf(this.#doors, call), frame, id));
    return answer(task ? taskBody(task) : noTask);
  }

  async list(call: RouteCall): Promise<Response> {
    const parsed = parseQuery(endpoints.listTasks.query, call.url);
    if (isProblem(parsed)) return answer(parsed);
    const { value: query } = parsed;
    const actor = call.account();
    const viewer = viewerOf(this.#doors, call);
    const frame = await this.#doors.frames.of(actor);
    const after = query.cursor === undefined ? null : parseCursor(query.cursor);
    if (query.cursor !== undefined && after === null)
      return answer(invalid('cursor', 'This is no cursor of ours.'));
    const listId = query.list_id === undefined ? null : parseId(query.list_id);
    const list = listId === null ? undefined : frame.list(listId);
    if (listId !== null && !list) return answer(problem('not_found', 'There is no such list.', 'list_id'));
    const isSmart = list?.type === 'smart';
    const until = query.updated_before === undefined ? null : before(parseBound(query.updated_before) ?? 0);
    const wish: PageWish = {
      status: query.status === undefined ? null : query.status === 'complete' ? 'done' : 'open',
      list: isSmart ? null : listId,
      after: earlier(after, until),
      changedAfter: query.updated_after === undefined ? null : parseBound(query.updated_after),
      limit: query.limit === undefined ? apiLimits.page : Number(query.limit),
    };
    const queries = [isSmart ? ((list.row.fields['query'] ?? '') as string) : '', query.query ?? ''].filter(
      Boolean,
    );
    const page =
      queries.length > 0 || isSmart
        ? await this.#search(actor, frame, { ...wish, queries, viewer })
        : { ...(await this.#doors.reading.page(viewer, frame, wish)), warnings: [] };
    const showing = await showingOf(this.#doors, call, frame.lists);
    return answer(
      {
        tasks: page.tasks,
        lists: frame.lists.map((each) => listJson(each, showing)),
        labels: frame.labels.map((label) => labelJson(label, actor.account)),
        next_cursor: page.next === null ? null : printCursor(page.next),
      },
      [...parsed.warnings, ...page.warnings],
    );
  }

  async withIds(call: RouteCall): Promise<Response> {
    const parsed = parseQuery(endpoints.listItems.query, call.url);
    if (isProblem(parsed)) return answer(parsed);
    const ids = parsed.value.item_ids.split(',').flatMap((text) => parseId(text.trim()) ?? []);
    if (ids.length > apiLimits.page)
      return answer(invalid('item_ids', `At most ${apiLimits.page} ids at once.`));
    const frame = await this.#doors.frames.of(call.account());
    const items = await this.#doors.reading.byIds(viewerOf(this.#doors, call), frame, ids);
    return answer({ todo_items: items }, parsed.warnings);
  }

  async update(call: RouteCall): Promise<Response> {
    const opened = await open(this.#doors, call, endpoints.updateTask.body);
    if (isProblem(opened)) return answer(opened);
    const id = idOf(call);
    if (id === null) return answer(noTask);
    const done = await this.#updateAll(opened, [{ id, input: opened.input, path: null }]);
    if (isProblem(done)) return answer(done);
    const [task] = done.tasks;
    return answer(task ? taskBody(task) : noTask, done.warnings);
  }

  async bulkUpdate(call: RouteCall): Promise<Response> {
    const opened = await open(this.#doors, call, endpoints.updateItems.body);
    if (isProblem(opened)) return answer(opened);
    // A task that is named twice gets both changes, the later ones over the earlier.
    const wanted = new Map<Id, { id: Id; input: UpdateTask; path: string }>();
    for (const [at, { todo_item_id: text, update_body: input }] of opened.input.update_bodies.entries()) {
      const id = parseId(text) as Id;
      const known = wanted.get(id);
      wanted.set(id, { id, input: { ...known?.input, ...input }, path: `update_bodies.${at}` });
    }
    const done = await this.#updateAll(opened, [...wanted.values()]);
    if (isProblem(done)) return answer(done);
    return answer({ updated_todo_items: done.tasks }, done.warnings);
  }

  async remove(call: RouteCall): Promise<Response> {
    const actor = call.account();
    const id = idOf(call);
    const frame = await this.#doors.frames.of(actor);
    const [row] = id === null ? [] : await this.#doors.reading.rows(frame, [id]);
    const viewer = viewerOf(this.#doors, call);
    const isSeen = row !== undefined && (await this.#doors.reading.show(viewer, frame, [row])).length > 0;
    if (!isSeen) return answer(noTask);
    return remove(this.#doors, actor, { row, missing: noTask });
  }

  async #one(viewer: Viewer, frame: Frame, id: Id): Promise<ApiTask | undefined> {
    return (await this.#doors.reading.byIds(viewer, frame, [id]))[0];
  }

  /** What matches is put into the order of pages, unless the query says another. */
  async #search(
    actor: AccountActor,
    frame: Frame,
    wish: PageWish & { readonly queries: readonly string[]; readonly viewer: Viewer },
  ) {
    const { searching, reading } = this.#doors;
    const text =
      wish.queries.length < 2 ? (wish.queries[0] ?? '') : wish.queries.map((query) => `(${query})`).join(' ');
    const found = await searching.find(actor, frame.scopes, text);
    const rows = found.rows.filter((row) => isWanted(row, wish));
    // With an order of its own a query has one page: what moves meanwhile would be met twice or never.
    if (!found.isSorted) rows.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
    const shown: { readonly row: Row; readonly task: ApiTask }[] = [];
    for (let from = 0; from < rows.length && shown.length <= wish.limit; from += apiLimits.page) {
      const some = await reading.show(wish.viewer, frame, rows.slice(from, from + apiLimits.page));
      shown.push(...some.filter(({ task }) => wish.list === null || task.list_id === wish.list));
    }
    const page = shown.slice(0, wish.limit);
    const hasMore = shown.length > wish.limit;
    const last = hasMore && !found.isSorted ? page.at(-1)?.row : undefined;
    const cut = hasMore && found.isSorted ? [`Only the first ${wish.limit} are here.`] : [];
    return {
      tasks: page.map(({ task }) => task),
      next: last === undefined ? null : { updatedAt: last.updatedAt, id: last.id },
      warnings: [...found.warnings, ...cut],
    };
  }

  async #parentOf(viewer: Viewer, frame: Frame, { parent_id: text }: PlaceFields): Promise<ApiTask | null> {
    const id = text === null || text === undefined ? null : parseId(text);
    return id === null ? null : ((await this.#one(viewer, frame, id)) ?? null);
  }

  async #updateAll(
    opened: Opened<{ readonly strict?: boolean | null | undefined }>,
    wanted: readonly { readonly id: Id; readonly input: UpdateTask; readonly path: string | null }[],
  ): Promise<{ readonly tasks: readonly ApiTask[]; readonly warnings: readonly string[] } | Problem> {
    const { actor, viewer, frame, isStrict } = opened;
    const { reading, writing, frames } = this.#doors;
    const rows = await reading.rows(
      frame,
      wanted.map(({ id }) => id),
    );
    const shown = new Map((await reading.show(viewer, frame, rows)).map((each) => [each.row.id, each]));
    const placing = new Placing(this.#doors.reads, frame);
    const updates: (Update & { readonly path: string | null })[] = [];
    for (const { id, input, path } of wanted) {
      const found = shown.get(id);
      const at = (found_: Problem) => (path === null ? found_ : within(path, found_));
      const wrong = found
        ? inputProblem(input)
        : problem('not_found', noTask.message, path === null ? undefined : 'todo_item_id');
      if (wrong || !found) return at(wrong ?? noTask);
      const parent = await this.#parentOf(viewer, frame, input);
      const position = await placing.ofTask(found.row, found.task, { fields: input, parent });
      if (position !== null && 'problem' in position) return at(position);
      const beneath = await this.#beneath(found.row, input);
      updates.push({ row: found.row, input, labels: readLabels(input, frame), position, beneath, path });
    }
    const warnings = [...opened.warnings, ...updates.flatMap(({ labels }) => labels.warnings)];
    if (isStrict && warnings.length > 0) return strictly(warnings);
    const now = Math.round(this.#doors.clock.now());
    const mineOf = (row: Row) => mineId(frame.personal, row.id);
    const refused = await writing.carryOut({
      actor,
      scopes: [frame.personal, ...updates.map(({ row }) => row.scope)],
      rows: updates.flatMap(({ row }) => [
        { scope: row.scope, id: row.id },
        { scope: frame.personal, id: mineOf(row) },
      ]),
      decide(view) {
        const steps: Step[] = [];
        for (const { row: known, input, labels, position, beneath, path } of updates) {
          const row = view.row(known.scope, known.id);
          if (row === undefined || row.fields['del'] !== undefined) return noTask;
          const mine = view.row(frame.personal, mineOf(known));
          const circumstances = { now, personal: frame.personal, labels, position, beneath };
          const changes = changesOf(input, { row, mine }, circumstances);
          if (isProblem(changes)) return path === null ? changes : within(path, changes);
          if (position !== null) steps.push(...inboxSteps(view, position, frame));
          for (const { where, action } of changes)
            steps.push({ scope: where === 'mine' ? frame.personal : known.scope, action });
        }
        return steps;
      },
    });
    if (refused) return refused;
    const tasks = await reading.byIds(
      viewer,
      await frames.of(actor),
      wanted.map(({ id }) => id),
    );
    return { tasks, warnings };
  }

  async #beneath(row: Row, input: UpdateTask): Promise<ReadonlyMap<Id, readonly Row[]>> {
    const isRepeating = row.fields['repeat'] !== undefined || (input.repeat_unit ?? null) !== null;
    if (!isRepeating || (input.is_complete !== true && !input.completed_at)) return new Map();
    const { reads } = this.#doors;
    const branches = await reads.branches(row.scope, row.id, BENEATH);
    const rows = await reads.find(
      [row.scope],
      branches.map(({ id }) => id),
    );
    const parents = new Map(branches.map(({ id, parent }) => [id, parent]));
    return Map.groupBy(rows, ({ id }) => parents.get(id) as Id);
  }
}

const taskBody = (task: ApiTask) => ({ task, todo_item: task });

/** The place from which reading goes on: whichever comes later in the order. */
function earlier(a: PageWish['after'], b: PageWish['after']): PageWish['after'] {
  if (a === null || b === null) return a ?? b;
  return a.updatedAt < b.updatedAt ? a : b;
}

/** Whether a match belongs to what else is asked for. */
function isWanted(row: Row, { status, changedAfter, after }: PageWish): boolean {
  const isDone = row.type === 'completion' || row.fields['status'] !== undefined;
  if (status !== null && isDone !== (status === 'done')) return false;
  if (changedAfter !== null && row.updatedAt <= changedAfter) return false;
  if (after === null || row.updatedAt < after.updatedAt) return true;
  return row.updatedAt === after.updatedAt && row.id > after.id;
}
