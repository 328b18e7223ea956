// The handlers of the calls about lists, folders and smart lists.
import { deriveId, labelsRoot, listsRoot, mineId, parseId, type Id } from '#core/ids.ts';
import { parseQuery as parseSearch } from '#core/search/parse.ts';
import type { Action } from '#sync/rows/operation.ts';
import { isUnder } from '#sync/rows/ancestors.ts';
import { nameOf, placeOf } from '#sync/rows/row-reading.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import { endpoints } from '#wire/api/endpoints.ts';
import { apiLimits, type UpdateList } from '#wire/api/requests.ts';
import { linesOf, parseMoment } from '#wire/api/values.ts';
import type { ApiAnswer, ApiCall } from './ports.ts';
import { isPartlySealed } from './sealed-reads.ts';
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
  type Creation,
  type HandlerContext,
} from './handler-context.ts';
import type { ReadRow } from './task-reads.ts';
import type { Frame, FramedList } from './frame.ts';
import { listSteps } from './list-steps.ts';
import { listJson } from './objects.ts';
import { unreadParameters } from './parsing.ts';
import { Placing } from './placing.ts';
import { invalid, isProblem, problem, type Problem } from './problem.ts';
import { wordsFor } from './searching.ts';
import { labelsOn } from './tasks/task-changes.ts';
import { inboxSteps } from './tasks/task-making.ts';
import type { Step } from './writing.ts';

const noList = nothing('list');
const ownersOnly = problem(
  'forbidden',
  'Only the owner of a shared list can delete it. You can leave it in the app.',
);

export class ListHandlers {
  readonly #context: HandlerContext;

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  async list(call: ApiCall): Promise<ApiAnswer> {
    const frame = await this.#context.frames.of(call.account());
    const showing = await showingOf(this.#context, call, frame.lists);
    return answer({ lists: frame.lists.map((list) => listJson(list, showing)) }, unreadParameters(call.url));
  }

  async create(call: ApiCall): Promise<ApiAnswer> {
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
        const created = isProblem(made)
          ? made
          : listSteps(
              frame,
              made.map(({ action: step }) => step),
            );
        // Create the Inbox first: created later it would move the existing lists.
        return isProblem(created) || created.length === 0
          ? created
          : [...inboxSteps(view, frame), ...created];
      },
    });
    if (refused) return answer(refused);
    return this.#show(call, id, warnings);
  }

  async update(call: ApiCall): Promise<ApiAnswer> {
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
      scopes: [scope, frame.personal],
      rows: [{ scope, id }],
      decide(view) {
        const row = view.row(scope, id);
        if (row === undefined && list.type !== 'inbox') return noList;
        const actions: Action[] = [];
        for (const [field, value] of Object.entries(fields)) {
          // A list that its account hides counts as archived.
          const present = field === 'archivedAt' ? registersOf(list.row) : registersOf(row);
          if (JSON.stringify(present[field] ?? null) === JSON.stringify(value)) continue;
          actions.push({ a: 'set', id, field, value });
        }
        if (moved.position !== null) actions.push({ a: 'place', id, place: moved.position });
        return [...(row === undefined ? inboxSteps(view, frame) : []), ...listSteps(frame, actions)];
      },
    });
    if (refused) return answer(refused);
    return this.#show(call, id, warnings);
  }

  async remove(call: ApiCall): Promise<ApiAnswer> {
    const actor = call.account();
    const frame = await this.#context.frames.of(actor);
    const id = idOf(call);
    const list = id === null ? undefined : frame.list(id);
    if (id === null || list === undefined) return answer(noList);
    if (list.type === 'inbox') return answer(problem('forbidden', "You can't delete the Inbox."));
    if (list.isShared && actor.roles.get(list.row.scope) !== 'owner') return answer(ownersOnly);
    const steps = listSteps(frame, [{ a: 'delete', id }]);
    return remove(this.#context, call, { row: list.row, missing: noList, steps });
  }

  /**
   * Copies a list with everything beneath it, beside the original. The copy of a shared list is the account's own. Attachments are not
   * copied.
   */
  async duplicate(call: ApiCall): Promise<ApiAnswer> {
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
    if ([list.row, ...rows].some(isPartlySealed))
      return answer(
        problem('encrypted', 'This list is end-to-end encrypted. Only an app of yours can duplicate it.'),
      );
    const { mine } = await this.#context.reads.surroundings(scope, frame.personal, rows);
    const copy = this.#context.newId();
    const { personal } = frame;
    const labels = ownLabels(frame, scope, rows);
    const to = { scope: personal, copy, name: input.name ?? `${nameOf(list.row)} copy`, labels };
    const made = [...labels.made, ...copies([list.row, ...rows], to)];
    const steps = [...listSteps(frame, made), ...ownCopies(mine, copy, personal)];
    const refused = await this.#context.writing.carryOut({
      actor,
      scopes: [personal],
      decide: (view) => (list.type === 'inbox' ? [...inboxSteps(view, frame), ...steps] : steps),
    });
    if (refused) return answer(refused);
    const rowOf = (at: Id) => frame.list(at)?.row;
    const isLeft = frame.lists.some(({ row, isShared }) => isShared && isUnder(row.id, id, rowOf));
    return this.#show(call, copy, isLeft ? [...warnings, NOT_COPIED] : warnings);
  }

  async #show(call: ApiCall, id: Id, warnings: readonly string[]): Promise<ApiAnswer> {
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

