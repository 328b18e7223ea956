// Turns the requested place of a task or list into a position: checks names of places, and resolves written numbers and
// levels.
import { labelsRoot, listsRoot, parseId, type Id } from '#core/ids.ts';
import { orderIndexOf } from '#core/ordinal.ts';
import type { Position } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import type { Branch, TaskReads } from './task-reads.ts';
import type { Frame, FramedList } from './frame.ts';
import { type Move, type Numbers, Outline, type Wish } from './outline.ts';
import { invalid, problem, type Problem } from './problem.ts';

/** Longest outline in which numbers are resolved. */
const LONGEST_OUTLINE = 100_000;

/** The fields of a request that say where a task goes. */
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
}

/** A possible parent; the level of one created by the same request is not known yet. */
export type Parent = Pick<ApiTask, 'id' | 'list_id'> & Partial<Pick<ApiTask, 'indent_level'>>;

const noList = problem('not_found', "That list doesn't exist.", 'list_id');
const noParent = problem('not_found', "That task doesn't exist.", 'parent_id');
const elsewhere = invalid('parent_id', 'The parent isn\'t in the list from "list_id".');

/**
 * A client that sends back what it received moves nothing: of two numbers the changed one counts, and a level counts only
 * with another parent or when it changed.
 */
function numbersOf(
  { ordinal = null, order_index: index = null, indent_level: level = null }: PlaceFields,
  present: Pick<ApiTask, 'ordinal' | 'order_index' | 'indent_level'> | null,
): Numbers {
  const isNew = ordinal !== null && ordinal !== present?.ordinal;
  const numbers = {
    ordinal: isNew ? ordinal : null,
    index: isNew || index === present?.order_index ? null : index,
  };
  return { ...numbers, level: level === present?.indent_level && !hasPlace(numbers) ? null : level };
}

const hasPlace = ({ ordinal, index }: Pick<Numbers, 'ordinal' | 'index'>) =>
  ordinal !== null || index !== null;
const hasNumbers = (numbers: Numbers) => hasPlace(numbers) || numbers.level !== null;

interface PlacedWish extends Wish {
  readonly scope: Id;
  readonly isNew: boolean;
}

/**
 * Places for the tasks of one request: each is added first, then `moves` resolves all of them together, so that none is
 * counted from a position that another has just left.
 */
export class Placing {
  readonly #reads: Pick<TaskReads, 'branches'>;
  readonly #frame: Frame;
  readonly #wishes: PlacedWish[] = [];
  /** Fields that another field makes irrelevant. */
  readonly warnings: string[] = [];

  constructor(reads: Pick<TaskReads, 'branches'>, frame: Frame) {
    this.#reads = reads;
    this.#frame = frame;
  }

  /** Place of a new task, always a move. `parent`: the task of `parent_id`, if it is visible. */
  ofNew(id: Id, fields: PlaceFields, parent: Parent | null): Placed | Problem {
    const list = this.#listOf(fields.list_id ?? parent?.list_id ?? this.#frame.inbox);
    if ('problem' in list) return list;
    const { scope, id: root } = list.row;
    if ((fields.parent_id ?? null) !== null && parent === null) return noParent;
    if (parent !== null && parent.list_id !== root) return elsewhere;
    const numbers = numbersOf(fields, null);
    // On the top level, start and end are where it goes anyway.
    const isByLevel = parent === null && numbers.level !== null && (numbers.level > 0 || hasPlace(numbers));
    const under = isByLevel ? null : ((parent?.id as Id | undefined) ?? root);
    this.#warn(fields, numbers, parent);
    const location = fields.location ?? null;
    this.#wishes.push({ id, root, scope, parent: under, ...numbers, location, isNew: true });
    return { scope, list: root };
  }

  /** Place of an existing task; without fields of a place it stays. */
  ofTask(
    row: Row,
    task: ApiTask,
    { fields, parent }: { readonly fields: PlaceFields; readonly parent: Parent | null },
  ): Problem | null {
    if ((fields.parent_id ?? null) !== null && parent === null) return noParent;
    const list = this.#listOf(fields.list_id ?? parent?.list_id ?? task.list_id);
    if ('problem' in list) return list;
    const { scope, id: root } = list.row;
    if (parent !== null && parent.list_id !== root) return elsewhere;
    const isElsewhere = root !== task.list_id;
    const present = placeOf(row)?.parent ?? root;
    const asked =
      parent === null ? (fields.parent_id === null || isElsewhere ? root : null) : (parent.id as Id);
    const isMoved = asked !== null && asked !== present;
    const numbers = numbersOf(fields, isMoved ? null : task);
    const isByLevel = numbers.level !== null && (asked === null || asked === root);
    this.#warn(fields, numbers, parent);
    if (!isMoved && !isByLevel && !hasPlace(numbers) && !fields.location) return null;
    const under = isByLevel ? null : (asked ?? present);
    const location = fields.location ?? null;
    this.#wishes.push({ id: row.id, root, scope, parent: under, ...numbers, location, isNew: false });
    return null;
  }

