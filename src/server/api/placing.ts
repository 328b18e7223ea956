// Where a request puts a task or a list: names of places are checked, and written numbers and levels become positions.
import { labelsRoot, listsRoot, parseId, type Id } from '#core/ids.ts';
import type { Position } from '#sync/operation.ts';
import { placeOf } from '#sync/row-reading.ts';
import type { Row } from '#sync/row.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import type { TaskReads } from '../data/task-reads.ts';
import type { Frame } from './frame.ts';
import { Outline, type Wanted } from './outline.ts';
import { invalid, problem, type Problem } from './problem.ts';

/** Lines of an outline that numbers are worked out in. */
const LONGEST_OUTLINE = 100_000;

export interface PlaceFields {
  readonly list_id?: string | null | undefined;
  readonly parent_id?: string | null | undefined;
  readonly location?: 'start' | 'end' | null | undefined;
  readonly order_index?: number | null | undefined;
  readonly ordinal?: string | null | undefined;
  readonly indent_level?: number | null | undefined;
}

export interface Placed {
  readonly scope: Id;
  readonly list: Id;
  readonly position: Position;
}

const noList = problem('not_found', 'There is no such list.', 'list_id');
const noParent = problem('not_found', 'There is no such task.', 'parent_id');

const numbersOf = ({ order_index: index, ordinal, indent_level: level }: PlaceFields): Wanted => ({
  ordinal: ordinal ?? null,
  index: index ?? null,
  level: level ?? null,
});
const hasNumbers = ({ order_index: index, ordinal }: PlaceFields) => (index ?? ordinal ?? null) !== null;

/** Outlines of one request, read once each and moved along with what it does. */
export class Placing {
  readonly #reads: Pick<TaskReads, 'branches'>;
  readonly #frame: Frame;
  readonly #outlines = new Map<Id, Outline>();

  constructor(reads: Pick<TaskReads, 'branches'>, frame: Frame) {
    this.#reads = reads;
    this.#frame = frame;
  }

  /** Of a new task. `parent` is what `parent_id` names, if it is to be seen. */
  async ofNew(
    id: Id,
    fields: PlaceFields,
    parent: Pick<ApiTask, 'id' | 'list_id'> | null,
  ): Promise<Placed | Problem> {
    const list = this.#listOf(fields.list_id ?? parent?.list_id ?? this.#frame.inbox);
    if ('problem' in list) return list;
    const { scope, id: root } = list.row;
    if ((fields.parent_id ?? null) !== null && parent === null) return noParent;
    if (parent !== null && parent.list_id !== list.row.id)
      return invalid('parent_id', 'The parent is in another list than "list_id".');
    const under = parent === null ? {} : { parent: parent.id as Id };
    const numbers = numbersOf(fields);
    if (hasNumbers(fields) || numbers.level !== null) {
      const outline = await this.#outline(scope, list.row.id);
      const position = outline.place(id, { ...under, ...numbers });
      return { scope, list: root, position: position ?? { parent: under.parent ?? root } };
    }
    return { scope, list: root, position: { parent: under.parent ?? root, at: fields.location ?? 'end' } };
  }

  /** Of a task that is there; null: it stays where it is. */
  async ofTask(
    row: Row,
    task: ApiTask,
    { fields, parent }: { readonly fields: PlaceFields; readonly parent: ApiTask | null },
  ): Promise<Position | null | Problem> {
    if ((fields.parent_id ?? null) !== null && parent === null) return noParent;
    const given = fields.list_id ?? parent?.list_id ?? task.list_id;
    const list = this.#listOf(given);
    if ('problem' in list) return list;
    if (parent !== null && parent.list_id !== list.row.id)
      return invalid('parent_id', 'The parent is in another list than "list_id".');
    if (list.row.scope !== row.scope)
      return invalid('list_id', 'Tasks cannot be moved between your own lists and shared ones.');
    const root = list.row.id;
    const isElsewhere = root !== task.list_id;
    const present = placeOf(row)?.parent;
    const under = this.#parentOf(fields, { parent, root, isElsewhere });
    const numbers = numbersOf(fields);
    const isLevelNew = numbers.level !== null && (isElsewhere || numbers.level !== task.indent_level);
    if (hasNumbers(fields) || isLevelNew) {
      if (isSameNumbers(fields, task) && !isLevelNew && (under === undefined || under === present))
        return null;
      const outline = await this.#outline(row.scope, root);
      const isByLevel = isLevelNew && (under === undefined || under === root);
      const target = isByLevel ? {} : under === undefined ? {} : { parent: under };
      return outline.place(row.id, {
        ...target,
        ...numbers,
        level: isByLevel ? (numbers.level ?? null) : null,
      });
    }
    const { location } = fields;
    if (location) return { parent: under ?? present ?? root, at: location };
    return under === undefined || under === present ? null : { parent: under };
  }

