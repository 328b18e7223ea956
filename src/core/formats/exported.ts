// Selects what an export contains: a task, list, folder or the whole account, as a neutral list of entities in outline
// order. Not here: how they are written (json.ts, markdown.ts).
import { must } from '../assert.ts';
import type { Id } from '../ids.ts';
import { placedTypes, type EntityType, type Place } from '../model.ts';

/** Registers by name, without `place`. */
export type ExportedFields = Readonly<Record<string, unknown>>;

/** Types of what is exported: who else has a list, and where it stands in a sidebar, is no content. */
export type DocumentType = Exclude<EntityType, 'mount' | 'member'>;

/** An entity as exports see it, with its place split from the other registers. `exportedOf` makes them of rows. */
export interface ExportedEntity {
  readonly id: Id;
  readonly type: DocumentType;
  /** Placed types only. */
  readonly parent?: Id;
  /** Order key among siblings, compared as bytes. */
  readonly key?: string;
  readonly createdAt: number;
  readonly fields: ExportedFields;
  /** A list that others have, too; absent: the person's own. */
  readonly isShared?: true;
}

/** The part of an account to export. `root` is the task, list or folder; absent for the whole account. */
export interface ExportSelection {
  readonly kind: 'task' | 'list' | 'folder' | 'account';
  readonly root?: Id;
}

export interface Selected {
  /** Placed entities parents first and siblings in order, then the others by id. */
  readonly entities: readonly ExportedEntity[];
  /** Position of a placed entity among its selected siblings, from 0. */
  readonly orders: ReadonlyMap<Id, number>;
  readonly childrenOf: ReadonlyMap<Id, readonly ExportedEntity[]>;
  /** Parents of selected entities that are not selected themselves (virtual roots, a surrounding list), sorted. */
  readonly roots: readonly Id[];
}

/** A stored row. */
interface Stored extends Pick<ExportedEntity, 'id' | 'createdAt' | 'fields'> {
  readonly type: EntityType;
  readonly scope?: Id;
}

const isContent = (row: Stored): row is Stored & { readonly type: DocumentType } =>
  row.type !== 'mount' && row.type !== 'member';

/**
 * The rows that are content, each with its place split from the other registers. `personal`: the scope of who exports; lists of
 * others are shared ones. Absent: none is.
 */
export function exportedOf(rows: Iterable<Stored>, personal: Id | null = null): readonly ExportedEntity[] {
  return [...rows].flatMap((row) => (isContent(row) ? [toExported(row, personal)] : []));
}

function toExported(row: Stored & { readonly type: DocumentType }, personal: Id | null): ExportedEntity {
  // The merge data of a note and the seal of a comment are of no use outside.
  const { place, notesDoc: _notesDoc, seal: _seal, ...fields } = row.fields;
  const isShared =
    row.type === 'list' && personal !== null && row.scope !== undefined && row.scope !== personal;
  const base = {
    id: row.id,
    type: row.type,
    createdAt: row.createdAt,
    fields,
    ...(isShared ? { isShared } : {}),
  };
  if (place === undefined || place === null) return base;
  const { parent, key } = place as Place;
  return { ...base, parent, key };
}

/** Names of people by account number, as far as the lists of who exports know them. */
export type NamedPeople = ReadonlyMap<number, string>;

/**
 * Picks the entities of a selection: everything under the root, its personal rows, its completions, and its labels with
 * their groups. An account selects everything. The root must be among the entities.
 */
export function selectEntities(entities: readonly ExportedEntity[], selection: ExportSelection): Selected {
  if (selection.kind === 'account') return arrange(entities);
  const byId = new Map(entities.map((entity) => [entity.id, entity]));
  const root = must(
    byId.get(must(selection.root, 'an export of a part names its root')),
    'the root is exported',
  );
  const tree = walkTree(groupChildren(entities), [root]);
  const chosen = new Map(tree.map((entity) => [entity.id, entity]));
  for (const entity of entities) {
    const about =
      entity.type === 'mine'
        ? entity.fields['of']
        : entity.type === 'completion'
          ? entity.fields['task']
          : null;
    if (chosen.has(about as Id)) chosen.set(entity.id, entity);
  }
  for (const label of [...chosen.values()].flatMap((entity) => labelsOf(entity.fields))) {
    const found = byId.get(label);
    const group = found?.parent === undefined ? undefined : byId.get(found.parent);
    if (found !== undefined) chosen.set(found.id, found);
    if (group !== undefined) chosen.set(group.id, group);
  }
  return arrange([...chosen.values()]);
}

/** Ids of the labels set in an entity's registers. */
export function labelsOf(fields: ExportedFields): Id[] {
  return Object.keys(fields).flatMap((name) =>
    name.startsWith('label:') && fields[name] === true ? [name.slice(6) as Id] : [],
  );
}

function arrange(entities: readonly ExportedEntity[]): Selected {
  const ids = new Set(entities.map((entity) => entity.id));
  const childrenOf = groupChildren(entities);
  const orders = new Map<Id, number>();
  for (const children of childrenOf.values()) {
    children.forEach((child, order) => orders.set(child.id, order));
  }
  const roots = [...childrenOf.keys()].filter((parent) => !ids.has(parent)).toSorted();
  const ordered = walkTree(
    childrenOf,
    roots.flatMap((parent) => childrenOf.get(parent) ?? []),
  );
  const reached = new Set(ordered.map((entity) => entity.id));
  const rest = entities
    .filter((entity) => !reached.has(entity.id))
    .toSorted((a, b) => compareBytes(a.id, b.id));
  return { entities: [...ordered, ...rest], orders, childrenOf, roots };
}

/** Children by parent, siblings in order. */
function groupChildren(entities: readonly ExportedEntity[]): Map<Id, ExportedEntity[]> {
  const childrenOf = new Map<Id, ExportedEntity[]>();
  for (const entity of entities) {
    if (entity.parent === undefined || !placedTypes.has(entity.type)) continue;
    const siblings = childrenOf.get(entity.parent);
    if (siblings === undefined) childrenOf.set(entity.parent, [entity]);
    else siblings.push(entity);
  }
  for (const siblings of childrenOf.values()) {
    // Provisional keys, shown until the server assigns one, may be equal; then the id decides.
    siblings.sort((a, b) => compareBytes(a.key ?? '', b.key ?? '') || compareBytes(a.id, b.id));
  }
  return childrenOf;
}

function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Walks depth first, parents before children. Without recursion, so that no depth overflows the stack. */
export function walkTree<T extends { readonly id: Id }>(
  childrenOf: ReadonlyMap<Id, readonly T[]>,
  starts: readonly T[],
): T[] {
  const walked: T[] = [];
  const waiting = starts.toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    walked.push(next);
    const children = childrenOf.get(next.id) ?? [];
    for (let i = children.length - 1; i >= 0; i -= 1) {
      const child = children[i];
      if (child !== undefined) waiting.push(child);
    }
  }
  return walked;
}
