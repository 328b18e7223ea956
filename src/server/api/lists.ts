// The handlers of the calls about lists, folders and smart lists.
import { deriveId, listsRoot, mineId, parseId, type Id } from '#core/ids.ts';
import { parseQuery as parseSearch } from '#core/search/parse.ts';
import { nameOf, placeOf } from '#sync/rows/row-reading.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import { apiLimits, type UpdateList } from '#wire/api/requests.ts';
import { linesOf, parseMoment } from '#wire/api/values.ts';
import type { RouteCall } from '../http/route.ts';
import {
  answer,
  creating,
  idOf,
  nothing,
  open,
  remove,
  showingOf,
  strictly,
  takenAbove,
  type HandlerContext,
} from './handler-context.ts';
import type { ReadRow } from '../data/task-reads.ts';
import type { FramedList } from './frame.ts';
import { listJson } from './objects.ts';
import { unreadParameters } from './parsing.ts';
import { Placing } from './placing.ts';
import { invalid, isProblem, problem, type Problem } from './problem.ts';
import { wordsFor } from './searching.ts';
import { inboxSteps } from './task-making.ts';
import type { Step } from './writing.ts';

const noList = nothing('list');

export class ListHandlers {
  readonly #context: HandlerContext;

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  async list(call: RouteCall): Promise<Response> {
    const frame = await this.#context.frames.of(call.account());
    const showing = await showingOf(this.#context, call, frame.lists);
    return answer({ lists: frame.lists.map((list) => listJson(list, showing)) }, unreadParameters(call.url));
  }

  async create(call: RouteCall): Promise<Response> {
    const opened = await open(this.#context, call, endpoints.createList.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input } = opened;
    const id = (input.id ? parseId(input.id) : null) ?? this.#context.newId();
    const existing = frame.list(id);
    if (existing) {
      const showing = await showingOf(this.#context, call, [existing]);
      return answer({ list: listJson(existing, showing) }, opened.warnings);
    }
    const conflict = takenAbove(frame, id);
    if (conflict) return answer(conflict);
    const listType = input.list_type ?? (input.smart_list_query ? 'smart' : 'list');
    const fields = fieldsOf({ ...input, list_type: listType }, null);
    if (isProblem(fields)) return answer(fields);
    const warnings = [...opened.warnings, ...queryWarnings(input)];
    if (opened.isStrict && warnings.length > 0) return answer(strictly(warnings));
    const placed = await new Placing(this.#context.reads, frame).ofList(id, input, null);
    if (isProblem(placed)) return answer(placed);
    const { scope, position } = placed;
    const place = position ?? { parent: listsRoot(scope) };
    const registers = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    const action = { a: 'create', id, type: 'list', fields: { ...registers, listType }, place } as const;
    const refused = await this.#context.writing.carryOut({
      actor,
      scopes: [scope],
      rows: [{ scope, id }],
      decide(view) {
        const made = creating(view, { scope, action });
        // Create the Inbox first: created later it would move the existing lists.
        return isProblem(made) || made.length === 0 ? made : [...inboxSteps(view, frame), ...made];
      },
    });
    if (refused) return answer(refused);
    return this.#show(call, id, warnings);
  }

  async update(call: RouteCall): Promise<Response> {
    const opened = await open(this.#context, call, endpoints.updateList.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input } = opened;
    const id = idOf(call);
    const list = id === null ? undefined : frame.list(id);
    if (id === null || list === undefined) return answer(noList);
    const fields = fieldsOf({ ...input, list_type: list.type }, list.row);
    if (isProblem(fields)) return answer(fields);
    const warnings = [...opened.warnings, ...queryWarnings(input)];
    if (opened.isStrict && warnings.length > 0) return answer(strictly(warnings));
    const moved = await new Placing(this.#context.reads, frame).ofList(id, input, list.row);
    if (isProblem(moved)) return answer(moved);
    if (list.type === 'inbox' && moved.position !== null)
      return answer(problem('forbidden', "You can't move the Inbox."));
    const { scope } = list.row;
    const refused = await this.#context.writing.carryOut({
      actor,
      scopes: [scope],
      rows: [{ scope, id }],
      decide(view) {
        const row = view.row(scope, id);
        if (row === undefined && list.type !== 'inbox') return noList;
        const steps: Step[] = row === undefined ? inboxSteps(view, frame) : [];
        for (const [field, value] of Object.entries(fields)) {
          if (JSON.stringify(registersOf(row)[field] ?? null) === JSON.stringify(value)) continue;
          steps.push({ scope, action: { a: 'set', id, field, value } });
        }
        if (moved.position !== null) steps.push({ scope, action: { a: 'place', id, place: moved.position } });
        return steps;
      },
    });
    if (refused) return answer(refused);
    return this.#show(call, id, warnings);
  }

  async remove(call: RouteCall): Promise<Response> {
    const actor = call.account();
    const frame = await this.#context.frames.of(actor);
    const id = idOf(call);
    const list = id === null ? undefined : frame.list(id);
    if (id === null || list === undefined) return answer(noList);
    if (list.type === 'inbox') return answer(problem('forbidden', "You can't delete the Inbox."));
    return remove(this.#context, call, { row: list.row, missing: noList });
  }

  /** Copies a list with everything beneath it, beside the original. Attachments are not copied. */
  async duplicate(call: RouteCall): Promise<Response> {
    const opened = await open(this.#context, call, endpoints.duplicateList.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input, warnings } = opened;
    const id = idOf(call);
    const list = id === null ? undefined : frame.list(id);
    if (id === null || list === undefined) return answer(noList);
    const { scope } = list.row;
    const branches = await this.#context.reads.branches(scope, id, apiLimits.duplicate + 1);
    if (branches.length > apiLimits.duplicate)
      return answer(
        problem('too_large', `You can't duplicate a list with more than ${apiLimits.duplicate} tasks.`),
      );
    const rows = await this.#context.reads.find(
      [scope],
      branches.map((branch) => branch.id),
    );
    const { mine } = await this.#context.reads.surroundings(scope, frame.personal, rows);
    const copy = this.#context.newId();
    const to = { scope, copy, name: input.name ?? `${nameOf(list.row)} copy` };
    const steps = [...copies([list.row, ...rows], to), ...ownCopies(mine, copy, frame.personal)];
    const scopes = [scope, frame.personal];
    const refused = await this.#context.writing.carryOut({
      actor,
      scopes,
      decide: (view) => (list.type === 'inbox' ? [...inboxSteps(view, frame), ...steps] : steps),
    });
    if (refused) return answer(refused);
    return this.#show(call, copy, warnings);
  }

  async #show(call: RouteCall, id: Id, warnings: readonly string[]): Promise<Response> {
    const frame = await this.#context.frames.of(call.account());
    const list = frame.list(id);
    if (!list) return answer(noList, warnings);
    const showing = await showingOf(this.#context, call, [list]);
    return answer({ list: listJson(list, showing) }, warnings);
  }
}

function queryWarnings({ smart_list_query: query }: UpdateList): readonly string[] {
  return query ? parseSearch(query).problems.map((wrong) => wordsFor(wrong, query)) : [];
}

/** The requested registers; null resets one to its default. */
function fieldsOf(
  input: UpdateList & { readonly list_type: FramedList['type'] },
  present: Row | null,
): Record<string, unknown> | Problem {
  const fields: Record<string, unknown> = {};
  if (input.name !== undefined && input.name !== null) fields['name'] = input.name;
  if (input.notes !== undefined) fields['notes'] = input.notes ? linesOf(input.notes) : null;
  if (input.smart_list_query !== undefined && input.smart_list_query !== null) {
    if (input.list_type !== 'smart') return invalid('smart_list_query', 'Only smart lists have a query.');
    fields['query'] = input.smart_list_query;
  }
  if (input.archived_at !== undefined)
    fields['archivedAt'] = input.archived_at === null ? null : parseMoment(input.archived_at);
  const { persistent_sort_field: sortField, persistent_sort_order: sortOrder } = input;
  if (sortField !== undefined || sortOrder !== undefined) {
    const sort = fieldOf(present, 'sort');
    const field = sortField === undefined ? (sort?.field ?? null) : sortField;
    if (field === null && sortOrder) return invalid('persistent_sort_field', 'Choose a sort field, too.');
    const order = sortOrder ?? (sortOrder === null ? 'asc' : (sort?.order ?? 'asc'));
    fields['sort'] = field === null ? null : { field, order };
  }
  return fields;
}

/** Registers that are not copied. */
const LEFT_BEHIND = new Set(['place', 'del', 'notesDoc', 'origin', 'mailAddress', 'occ']);

const idOfCopy = (copy: Id, original: Id) => deriveId('copy', copy, original);

/** Copies of personal fields of the tasks: snooze and private labels. */
function ownCopies(mine: ReadonlyMap<Id, ReadRow>, copy: Id, personal: Id): readonly Step[] {
  return [...mine].flatMap(([original, row]): Step[] => {
    const kept = Object.entries(row.fields).filter(
      ([name]) => name === 'snooze' || name === 'snoozeCount' || name.startsWith('label:'),
    );
    if (kept.length === 0) return [];
    const of = idOfCopy(copy, original);
    const fields = { of, ...Object.fromEntries(kept) };
    return [{ scope: personal, action: { a: 'create', id: mineId(personal, of), type: 'mine', fields } }];
  });
}

function copies(
  rows: readonly Row[],
  to: { readonly scope: Id; readonly copy: Id; readonly name: string },
): readonly Step[] {
  const [root] = rows;
  const copiedId = (id: Id) => (id === root?.id ? to.copy : idOfCopy(to.copy, id));
  // Siblings are created in order, each at the end.
  const ordered = [...rows].map((row, at) => ({ row, at }));
  const depth = new Map(ordered.map(({ row, at }) => [row.id, at]));
  ordered.sort((a, b) => {
    const [one, other] = [placeOf(a.row), placeOf(b.row)];
    if (one?.parent !== other?.parent)
      return (depth.get(one?.parent as Id) ?? -1) - (depth.get(other?.parent as Id) ?? -1);
    return (one?.key ?? '') < (other?.key ?? '') ? -1 : 1;
  });
  return ordered.map(({ row }): Step => {
    const id = copiedId(row.id);
    const fields = Object.fromEntries(Object.entries(row.fields).filter(([name]) => !LEFT_BEHIND.has(name)));
    const parent = placeOf(row)?.parent ?? listsRoot(to.scope);
    if (row.id !== root?.id)
      return {
        scope: to.scope,
        action: { a: 'create', id, type: row.type, fields, place: { parent: copiedId(parent) } },
      };
    const listType = fields['listType'] === 'inbox' ? 'list' : fields['listType'];
    const place = listType === fields['listType'] ? { parent, after: row.id } : { parent };
    return {
      scope: to.scope,
      action: { a: 'create', id, type: 'list', fields: { ...fields, listType, name: to.name }, place },
    };
  });
}