  /** The scopes of the lists that tasks go to. */
  get scopes(): readonly Id[] {
    return this.#wishes.map(({ scope }) => scope);
  }

  /** In the order in which they have to be written. */
  async moves(): Promise<readonly Move[]> {
    const roots = new Map(this.#wishes.map(({ root, scope }) => [root, scope]));
    const moving = this.#wishes.filter(({ isNew }) => !isNew);
    // A task that swaps places with its ancestor has to be written from the top down.
    const isTwisted = moving.length > 1 && moving.some(({ parent, root }) => parent !== root);
    const numbered = new Set(this.#wishes.filter(hasNumbers).map(({ root }) => root));
    const branches: Branch[] = [];
    for (const [root, scope] of roots)
      if (isTwisted || numbered.has(root))
        branches.push(...(await this.#reads.branches(scope, root, LONGEST_OUTLINE)));
    return new Outline(branches).arrange(this.#wishes);
  }

  /** A parent decides the level of what is under it; a number makes start and end irrelevant. */
  #warn({ location }: PlaceFields, numbers: Numbers, parent: Parent | null): void {
    if (location && hasPlace(numbers))
      this.warnings.push('"location" was ignored. "ordinal" or "order_index" sets the position.');
    const { indent_level: above } = parent ?? {};
    if (above !== undefined && numbers.level !== null && numbers.level !== above + 1)
      this.warnings.push('"indent_level" was ignored. "parent_id" sets the nesting.');
  }

  /** Place of a list in the sidebar; null: it stays. `row` is null for a new one. */
  async ofList(
    id: Id,
    fields: PlaceFields,
    row: Row | null,
  ): Promise<{ readonly scope: Id; readonly position: Position | null } | Problem> {
    const wanted = fields.parent_id === undefined ? undefined : fields.parent_id;
    let under: Id | undefined;
    // Where a shared list stands is the account's own.
    const scope = this.#frame.personal;
    if (wanted !== undefined && wanted !== null) {
      const folder = this.#frame.list(parseId(wanted) ?? this.#frame.personal);
      if (folder === undefined) return problem('not_found', "That folder doesn't exist.", 'parent_id');
      if (folder.type !== 'folder') return invalid('parent_id', 'Lists only go in folders.');
      under = folder.row.id;
    } else if (wanted === null) under = listsRoot(scope);
    const root = listsRoot(scope);
    const known = row === null ? undefined : this.#frame.list(id);
    const present = row === null ? undefined : placeOf(row)?.parent;
    const isMoved = row === null || (under !== undefined && under !== present);
    const numbers = numbersOf(fields, known ? shownNumbers(known) : row === null ? AT_TOP : null);
    const isByLevel = numbers.level !== null && (under ?? root) === root;
    if (!hasPlace(numbers) && !isByLevel)
      return { scope, position: isMoved ? { parent: under ?? root } : null };
    const parent = isByLevel ? null : (under ?? present ?? root);
    const [move] = this.#listOutline().arrange([{ id, root, parent, ...numbers }]);
    return { scope, position: move === undefined ? null : this.#intoFolder(move.position, scope) };
  }

  ofLabel(group: string | null | undefined): Position | Problem {
    if (group === null || group === undefined) return { parent: labelsRoot(this.#frame.personal) };
    const row = this.#frame.group(parseId(group) ?? this.#frame.personal);
    return row
      ? { parent: row.id }
      : problem('not_found', "That label group doesn't exist.", 'label_group_id');
  }

  #listOf(text: string) {
    const id = parseId(text);
    const list = id === null ? undefined : this.#frame.list(id);
    if (list === undefined) return noList;
    if (list.type === 'folder' || list.type === 'smart')
      return invalid(
        'list_id',
        `You can't put tasks in a ${list.type === 'folder' ? 'folder' : 'smart list'}.`,
      );
    return list;
  }

  #listOutline(): Outline {
    const branches = this.#frame.lists.flatMap(({ row }) => {
      const place = placeOf(row);
      return place === undefined ? [] : [{ id: row.id, parent: place.parent, key: place.key, isDone: false }];
    });
    return new Outline(branches);
  }

  /** A list that would go under another list instead of a folder goes beside it. */
  #intoFolder(position: Position, scope: Id): Position {
    const parent = this.#frame.list(position.parent);
    if (parent === undefined || parent.type === 'folder') return position;
    return { parent: placeOf(parent.row)?.parent ?? listsRoot(scope), after: parent.row.id };
  }
}

/** The position of a list without a level. */
const AT_TOP = { ordinal: '', order_index: Number.NaN, indent_level: 0 };

const shownNumbers = ({ ordinal, level }: FramedList) => ({
  ordinal,
  order_index: orderIndexOf(ordinal),
  indent_level: level,
});
