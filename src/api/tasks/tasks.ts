// The handlers of the calls about tasks: create (task-making.ts), read, change, delete; one at a time and in bulk.
import { must } from '#core/assert.ts';
import { mineId, parseId, type Id } from '#core/ids.ts';
import { parseQuery as parseSearch } from '#core/search/parse.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import { apiLimits, type UpdateTask } from '#wire/api/requests.ts';
import { parseBound } from '#wire/api/values.ts';
import type { ApiActor } from '../ports.ts';
import type { ApiAnswer, ApiCall } from '../ports.ts';
import { isPartlySealed } from '../sealed-reads.ts';
import {
  answer,
  idOf,
  nothing,
  open,
  remove,
  showingOf,
  strictly,
  viewerOf,
  type HandlerContext,
  type Opened,
} from '../handler-context.ts';
import { assigneeProblem } from './assigning.ts';
import type { Frame } from '../frame.ts';
import { labelJson, listJson, type Viewer } from '../objects.ts';
import { parseQuery, unreadParameters } from '../parsing.ts';
import { type Parent, Placing, type PlaceFields } from '../placing.ts';
import { invalid, isProblem, problem, within, type Problem } from '../problem.ts';
import { before, parseCursor, printCursor, type PageWish } from '../reading.ts';
import { wordsFor } from '../searching.ts';
import { changesOf, inputProblem } from './task-changes.ts';
import { hiddenNamesProblem, readLabels, type LabelWish } from './task-labels.ts';
import { inboxSteps, makeTasks } from './task-making.ts';
import type { Step } from '../writing.ts';

const noTask = nothing('task');
/** `path`: of the requested change. */
const noTaskAt = (path: string | null): Problem =>
  path === null ? noTask : problem('not_found', noTask.message, path.replace(/update_body$/, 'todo_item_id'));
const BENEATH = 5_000;

/** One change of one task, prepared as far as possible before the transaction. */
interface Update {
  readonly row: Row;
  readonly input: UpdateTask;
  readonly labels: LabelWish;
  readonly beneath: ReadonlyMap<Id, readonly Row[]>;
}

/** Calls about tasks. */
export class TaskHandlers {
  readonly #context: HandlerContext;

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  async create(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.createTask.body);
    if (isProblem(opened)) return answer(opened);
    const made = await makeTasks(this.#context, opened, [{ input: opened.input, path: null }]);
    if (isProblem(made)) return answer(made);
    const [task] = made.tasks;
    return answer(task ? taskBody(task) : noTask, made.warnings);
  }

  async bulkCreate(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.createItems.body);
    if (isProblem(opened)) return answer(opened);
    const wanted = opened.input.create_bodies.map((input, at) => ({ input, path: `create_bodies.${at}` }));
    const made = await makeTasks(this.#context, opened, wanted);
    if (isProblem(made)) return answer(made);
    return answer({ todo_items: made.tasks }, made.warnings);
  }

