// Placement of rows: possible parents, no cycles, nothing under trashed rows, and order keys from intent ("after that
// sibling"). Keys are fractional-indexing strings compared as bytes; the server's are final, a client's are
// provisional.
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import { inboxId, isRootOf, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { limits, type EntityType, type Place } from '#core/model.ts';
import type { Action, Position, Verdict } from './operation.ts';
import { withFields, fieldOf, type Row } from './row.ts';
import { placeOf } from './row-reading.ts';
import { walkUp } from '#core/walk-up.ts';
import { parentOf } from './ancestors.ts';

/** The tree, as placement reads it. */
export interface Siblings {
  /** Whether keys only serve until the server answers: crowded gaps are then left to it. Absent = no. */
  areKeysProvisional?(): boolean;
  row(id: Id): Row | undefined;
  absence(id: Id): 'unknown' | 'purged' | 'elsewhere';
  /** The row of an id that is elsewhere: of a tree that moves in steps the upper part is. Absent: `row` knows all scopes. */
  beyond?(id: Id): Row | undefined;
  /**
   * The nearest placed sibling beyond `from` (exclusive; null = from the start in that direction), other than `skip`.
   * Trashed ones count.
   */
  neighbour(
    parent: Id,
    from: string | null,
    direction: 'ascending' | 'descending',
    skip: Id,
  ): Sibling | undefined;
  /** A key for what goes between two neighbors. Absent: in the middle. */
  keyBetween?(low: Sibling | undefined, high: Sibling | undefined): string;
  /** Says that the rows of these ids will be asked for, so that they can be read at once. Absent: all are there. */
  expect?(ids: readonly Id[]): void;
}

/** A sibling with its order key. */
export interface Sibling {
  readonly id: Id;
  readonly key: string;
  /** Of its last change of any kind. Absent: its row says. */
  readonly version?: number;
}

export interface Placement {
  readonly place: Place;
  /** Siblings that got a new key because the gap was crowded. */
  readonly rekeyed: readonly Row[];
}

/** Whether placing succeeded; otherwise the value is the reason. */
export function isPlacement(value: Placement | Verdict): value is Placement {
  return typeof value === 'object';
}

/**
 * The place of a new row, or the reason why there is none. Without a position its parent is the root of lists; the
 * Inbox always goes to the start there.
 */
export function placeNew(
  state: Siblings,
  action: Pick<Extract<Action, { a: 'create' }>, 'id' | 'type' | 'fields' | 'place'>,
  scope: Id,
): Placement | Verdict {
  if (isRootOf(scope, action.id)) return 'invalid';
  const isInbox = action.type === 'list' && action.fields.listType === 'inbox';
  const position = isInbox
    ? { parent: listsRoot(scope), at: 'start' as const }
    : (action.place ?? { parent: scope });
  return settle(state, { id: action.id, type: action.type, scope, isNew: true }, position);
}

/** The new place of an existing row, or the reason why it cannot go there (a cycle, an impossible parent). */
export function moveWithin(state: Siblings, row: Row, position: Position, scope: Id): Placement | Verdict {
  return settle(state, { id: row.id, type: row.type, scope, isNew: false }, position);
}

interface Subject {
  readonly id: Id;
  readonly type: EntityType;
  readonly scope: Id;
  readonly isNew: boolean;
}

function settle(state: Siblings, subject: Subject, position: Position): Placement | Verdict {
  const parent = resolveParent(state, subject, position.parent);
  if (!('parent' in parent)) return parent.verdict;
  return keyAt(state, subject.id, parent.parent === position.parent ? position : { parent: parent.parent });
}

/**
 * The parent for rows whose place is gone: the Inbox for tasks, or the list at the top of a scope that has none; the top
 * level for the rest.
 */
export function fallback(
  state: Pick<Siblings, 'row' | 'neighbour'>,
  { id, type, scope }: Pick<Subject, 'id' | 'type' | 'scope'>,
): Id {
  if (type === 'list' || type === 'mount') return listsRoot(scope);
  if (type !== 'task') return labelsRoot(scope);
  const inbox = inboxId(scope);
  return (state.row(inbox) ?? state.neighbour(listsRoot(scope), null, 'ascending', id))?.id ?? inbox;
}

/** What only a task can hold: without one it goes nowhere else. */
export function isAboutTask(type: string): boolean {
  return type === 'attachment' || type === 'comment';
}

function accepts(type: EntityType, parent: Row): boolean {
  const listType = fieldOf(parent, 'listType');
  switch (type) {
    case 'task':
      return (
        parent.type === 'task' || (parent.type === 'list' && (listType === 'list' || listType === 'inbox'))
      );
    case 'list':
    case 'mount':
      return parent.type === 'list' && listType === 'folder';
    case 'label':
      return parent.type === 'labelGroup';
    case 'attachment':
    case 'comment':
      return parent.type === 'task';
    default:
      return false;
  }
}

function acceptsRoot(type: EntityType, root: Id, scope: Id): boolean {
  if (type === 'list' || type === 'mount') return root === listsRoot(scope);
  return (type === 'label' || type === 'labelGroup') && root === labelsRoot(scope);
}

type Resolved = { readonly parent: Id } | { readonly verdict: Verdict };

/**
 * The parent to use: the requested one, or, when it or anything above it is in the trash, its nearest ancestor that is
 * not. Walks up once; the walk is also the cycle check.
 */
function resolveParent(state: Siblings, subject: Subject, wanted: Id): Resolved {
  if (acceptsRoot(subject.type, wanted, subject.scope)) return { parent: wanted };
  if (wanted === listsRoot(subject.scope)) return { verdict: 'badparent' };
  const first = state.row(wanted);
  if (first === undefined) {
    // A purged parent must not take a new child with it; an unknown one means the author's own creation was refused.
    if (state.absence(wanted) !== 'purged' || isAboutTask(subject.type)) return { verdict: 'badparent' };
    return resolveParent(state, subject, fallback(state, subject));
  }
  if (!accepts(subject.type, first) && wanted !== subject.id) return { verdict: 'badparent' };
  // Only tasks go to another scope by being put there.
  if (first.scope !== subject.scope && subject.type !== 'task') return { verdict: 'badparent' };
  const rowOf = (id: Id) => state.row(id) ?? state.beyond?.(id);
  let living: Id | null = null;
  let depth = 0;
  for (const at of walkUp(wanted, (id) => parentOf(rowOf(id)))) {
    if (at === subject.id) return { verdict: 'cycle' };
    const row = rowOf(at);
    // The virtual roots have no row; the walk ends there.
    if (row === undefined || placeOf(row) === undefined) break;
    if (fieldOf(row, 'del') !== undefined) living = null;
    else if (row.scope === first.scope) living ??= at;
    depth += 1;
  }
  if (depth > limits.depth) return { verdict: 'limit' };
  const parent = living === null ? undefined : state.row(living);
  if (living !== null && parent !== undefined && accepts(subject.type, parent)) return { parent: living };
  if (isAboutTask(subject.type)) return { verdict: 'badparent' };
  const top = fallback(state, { ...subject, scope: first.scope });
  const last = state.row(top);
  const isClosed = last !== undefined && (!accepts(subject.type, last) || fieldOf(last, 'del') !== undefined);
  return isClosed ? { verdict: 'badparent' } : { parent: top };
}

/** The position that a restored row must move to because something above it is in the trash; null when it may stay. */
export function livingPlace(state: Siblings, row: Row, scope: Id): Position | null {
  const place = placeOf(row);
  if (place === undefined) return null;
  const resolved = resolveParent(state, { id: row.id, type: row.type, scope, isNew: false }, place.parent);
  if (!('parent' in resolved) || resolved.parent === place.parent) return null;
  return { parent: resolved.parent };
}

/** A key at a position whose parent is used as it is. */
export function keyAt(state: Siblings, self: Id, position: Position): Placement {
  const { parent } = position;
  const gap = gapAt(state, self, position);
  const key =
    state.keyBetween?.(gap.low, gap.high) ?? generateKeyBetween(gap.low?.key ?? null, gap.high?.key ?? null);
  if (key.length <= limits.keyCharacters || state.areKeysProvisional?.() === true)
    return { place: { parent, key }, rekeyed: [] };
  return spread(state, { self, parent }, gap);
}

/** The siblings around a position. */
interface Gap {
  readonly low: Sibling | undefined;
  readonly high: Sibling | undefined;
}

function gapAt(state: Siblings, self: Id, position: Position): Gap {
  const { parent } = position;
  const after = siblingAt(state, parent, position.after, self);
  if (after !== undefined) return { low: after, high: state.neighbour(parent, after.key, 'ascending', self) };
  const before = siblingAt(state, parent, position.before, self);
  if (before !== undefined)
    return { low: state.neighbour(parent, before.key, 'descending', self), high: before };
  if (position.at === 'start')
    return { low: undefined, high: state.neighbour(parent, null, 'ascending', self) };
  return { low: state.neighbour(parent, null, 'descending', self), high: undefined };
}

function siblingAt(state: Siblings, parent: Id, id: Id | undefined, self: Id): Sibling | undefined {
  if (id === undefined || id === self) return undefined;
  const row = state.row(id);
  const place = row === undefined ? undefined : placeOf(row);
  return place?.parent === parent ? { id, key: place.key } : undefined;
}

/**
 * Gives the neighbors of a crowded gap new, short keys: a run around the gap, doubled until the keys between its outer
 * bounds are short again. The cost depends on the run, not on the list.
 */
function spread(state: Siblings, at: { readonly self: Id; readonly parent: Id }, gap: Gap): Placement {
  for (let reach = 16; ; reach *= 2) {
    const below = run(state, { ...at, first: gap.low, direction: 'descending', reach });
    const above = run(state, { ...at, first: gap.high, direction: 'ascending', reach });
    const members = [...below.members.toReversed(), ...above.members];
    const keys = generateNKeysBetween(below.bound, above.bound, members.length + 1);
    const whole = below.bound === null && above.bound === null;
    if (!whole && keys.some((key) => key.length > limits.keyCharacters / 2)) continue;
    state.expect?.(members.map(({ id }) => id));
    const [key = ''] = keys.splice(below.members.length, 1);
    const { parent } = at;
    const rekeyed = members.map(({ id }, index) => {
      const row = must(state.row(id), 'a sibling has a row');
      return withFields(row, { ...row.fields, place: { parent, key: keys[index] ?? '' } });
    });
    return { place: { parent, key }, rekeyed };
  }
}

interface RunQuery {
  readonly parent: Id;
  readonly self: Id;
  readonly first: Sibling | undefined;
  readonly direction: 'ascending' | 'descending';
  readonly reach: number;
}

/** Up to `reach` siblings from the gap outwards, and the key of the one beyond them. */
function run(
  state: Siblings,
  query: RunQuery,
): { readonly members: Sibling[]; readonly bound: string | null } {
  const members: Sibling[] = [];
  let at = query.first;
  while (at !== undefined && members.length < query.reach) {
    members.push(at);
    at = state.neighbour(query.parent, at.key, query.direction, query.self);
  }
  return { members, bound: at?.key ?? null };
}