  /** Of a list in the sidebar; null: it stays. `row` is null for a new one. */
  async ofList(
    id: Id,
    fields: PlaceFields,
    row: Row | null,
  ): Promise<{ readonly scope: Id; readonly position: Position | null } | Problem> {
    const wanted = fields.parent_id === undefined ? undefined : fields.parent_id;
    let under: Id | undefined;
    const scope = row?.scope ?? this.#frame.personal;
    if (wanted !== undefined && wanted !== null) {
      const folder = this.#frame.list(parseId(wanted) ?? this.#frame.personal);
      if (folder === undefined) return problem('not_found', 'There is no such folder.', 'parent_id');
      if (folder.type !== 'folder') return invalid('parent_id', 'A list can only be put into a folder.');
      if (folder.row.scope !== scope) return invalid('parent_id', 'Lists cannot be moved between accounts.');
      under = folder.row.id;
    } else if (wanted === null) under = listsRoot(scope);
    const present = row === null ? undefined : placeOf(row)?.parent;
    const level = row === null ? 0 : (this.#frame.list(id)?.level ?? 0);
    const numbers = numbersOf(fields);
    const isLevelNew =
      numbers.level !== null && numbers.level !== level && (under ?? listsRoot(scope)) === listsRoot(scope);
    if (hasNumbers(fields) || isLevelNew) {
      const outline = this.#listOutline(scope);
      const target = isLevelNew || under === undefined ? {} : { parent: under };
      const position = outline.place(id, {
        ...target,
        ...numbers,
        level: isLevelNew ? (numbers.level ?? null) : null,
      });
      return { scope, position: position === null ? null : this.#intoFolder(position, scope) };
    }
    const isMoved = row === null || (under !== undefined && under !== present);
    return { scope, position: isMoved ? { parent: under ?? listsRoot(scope) } : null };
  }

  ofLabel(group: string | null | undefined): Position | Problem {
    if (group === null || group === undefined) return { parent: labelsRoot(this.#frame.personal) };
    const row = this.#frame.group(parseId(group) ?? this.#frame.personal);
    return row ? { parent: row.id } : problem('not_found', 'There is no such label group.', 'label_group_id');
  }

  /** Undefined: it keeps its parent. */
  #parentOf(
    { parent_id: wanted }: PlaceFields,
    to: { readonly parent: ApiTask | null; readonly root: Id; readonly isElsewhere: boolean },
  ): Id | undefined {
    if (to.parent !== null) return to.parent.id as Id;
    return wanted === null || to.isElsewhere ? to.root : undefined;
  }

  #listOf(text: string) {
    const id = parseId(text);
    const list = id === null ? undefined : this.#frame.list(id);
    if (list === undefined) return noList;
    if (list.type === 'folder' || list.type === 'smart')
      return invalid(
        'list_id',
        `Tasks cannot be put into a ${list.type === 'folder' ? 'folder' : 'smart list'}.`,
      );
    return list;
  }

  async #outline(scope: Id, root: Id): Promise<Outline> {
    const known = this.#outlines.get(root);
    if (known) return known;
    const outline = new Outline(root, await this.#reads.branches(scope, root, LONGEST_OUTLINE));
    this.#outlines.set(root, outline);
    return outline;
  }

  #listOutline(scope: Id): Outline {
    const branches = this.#frame.lists.flatMap(({ row, isShared }) => {
      const place = placeOf(row);
      return place === undefined || isShared !== (scope !== this.#frame.personal)
        ? []
        : [{ id: row.id, parent: place.parent, key: place.key, isDone: false }];
    });
    return new Outline(listsRoot(scope), branches);
  }

  /** A list that would come to stand under another that is no folder stands beside it. */
  #intoFolder(position: Position, scope: Id): Position {
    const parent = this.#frame.list(position.parent);
    if (parent === undefined || parent.type === 'folder') return position;
    return { parent: placeOf(parent.row)?.parent ?? listsRoot(scope), after: parent.row.id };
  }
}

/** A client that sends back what it was given moves nothing. */
function isSameNumbers({ ordinal, order_index: index }: PlaceFields, task: ApiTask): boolean {
  return ordinal === null || ordinal === undefined ? index === task.order_index : ordinal === task.ordinal;
}