  async get(call: ApiCall): Promise<ApiAnswer> {
    const id = idOf(call);
    const frame = await this.#context.frames.of(call.account());
    const task = id && (await this.#one(viewerOf(this.#context, call), frame, id));
    return answer(task ? taskBody(task) : noTask, unreadParameters(call.url));
  }

  async list(call: ApiCall): Promise<ApiAnswer> {
    const parsed = parseQuery(endpoints.listTasks.query, call.url);
    if (isProblem(parsed)) return answer(parsed);
    const { value: query } = parsed;
    const actor = call.account();
    const viewer = viewerOf(this.#context, call);
    const frame = await this.#context.frames.of(actor);
    const after = query.cursor === undefined ? null : parseCursor(query.cursor);
    if (query.cursor !== undefined && after === null)
      return answer(invalid('cursor', 'This cursor is invalid. Use "next_cursor" from the last page.'));
    const listId = query.list_id === undefined ? null : parseId(query.list_id);
    const list = listId === null ? undefined : frame.list(listId);
    if (query.list_id !== undefined && !list)
      return answer(problem('not_found', "That list doesn't exist.", 'list_id'));
    const [misread] = query.query === undefined ? [] : parseSearch(query.query).problems;
    if (misread) return answer(invalid('query', wordsFor(misread, query.query ?? '')));
    const isSmart = list?.type === 'smart';
    if (isSmart && isPartlySealed(list.row))
      return answer(problem('encrypted', 'What this smart list finds is end-to-end encrypted.', 'list_id'));
    const until = query.updated_before === undefined ? null : before(parseBound(query.updated_before) ?? 0);
    const wish: PageWish = {
      status: query.status === undefined ? null : query.status === 'complete' ? 'done' : 'open',
      list: isSmart ? null : listId,
      after: earlier(after, until),
      changedAfter: query.updated_after === undefined ? null : parseBound(query.updated_after),
      limit: query.limit === undefined ? apiLimits.page : Number(query.limit),
    };
    const queries = [isSmart ? ((fieldOf(list.row, 'query') ?? '') as string) : '', query.query ?? ''].filter(
      Boolean,
    );
    const page =
      queries.length > 0 || isSmart
        ? await this.#search(actor, frame, { ...wish, queries, viewer })
        : { ...(await this.#context.reading.page(viewer, frame, wish)), warnings: [] };
    const showing = await showingOf(this.#context, call, frame.lists);
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

  async withIds(call: ApiCall): Promise<ApiAnswer> {
    const parsed = parseQuery(endpoints.listItems.query, call.url);
    if (isProblem(parsed)) return answer(parsed);
    const ids = parsed.value.item_ids.split(',').flatMap((text) => parseId(text.trim()) ?? []);
    if (ids.length > apiLimits.page)
      return answer(invalid('item_ids', `Send at most ${apiLimits.page} ids at a time.`));
    const frame = await this.#context.frames.of(call.account());
    const items = await this.#context.reading.byIds(viewerOf(this.#context, call), frame, ids);
    return answer({ todo_items: items }, parsed.warnings);
  }

  async update(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.updateTask.body);
    if (isProblem(opened)) return answer(opened);
    const id = idOf(call);
    if (id === null) return answer(noTask);
    const done = await this.#updateAll(opened, [{ id, input: opened.input, path: null }]);
    if (isProblem(done)) return answer(done);
    const [task] = done.tasks;
    return answer(task ? taskBody(task) : noTask, done.warnings);
  }

  async bulkUpdate(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.updateItems.body);
    if (isProblem(opened)) return answer(opened);
    // A task named twice gets both changes, later ones over earlier ones.
    const wanted = new Map<Id, { id: Id; input: UpdateTask; path: string }>();
    for (const [at, { todo_item_id: text, update_body: input }] of opened.input.update_bodies.entries()) {
      const id = parseId(text);
      if (id === null) return answer(noTaskAt(`update_bodies.${at}.update_body`));
      const known = wanted.get(id);
      wanted.set(id, { id, input: { ...known?.input, ...input }, path: `update_bodies.${at}.update_body` });
    }
    const done = await this.#updateAll(opened, [...wanted.values()]);
    if (isProblem(done)) return answer(done);
    return answer({ updated_todo_items: done.tasks }, done.warnings);
  }

  async remove(call: ApiCall): Promise<ApiAnswer> {
    const actor = call.account();
    const id = idOf(call);
    const frame = await this.#context.frames.of(actor);
    const [row] = id === null ? [] : await this.#context.reading.rows(frame, [id]);
    const viewer = viewerOf(this.#context, call);
    const isSeen = row !== undefined && (await this.#context.reading.show(viewer, frame, [row])).length > 0;
    if (!isSeen) return answer(noTask);
    return remove(this.#context, call, { row, missing: noTask });
  }

  async bulkRemove(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.deleteItems.body);
    if (isProblem(opened)) return answer(opened);
    const rows = await this.#named(opened, true);
    if (isProblem(rows)) return answer(rows);
    const refused = await this.#eachOf(opened, rows, (row) =>
      fieldOf(row, 'del') === undefined ? [{ a: 'delete', id: row.id }] : [],
    );
    return answer(refused ?? {}, opened.warnings);
  }

  async bulkRestore(call: ApiCall): Promise<ApiAnswer> {
    const opened = await open(this.#context, call, endpoints.restoreItems.body);
    if (isProblem(opened)) return answer(opened);
    const rows = await this.#named(opened, false);
    if (isProblem(rows)) return answer(rows);
    const refused = await this.#eachOf(opened, rows, (row) =>
      fieldOf(row, 'del') === undefined ? [] : [{ a: 'restore', id: row.id }],
    );
    if (refused) return answer(refused);
    const { viewer, actor, warnings } = opened;
    const frame = await this.#context.frames.of(actor);
    const items = await this.#context.reading.byIds(
      viewer,
      frame,
      rows.map(({ id }) => id),
    );
    return answer({ todo_items: items }, warnings);
  }

  /** The rows of several ids. Nothing is visible beneath a trashed one. */
  async #named(
    { frame, viewer, input }: Opened<{ readonly item_ids: readonly string[] }>,
    isSeen: boolean,
  ): Promise<readonly Row[] | Problem> {
    const ids = input.item_ids.map((text) => parseId(text));
    const rows = await this.#context.reading.rows(
      frame,
      ids.filter((id) => id !== null),
    );
    const shown = await this.#context.reading.show(viewer, frame, rows);
    const seen = new Set(shown.map(({ row }) => row.id));
    const found = new Map(
      rows
        .filter((row) => seen.has(row.id) || (!isSeen && fieldOf(row, 'del') !== undefined))
        .map((row) => [row.id, row]),
    );
    const missing = ids.findIndex((id) => id === null || !found.has(id));
    if (missing >= 0) return problem('not_found', noTask.message, `item_ids.${missing}`);
    return [...found.values()];
  }

  #eachOf(
    { actor }: Opened<unknown>,
    rows: readonly Row[],
    actionsOf: (row: Row) => readonly Action[],
  ): Promise<Problem | null> {
    return this.#context.writing.carryOut({
      actor,
      scopes: rows.map(({ scope }) => scope),
      rows: rows.map(({ scope, id }) => ({ scope, id })),
      decide: (view) =>
        rows.flatMap(({ scope, id }) => {
          const row = view.row(scope, id);
          return row === undefined ? [] : actionsOf(row).map((action): Step => ({ scope, action }));
        }),
    });
  }

  async #one(viewer: Viewer, frame: Frame, id: Id): Promise<ApiTask | undefined> {
    return (await this.#context.reading.byIds(viewer, frame, [id]))[0];
  }

  /** Sorts matches in page order, unless the query specifies one. */
  async #search(
    actor: ApiActor,
    frame: Frame,
    wish: PageWish & { readonly queries: readonly string[]; readonly viewer: Viewer },
  ) {
    const { searching, reading } = this.#context;
    const text =
      wish.queries.length < 2 ? (wish.queries[0] ?? '') : wish.queries.map((query) => `(${query})`).join(' ');
    const found = await searching.find(actor, frame.scopes, text);
    const rows = found.rows.filter((row) => isWanted(row, wish));
    // A query with its own order has one page: tasks that move meanwhile would appear twice or never.
    if (!found.isSorted) rows.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
    const shown: { readonly row: Row; readonly task: ApiTask }[] = [];
    for (let from = 0; from < rows.length && shown.length <= wish.limit; from += apiLimits.page) {
      const some = await reading.show(wish.viewer, frame, rows.slice(from, from + apiLimits.page));
      shown.push(...some.filter(({ task }) => wish.list === null || task.list_id === wish.list));
    }
    const page = shown.slice(0, wish.limit);
    const hasMore = shown.length > wish.limit;
    const last = hasMore && !found.isSorted ? page.at(-1)?.row : undefined;
    const cut = hasMore && found.isSorted ? [`This has only the first ${wish.limit}.`] : [];
    return {
      tasks: page.map(({ task }) => task),
      next: last === undefined ? null : { updatedAt: last.updatedAt, id: last.id },
      warnings: [...found.warnings, ...cut],
    };
  }

  /** The parents named in a request. One that this request also moves to another list counts as being there already. */
  async #parentsOf(
    viewer: Viewer,
    frame: Frame,
    wanted: readonly { readonly id: Id; readonly input: PlaceFields }[],
  ): Promise<ReadonlyMap<string, Parent>> {
    const ids = wanted.flatMap(({ input }) => (input.parent_id ? (parseId(input.parent_id) ?? []) : []));
    const found = ids.length === 0 ? [] : await this.#context.reading.byIds(viewer, frame, ids);
    const lists = new Map(wanted.map(({ id, input }) => [id, input.list_id ? parseId(input.list_id) : null]));
    return new Map(
      found.map((task) => {
        const list = lists.get(task.id as Id) ?? null;
        return [task.id, list === null ? task : { id: task.id, list_id: list }];
      }),
    );
  }

  async #updateAll(
    opened: Opened<{ readonly strict?: boolean | null | undefined }>,
    wanted: readonly { readonly id: Id; readonly input: UpdateTask; readonly path: string | null }[],
  ): Promise<{ readonly tasks: readonly ApiTask[]; readonly warnings: readonly string[] } | Problem> {
    const { actor, viewer, frame, isStrict } = opened;
    const { reading, writing, frames } = this.#context;
    const rows = await reading.rows(
      frame,
      wanted.map(({ id }) => id),
    );
    const shown = new Map((await reading.show(viewer, frame, rows)).map((each) => [each.row.id, each]));
    const placing = new Placing(this.#context.reads, frame);
    const parents = await this.#parentsOf(viewer, frame, wanted);
    const updates: (Update & { readonly path: string | null })[] = [];
    for (const { id, input, path } of wanted) {
      const found = shown.get(id);
      const at = (found_: Problem) => (path === null ? found_ : within(path, found_));
      if (!found) return noTaskAt(path);
      const wrong = inputProblem(input);
      if (wrong) return at(wrong);
      const unknown = assigneeProblem(input, frame, found.row) ?? hiddenNamesProblem(input, frame);
      if (unknown) return at(unknown);
      const parent = parents.get(parseId(input.parent_id ?? '') ?? '') ?? null;
      const misplaced = placing.ofTask(found.row, found.task, { fields: input, parent });
      if (misplaced) return at(misplaced);
      const beneath = await this.#beneath(found.row, input);
      updates.push({ row: found.row, input, labels: readLabels(input, frame), beneath, path });
    }
    const ofLabels = updates.flatMap(({ labels }) => labels.warnings);
    const warnings = [...opened.warnings, ...ofLabels, ...placing.warnings];
    if (isStrict && warnings.length > 0) return strictly(warnings);
    const moves = await placing.moves();
    const byId = new Map(updates.map((update) => [update.row.id, update]));
    const intoInbox = moves.some(({ position }) => position.parent === frame.inbox);
    const now = Math.round(this.#context.clock.now());
    const mineOf = (row: Row) => mineId(frame.personal, row.id);
    const refused = await writing.carryOut({
      actor,
      scopes: [frame.personal, ...updates.map(({ row }) => row.scope), ...placing.scopes],
      rows: updates.flatMap(({ row }) => [
        { scope: row.scope, id: row.id },
        { scope: frame.personal, id: mineOf(row) },
      ]),
      decide(view) {
        const steps: Step[] = intoInbox ? inboxSteps(view, frame) : [];
        for (const { row: known, input, labels, beneath, path } of updates) {
          const row = view.row(known.scope, known.id);
          if (row === undefined || fieldOf(row, 'del') !== undefined) return noTaskAt(path);
          const mine = view.row(frame.personal, mineOf(known));
          const circumstances = { now, personal: frame.personal, labels, beneath };
          const changes = changesOf(input, { row, mine }, circumstances);
          if (isProblem(changes)) return path === null ? changes : within(path, changes);
          for (const { where, action } of changes)
            steps.push({ scope: where === 'mine' ? frame.personal : known.scope, action, path });
        }
        for (const { id, position } of moves) {
          const { row, path } = must(byId.get(id), 'only what changes was asked about');
          steps.push({ scope: row.scope, action: { a: 'place', id, place: position }, path });
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
    const isRepeating = fieldOf(row, 'repeat') !== undefined || (input.repeat_unit ?? null) !== null;
    if (!isRepeating || (input.is_complete !== true && !input.completed_at)) return new Map();
    const { reads } = this.#context;
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

/** The mark to read on from: whichever comes later in the order. */
function earlier(a: PageWish['after'], b: PageWish['after']): PageWish['after'] {
  if (a === null || b === null) return a ?? b;
  return a.updatedAt < b.updatedAt ? a : b;
}

/** Whether a match satisfies the other filters. */
function isWanted(row: Row, { status, changedAfter, after }: PageWish): boolean {
  const isDone = row.type === 'completion' || fieldOf(row, 'status') !== undefined;
  if (status !== null && isDone !== (status === 'done')) return false;
  if (changedAfter !== null && row.updatedAt <= changedAfter) return false;
  if (after === null || row.updatedAt < after.updatedAt) return true;
  return row.updatedAt === after.updatedAt && row.id > after.id;
}