const NOT_COPIED = 'Shared lists in this folder were not copied. You can copy each of them.';

/** Registers that are not copied. The copy is the account's own list: nobody else is in it who could do a task. */
const LEFT_BEHIND = new Set(['place', 'del', 'notesDoc', 'origin', 'mailAddress', 'occ', 'assignee']);

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

/** The account's own labels for those that tasks of another scope have: of the same name, or new. */
interface OwnLabels {
  readonly made: readonly Creation[];
  /** Null: it is not there anymore. */
  of(label: Id): Id | null;
}

function ownLabels(frame: Frame, scope: Id, rows: readonly Row[]): OwnLabels {
  const { personal } = frame;
  const made: Creation[] = [];
  const known = new Map<Id, Id>();
  const used = new Set(scope === personal ? [] : rows.flatMap((row) => labelsOn(row)));
  const own = new Map(
    frame.labels.flatMap(({ row, name }) => (row.scope === personal ? [[name, row.id]] : [])),
  );
  for (const label of used) {
    const found = frame.label(label);
    if (found === undefined) continue;
    const id = own.get(found.name) ?? deriveId('label in', personal, label);
    known.set(label, id);
    if (own.has(found.name)) continue;
    own.set(found.name, id);
    const { color } = found.row.type === 'label' ? found.row.fields : {};
    const fields = { name: found.name, ...(color === undefined ? {} : { color }) };
    made.push({ a: 'create', id, type: 'label', fields, place: { parent: labelsRoot(personal) } });
  }
  return { made, of: (label) => (scope === personal ? label : (known.get(label) ?? null)) };
}

function copiedFields(row: Row, labels: OwnLabels): Record<string, unknown> {
  const copied: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row.fields)) {
    const label = name.startsWith('label:') ? labels.of(name.slice('label:'.length) as Id) : null;
    if (label !== null) copied[`label:${label}`] = value;
    else if (!name.startsWith('label:') && !LEFT_BEHIND.has(name)) copied[name] = value;
  }
  return copied;
}

function copies(
  rows: readonly Row[],
  to: { readonly scope: Id; readonly copy: Id; readonly name: string; readonly labels: OwnLabels },
): readonly Creation[] {
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
  return ordered.map(({ row }): Creation => {
    const id = copiedId(row.id);
    const fields = copiedFields(row, to.labels);
    const parent = placeOf(row)?.parent ?? listsRoot(to.scope);
    if (row.id !== root?.id)
      return { a: 'create', id, type: row.type, fields, place: { parent: copiedId(parent) } };
    const listType = fields['listType'] === 'inbox' ? 'list' : fields['listType'];
    const place = listType === fields['listType'] ? { parent, after: row.id } : { parent };
    return { a: 'create', id, type: 'list', fields: { ...fields, listType, name: to.name }, place };
  });
}
