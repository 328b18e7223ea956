// The calls about lists, folders and smart lists.
import { deriveId, listsRoot, mineId, parseId, type Id } from '#core/ids.ts';
import type { PersistentSort } from '#core/model.ts';
import { parseQuery as parseSearch } from '#core/search/parse.ts';
import { nameOf, placeOf } from '#sync/row-reading.ts';
import type { Row } from '#sync/row.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import { apiLimits, type UpdateList } from '#wire/api/requests.ts';
import { parseMoment } from '#wire/api/values.ts';
import type { RouteCall } from '../http/route.ts';
import { answer, creating, idOf, nothing, open, remove, showingOf, strictly, type Doors } from './doors.ts';
import type { ReadRow } from '../data/task-reads.ts';
import type { FramedList } from './frame.ts';
import { listJson } from './objects.ts';
import { Placing } from './placing.ts';
import { invalid, isProblem, problem, type Problem } from './problem.ts';
import { notesOf } from './task-changes.ts';
import type { Step } from './writing.ts';

const noList = nothing('list');

export class ListDoors {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async list(call: RouteCall): Promise<Response> {
    const frame = await this.#doors.frames.of(call.account());
    const showing = await showingOf(this.#doors, call, frame.lists);
    return answer({ lists: frame.lists.map((list) => listJson(list, showing)) });
  }

  async create(call: RouteCall): Promise<Response> {
    const opened = await open(this.#doors, call, endpoints.createList.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input } = opened;
    const id = (input.id ? parseId(input.id) : null) ?? this.#doors.newId();
    const existing = frame.list(id);
    if (existing) {
      const showing = await showingOf(this.#doors, call, [existing]);
      return answer({ list: listJson(existing, showing) }, opened.warnings);
    }
    const listType = input.list_type ?? (input.smart_list_query ? 'smart' : 'list');
    const fields = fieldsOf({ ...input, list_type: listType }, null);
    if (isProblem(fields)) return answer(fields);
    const warnings = [...opened.warnings, ...queryWarnings(input)];
    if (opened.isStrict && warnings.length > 0) return answer(strictly(warnings));
    const placed = await new Placing(this.#doors.reads, frame).ofList(id, input, null);
    if (isProblem(placed)) return answer(placed);
    const { scope, position } = placed;
    const place = position ?? { parent: listsRoot(scope) };
    const registers = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    const action = { a: 'create', id, type: 'list', fields: { ...registers, listType }, place } as const;
    const refused = await this.#doors.writing.carryOut({
      actor,
      scopes: [scope],
      rows: [{ scope, id }],
      decide: (view) => creating(view, { scope, action }),
    });
    if (refused) return answer(refused);
    return this.#show(call, id, warnings);
  }

  async update(call: RouteCall): Promise<Response> {
    const opened = await open(this.#doors, call, endpoints.updateList.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input } = opened;
    const id = idOf(call);
    const list = id === null ? undefined : frame.list(id);
    if (id === null || list === undefined) return answer(noList);
    const fields = fieldsOf({ ...input, list_type: list.type }, list.row);
    if (isProblem(fields)) return answer(fields);
    const warnings = [...opened.warnings, ...queryWarnings(input)];
    if (opened.isStrict && warnings.length > 0) return answer(strictly(warnings));
    const moved = await new Placing(this.#doors.reads, frame).ofList(id, input, list.row);
    if (isProblem(moved)) return answer(moved);
    if (list.type === 'inbox' && moved.position !== null)
      return answer(problem('forbidden', 'The Inbox stays where it is.'));
    const { scope } = list.row;
    const refused = await this.#doors.writing.carryOut({
      actor,
      scopes: [scope],
      rows: [{ scope, id }],
      decide(view) {
        const row = view.row(scope, id);
        const steps: Step[] = row === undefined ? inboxSteps(list) : [];
        if (row === undefined && steps.length === 0) return noList;
        for (const [field, value] of Object.entries(fields)) {
          if (JSON.stringify(row?.fields[field] ?? null) === JSON.stringify(value)) continue;
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
    const frame = await this.#doors.frames.of(actor);
    const id = idOf(call);
    const list = id === null ? undefined : frame.list(id);
    if (id === null || list === undefined) return answer(noList);
    if (list.type === 'inbox') return answer(problem('forbidden', 'The Inbox cannot be deleted.'));
    return remove(this.#doors, actor, { row: list.row, missing: noList });
  }

  /** A copy with everything beneath it, beside the original. Attachments stay with the original. */
  async duplicate(call: RouteCall): Promise<Response> {
    const opened = await open(this.#doors, call, endpoints.duplicateList.body);
    if (isProblem(opened)) return answer(opened);
    const { actor, frame, input, warnings } = opened;
    const id = idOf(call);
    const list = id === null ? undefined : frame.list(id);
    if (id === null || list === undefined) return answer(noList);
    const { scope } = list.row;
    const branches = await this.#doors.reads.branches(scope, id, apiLimits.duplicate + 1);
    if (branches.length > apiLimits.duplicate)
      return answer(
        problem('too_large', `A list of more than ${apiLimits.duplicate} tasks cannot be copied at once.`),
      );
    const rows = await this.#doors.reads.find(
      [scope],
      branches.map((branch) => branch.id),
    );
    const { mine } = await this.#doors.reads.surroundings(scope, frame.personal, rows);
    const copy = this.#doors.newId();
    const to = { scope, copy, name: input.name ?? `${nameOf(list.row)} copy` };
    const steps = [...copies([list.row, ...rows], to), ...ownCopies(mine, copy, frame.personal)];
    const scopes = [scope, frame.personal];
    const refused = await this.#doors.writing.carryOut({ actor, scopes, decide: () => steps });
    if (refused) return answer(refused);
    return this.#show(call, copy, warnings);
  }

  async #show(call: RouteCall, id: Id, warnings: readonly string[]): Promise<Response> {
    const frame = await this.#doors.frames.of(call.account());
    const list = frame.list(id);
    if (!list) return answer(noList, warnings);
    const showing = await showingOf(this.#doors, call, [list]);
    return answer({ list: listJson(list, showing) }, warnings);
  }
}

/** The Inbox of an account that nothing was written into yet. */
function inboxSteps({ row, type }: FramedList): Step[] {
  if (type !== 'inbox') return [];
  const place = { parent: listsRoot(row.scope), at: 'start' } as const;
  const fields = { listType: 'inbox' };
  return [{ scope: row.scope, action: { a: 'create', id: row.id, type: 'list', fields, place } }];
}

function queryWarnings({ smart_list_query: query }: UpdateList): readonly string[] {
  return query ? parseSearch(query).problems.map(({ message }) => message) : [];
}

/** Registers asked for; null takes one back to its default. */
function fieldsOf(
  input: UpdateList & { readonly list_type: FramedList['type'] },
  present: Row | null,
): Record<string, unknown> | Problem {
  const fields: Record<string, unknown> = {};
  if (input.name !== undefined && input.name !== null) fields['name'] = input.name;
  if (input.notes !== undefined) fields['notes'] = input.notes ? notesOf(input.notes) : null;
  if (input.smart_list_query !== undefined && input.smart_list_query !== null) {
    if (input.list_type !== 'smart') return invalid('smart_list_query', 'Only a smart list has a query.');
    fields['query'] = input.smart_list_query;
  }
  if (input.archived_at !== undefined)
    fields['archivedAt'] = input.archived_at === null ? null : parseMoment(input.archived_at);
  const { persistent_sort_field: sortField, persistent_sort_order: sortOrder } = input;
  if (sortField !== undefined || sortOrder !== undefined) {
    const sort = present?.fields['sort'] as PersistentSort | undefined;
    const field = sortField === undefined ? (sort?.field ?? null) : sortField;
    if (field === null && sortOrder) return invalid('persistent_sort_field', 'Say what to sort by.');
    const order = sortOrder ?? (sortOrder === null ? 'asc' : (sort?.order ?? 'asc'));
    fields['sort'] = field === null ? null : { field, order };
  }
  return fields;
}

/** Registers that a copy does not take with it. */
const LEFT_BEHIND = new Set(['place', 'del', 'notesDoc', 'origin', 'mailAddress', 'occ']);

const idOfCopy = (copy: Id, original: Id) => deriveId('copy', copy, original);

/** What is one's own about the tasks: when they are snoozed until, and private labels. */
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
  // Siblings are made in their order, each at the end.
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
